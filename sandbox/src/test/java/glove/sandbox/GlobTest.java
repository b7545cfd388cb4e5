package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import glove.sys.UnixPath;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns of --hide. */
@Tag("unit")
final class GlobTest {
    private static boolean matches(String pattern, String path, boolean directory) throws Refusal {
        byte[] bytes = UnixPath.of(path).bytes();
        return Glob.of(UnixPath.of(pattern)).matchesPath(bytes, 0, bytes.length, directory);
    }

    @ParameterizedTest
    @CsvSource({
        "*.pem, a.pem",
        "*.pem, deep/er/a.pem",
        "*.pem, .pem",
        ".env*, x/.env.local",
        "?, a",
        "[a-c]x, bx",
        "[!a-c]x, dx",
        "[]]x, ]x",
        "[a-]x, -x",
        "\\*, *",
        "\\[x\\], a/[x]",
        "a*b*c, a1b2b3c",
        "secrets/*.txt, secrets/a.txt",
        "**/secrets/*, x/y/secrets/a",
        "**/secrets/*, secrets/a",
        "a/**/b, a/b",
        "a/**/b, a/x/y/b",
        "a/**, a/x/y",
        "a/**/b/**/c, a/1/b/2/b/3/c",
        "./x*, xy",
        "*, ü",
    })
    void matchesAsAPersonMeansIt(String pattern, String path) throws Refusal {
        assertThat(matches(pattern, path, false)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "*.pem, a.pem2",
        "*.pem, a.pem/b",
        "?, ab",
        "[a-c]x, dx",
        "[!a-c]x, bx",
        "\\*, a",
        "a*b*c, a1c2b",
        "secrets/*.txt, x/secrets/a.txt",
        "secrets/*.txt, secrets/x/a.txt",
        "a/**/b, ab",
        "a/**/b, a/xb",
        "a/**, a",
        "./x*, d/xy",
        "x/*, x",
    })
    void doesNotMatchMore(String pattern, String path) throws Refusal {
        assertThat(matches(pattern, path, false)).isFalse();
    }

    @Test
    void aSlashAtTheEndMeansDirectoriesOnly() throws Refusal {
        assertThat(matches("build*/", "x/build1", true)).isTrue();
        assertThat(matches("build*/", "x/build1", false)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[a", "x\\", "../*", "/", "a/[", "[!]"})
    void whatCannotMeanAnythingIsRefused(String pattern) {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> Glob.of(UnixPath.of(pattern)))
                .satisfies(refusal -> assertThat(refusal.hints()).isNotEmpty());
    }

    @Test
    void manyStarsTakeNoExponentialTime() throws Refusal {
        String pattern = "*a".repeat(30) + "b";

        assertThat(matches(pattern, "a".repeat(250), false)).isFalse();
    }
}
