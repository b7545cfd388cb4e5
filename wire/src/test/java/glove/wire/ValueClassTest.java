package glove.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

@Tag("unit")
final class ValueClassTest {
    private enum Colour implements WireWord {
        RED,
        DARK_RED;

        @Override
        public String word() {
            return this == RED ? "red" : "dark_red";
        }
    }

    private static <T> void check(ValueClass<T> kind, List<String> good, List<String> bad) {
        for (String text : good) {
            assertThat(kind.parse(text)).as(text).isPresent();
        }
        for (String text : bad) {
            assertThat(kind.parse(text)).as(text).isEmpty();
        }
        assertThat(kind.words()).isNotBlank();
    }

    @Test
    void identifiersAndAliasesDifferByTheColon() {
        String longest = "x".repeat(128);
        List<String> bad =
                List.of("", longest + "x", "a b", "a/b", "a\n", "\u00e9", "a\u0000", "a@b");
        check(Id128.CLASS, List.of("a", "0", "A-b_c.d", longest, "a:b", "."), bad);
        check(Alias.CLASS, List.of("a", "0", "A-b_c.d", longest), bad);
        assertThat(Alias.CLASS.parse("a:b")).isEmpty();
        assertThatThrownBy(() -> new Id128("a b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Alias("a:b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void digestsAreSixtyFourLowerCaseDigits() {
        String a = "a".repeat(63);
        check(
                Digest.CLASS,
                List.of(a + "0", "0123456789abcdef".repeat(4)),
                List.of("", a, a + "00", a + "A", a + "g", a + " "));
        assertThat(Digest.of(new Digest(a + "0").toBytes())).isEqualTo(new Digest(a + "0"));
    }

    @Test
    void pathsHaveOneForm() {
        check(
                AbsolutePath.CLASS,
                List.of("/a", "/a/b", "/a/...", "/.a/..b", "/a b", "/\u00e9"),
                List.of(
                        "",
                        "/",
                        "//a",
                        "/a/",
                        "/a//b",
                        "a",
                        "/.",
                        "/a/.",
                        "/a/..",
                        "/../a",
                        "/a/./b",
                        "/a\u0000",
                        "/" + "a".repeat(4095)));
    }

    @Test
    void aPathIsWithinAnotherByWholeNames() {
        AbsolutePath a = new AbsolutePath("/opt/a");

        assertThat(new AbsolutePath("/opt/a/b").isWithin(a)).isTrue();
        assertThat(a.isWithin(a)).isTrue();
        assertThat(new AbsolutePath("/opt/ab").isWithin(a)).isFalse();
        assertThat(a.isWithin(new AbsolutePath("/opt/a/b"))).isFalse();
        assertThat(a.overlaps(new AbsolutePath("/opt/a/b"))).isTrue();
        assertThat(a.overlaps(new AbsolutePath("/opt/ab"))).isFalse();
    }

    @Test
    void tokensAreBoundedInBytes() {
        check(
                new Token(4),
                List.of("a", "abcd", "\u00e9\u00e9", "\u0080"),
                List.of("", "abcde", "\u00e9\u00e9a", "a\u001f", "\u007f", "\n"));
    }

    @Test
    void wordsAreThoseOfTheEnum() {
        WordClass<Colour> colours = WordClass.of(Colour.values());

        assertThat(colours.parse("dark_red")).contains(Colour.DARK_RED);
        assertThat(colours.parse("RED")).isEmpty();
        assertThat(colours.words()).isEqualTo("one of red, dark_red");
    }

    @Test
    void numbersWithoutSignAreComparedAndReadWithoutSign() {
        assertThat(U64.isLess(1, U64.MAX)).isTrue();
        assertThat(U64.max(1, U64.MAX)).isEqualTo(U64.MAX);
        assertThat(U64.sumOverflows(U64.MAX, 1)).isTrue();
        assertThat(U64.sumOverflows(U64.MAX - 1, 1)).isFalse();
        assertThat(U64.parse("18446744073709551615")).isEqualTo(U64.MAX);
        for (String bad : List.of(
                "",
                "-1",
                "01",
                "18446744073709551616",
                "1e3",
                "+1",
                "99999999999999999999",
                "111111111111111111111")) {
            assertThat(U64.isText(bad)).as(bad).isFalse();
        }
    }
}
