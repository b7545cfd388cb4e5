package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class UnixPathTest {
    @ParameterizedTest(name = "{0}: {1} and {2}")
    @CsvSource({
        "/, /, ''",
        "/a, /, a",
        "/a/b, /a, b",
        "/a/b/, /a, b",
        "/a//b, /a, b",
        "//a, /, a",
        "///, /, ''",
        "a, '', a",
        "a/, '', a",
        "a/b, a, b",
        "'', '', ''"
    })
    void aPathIsItsParentAndItsName(String path, String parent, String name) {
        assertThat(UnixPath.of(path).parent()).isEqualTo(UnixPath.of(parent));
        assertThat(UnixPath.of(path).name()).isEqualTo(UnixPath.of(name));
    }

    @ParameterizedTest(name = "{0} becomes {1}")
    @CsvSource({
        "/a/./b/../c, /a/c",
        "/../../a, /a",
        "//a///b/, /a/b",
        "/.., /",
        "../a/../../b, ../../b",
        "a/.., ''",
        "/a/..., /a/...",
        "., ''"
    })
    void normalizeWorksOnTextAlone(String path, String normal) {
        assertThat(UnixPath.of(path).normalize()).isEqualTo(UnixPath.of(normal));
    }

    @ParameterizedTest(name = "{0} below {1}: {2}")
    @CsvSource({
        "/a/b, /a, true",
        "/a, /a, true",
        "/a, /a/, true",
        "/a/b, /a/, true",
        "/ab, /a, false",
        "/ab, /a/, false",
        "/a, /a/b, false",
        "/a, /, true",
        "/, /, true",
        "a/b, a, true",
        "/a, a, false",
        "a, /, false",
        "/a, '', false",
        "a, '', true"
    })
    void startsWithComparesNameByName(String path, String other, boolean below) {
        assertThat(UnixPath.of(path).startsWith(UnixPath.of(other))).isEqualTo(below);
    }

    @ParameterizedTest(name = "{1} from {0} is {2}")
    @CsvSource({"/a, b, /a/b", "/a/, b, /a/b", "/a, /b, /b", "/a, '', /a", "'', b, b", "/, b, /b"})
    void resolveJoins(String from, String other, String joined) {
        assertThat(UnixPath.of(from).resolve(other)).isEqualTo(UnixPath.of(joined));
    }

    @ParameterizedTest(name = "{0} from the root is {1}")
    @CsvSource({"/, .", "/a/b, a/b", "a, a"})
    void relativeToRootDropsTheSlash(String path, String relative) {
        assertThat(UnixPath.of(path).relativeToRoot()).isEqualTo(UnixPath.of(relative));
    }

    @Test
    void namesNeedNotBeUtf8() {
        byte[] bytes = {'/', (byte) 0xff, (byte) 0xc3, '/', 'x'};

        UnixPath path = UnixPath.of(bytes);

        assertThat(path.bytes()).isEqualTo(bytes);
        assertThat(path.parent().bytes()).isEqualTo(new byte[] {'/', (byte) 0xff, (byte) 0xc3});
        assertThat(path).hasToString("/\\xff\\xc3/x");
    }

    @Test
    void textForPeopleHasNoBytesThatActOnATerminal() {
        assertThat(UnixPath.of("a\u001b[2J\n\u007f\\")).hasToString("a\\x1b[2J\\x0a\\x7f\\\\");
        assertThat(UnixPath.of("caf\u00e9 \u65e5 \ud83d\ude00"))
                .hasToString("caf\u00e9 \u65e5 \ud83d\ude00");
        assertThat(UnixPath.of("\u202e\u2028\u0085"))
                .hasToString("\\xe2\\x80\\xae\\xe2\\x80\\xa8\\xc2\\x85");
    }

    @Test
    void overlongAndCutCharactersAreShownAsBytes() {
        assertThat(UnixPath.of(new byte[] {(byte) 0xc0, (byte) 0xaf})).hasToString("\\xc0\\xaf");
        assertThat(UnixPath.of(new byte[] {(byte) 0xe2, (byte) 0x82})).hasToString("\\xe2\\x82");
        assertThat(UnixPath.of(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}))
                .hasToString("\\xed\\xa0\\x80");
    }

    @Test
    void orderIsThatOfUnsignedBytes() {
        UnixPath high = UnixPath.of(new byte[] {(byte) 0x80});

        assertThat(high).isGreaterThan(UnixPath.of("a"));
        assertThat(UnixPath.of("a")).isLessThan(UnixPath.of("a/"));
    }

    @Test
    void nobodyChangesAPathThroughItsBytes() {
        byte[] bytes = {'a'};
        UnixPath path = UnixPath.of(bytes);

        bytes[0] = 'b';
        path.bytes()[0] = 'c';

        assertThat(path).isEqualTo(UnixPath.of("a")).hasSameHashCodeAs(UnixPath.of("a"));
    }

    @Test
    void aNulIsRefused() {
        assertThatThrownBy(() -> UnixPath.of("a\0b"))
                .isInstanceOf(Bug.class)
                .hasMessageContaining("NUL");
        assertThatThrownBy(() -> UnixPath.of(new byte[] {0})).isInstanceOf(Bug.class);
    }
}
