package glove.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.testkit.ProcessorTime;
import glove.wire.JsonException.Fault;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

@Tag("unit")
final class JsonTextTest {
    private static final JsonLimits SMALL = new JsonLimits(1000, 3, 10, 5, 3, 12);

    @Test
    void eachTextOfTheTableIsTakenOrRefusedForItsReason() throws IOException {
        List<String> wrong = new ArrayList<>();
        int rows = 0;

        for (String line : table()) {
            int tab = line.indexOf('\t');
            byte[] text = bytes(line.substring(tab + 1));
            String verdict = verdict(text);
            if (!verdict.equals(line.substring(0, tab))) {
                wrong.add(line + " was: " + verdict);
            }
            boolean oracle = StrictScanner.frame(text).isPresent();
            if (oracle != verdict.equals("OK")) {
                wrong.add(line + " the oracle says " + oracle);
            }
            rows++;
        }

        assertThat(wrong).isEmpty();
        assertThat(rows).isGreaterThan(150);
    }

    @Test
    void aFrameIsReadInTheMiddleOfAnArray() throws JsonException {
        byte[] bytes = "[{\"a\":[1,\"x\"],\"b\":{}}]".getBytes(StandardCharsets.UTF_8);

        JsonValue root =
                JsonText.frame(bytes, 1, bytes.length - 1, JsonLimits.FRAME).root();

        assertThat(root.start()).isEqualTo(1);
        assertThat(root.end()).isEqualTo(bytes.length - 1);
        assertThat(root.member("a").orElseThrow().element(1).orElseThrow().string())
                .isEqualTo("x");
        assertThat(root.member("b").orElseThrow().toJson()).isEqualTo("{}");
    }

    @Test
    void errorsSayWhereTheyAreFromTheBeginningOfTheFrame() {
        byte[] bytes = "{\"a\":1}{\"b\":\"\\ud800\"}".getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> JsonText.frame(bytes, 7, bytes.length, JsonLimits.FRAME))
                .isInstanceOfSatisfying(JsonException.class, e -> {
                    assertThat(e.fault()).isEqualTo(Fault.LONE_SURROGATE);
                    assertThat(e.offset()).isEqualTo(6);
                })
                .hasMessage("half of a surrogate pair at byte 6");
    }

    @Test
    void whatATextHoldsNeverReachesTheTerminalThroughAnError() {
        byte[] bytes = "{\"\\u001b[2J\":1,\"\\u001b[2J\":2}".getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> JsonText.value(bytes, JsonLimits.FRAME))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("?[2J")
                .satisfies(e -> assertThat(e.getMessage()).matches("[ -~]+"));
    }

    @Test
    void eachBoundHoldsExactly() {
        assertThat(small("[[[1]]]")).isEqualTo("OK");
        assertThat(small("[[[[]]]]")).isEqualTo("TOO_MUCH");
        assertThat(small("1234567890")).isEqualTo("OK");
        assertThat(small("12345678901")).isEqualTo("TOO_MUCH");
        assertThat(small("-1.234e-56")).isEqualTo("OK");
        assertThat(small("-1.2345e-56")).isEqualTo("TOO_MUCH");
        assertThat(small("{\"12345\":1}")).isEqualTo("OK");
        assertThat(small("{\"123456\":1}")).isEqualTo("TOO_MUCH");
        assertThat(small("{\"\\u0041\":1}")).isEqualTo("TOO_MUCH");
        assertThat(small("{\"a\":1,\"b\":1,\"c\":1}")).isEqualTo("OK");
        assertThat(small("{\"a\":1,\"b\":1,\"c\":1,\"d\":1}")).isEqualTo("TOO_MUCH");
        assertThat(small("[0,0,0,0,0,0,0,0,0,0,0]")).isEqualTo("OK");
        assertThat(small("[0,0,0,0,0,0,0,0,0,0,0,0]")).isEqualTo("TOO_MUCH");
        assertThat(small("\"" + "x".repeat(998) + "\"")).isEqualTo("OK");
        assertThat(small("\"" + "x".repeat(999) + "\"")).isEqualTo("TOO_LONG");
    }

    @Test
    void theBoundsOfAFrameAreThoseOfTheDesign() {
        assertThat(verdict(nested(64))).isEqualTo("OK");
        assertThat(verdict(nested(65))).isEqualTo("TOO_MUCH");
        assertThat(verdict(nested(100_000))).isEqualTo("TOO_MUCH");
        assertThat(verdict(utf8("{\"a\":" + "1".repeat(400) + "}"))).isEqualTo("OK");
        assertThat(verdict(utf8("{\"a\":" + "1".repeat(401) + "}"))).isEqualTo("TOO_MUCH");
        assertThat(verdict(utf8("{\"" + "n".repeat(65_536) + "\":1}"))).isEqualTo("OK");
        assertThat(verdict(utf8("{\"" + "n".repeat(65_537) + "\":1}"))).isEqualTo("TOO_MUCH");
        assertThat(verdict(utf8("{\"a\":\"" + "s".repeat((16 << 20) - 8) + "\"}")))
                .isEqualTo("OK");
        assertThat(verdict(utf8("{\"a\":\"" + "s".repeat((16 << 20) - 7) + "\"}")))
                .isEqualTo("TOO_LONG");
    }

    @Test
    void namesOfOneSenderAreNotKept() throws JsonException {
        // A table of names shared by all texts would hold these 6,000 times 60,000 bytes.
        byte[] name = utf8("{\"" + "n".repeat(60_000) + "\":1}");
        for (int i = 0; i < 6_000; i++) {
            byte[] digits = utf8(Integer.toString(i));
            System.arraycopy(digits, 0, name, 10, digits.length);

            JsonText.frame(name, 0, name.length, JsonLimits.FRAME);
        }

        Runtime runtime = Runtime.getRuntime();
        runtime.gc();
        assertThat(runtime.totalMemory() - runtime.freeMemory()).isLessThan(200L << 20);
    }

    /** Time of the processor, and the least of some: whatever else this machine does. */
    @Test
    void collidingNamesAreNoWayToHoldUpTheReader() throws IOException {
        byte[] colliding = manyNames("BB"); // has the same String.hashCode as Aa
        byte[] others = manyNames("Bb");
        long collidingMillis = Long.MAX_VALUE;
        long othersMillis = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            othersMillis = Math.min(othersMillis, millisToRead(others));
            collidingMillis = Math.min(collidingMillis, millisToRead(colliding));
        }

        // A list would need 500 million comparisons of 30 characters, about two seconds.
        assertThat(collidingMillis).isLessThan(4 * othersMillis + 300);
    }

    private static byte[] manyNames(String one) {
        StringBuilder many = new StringBuilder("{");
        for (int i = 0; i < 1 << 15; i++) {
            many.append(i == 0 ? "\"" : ",\"");
            for (int bit = 0; bit < 15; bit++) {
                many.append((i >> bit & 1) == 0 ? "Aa" : one);
            }
            many.append("\":0");
        }
        return utf8(many.append('}').toString());
    }

    private static long millisToRead(byte[] text) throws IOException {
        long start = ProcessorTime.millis();
        assertThat(verdict(text)).isEqualTo("OK");
        return ProcessorTime.millis() - start;
    }

    @Test
    void aValueKnowsItsKindItsBytesAndItsName() throws JsonException {
        JsonValue root = root(
                "{ \"a\\u0062\" : -1.50e+3 , \"s\":\"\\n\\u00e9%\",\"t\":true,\"n\":null,\"l\":[1,[2],{}] }");

        JsonValue number = root.member("ab").orElseThrow();

        assertThat(number.kind()).isEqualTo(JsonKind.NUMBER);
        assertThat(number.number()).isEqualTo("-1.50e+3");
        assertThat(number.name()).isEqualTo("ab");
        assertThat(number.nameStart()).isEqualTo(2);
        assertThat(number.start()).isEqualTo(14);
        assertThat(number.end()).isEqualTo(22);
        assertThat(root.member("s").orElseThrow().string()).isEqualTo("\n\u00e9%");
        assertThat(root.member("s").orElseThrow().isString("\n\u00e9%")).isTrue();
        assertThat(root.member("t").orElseThrow().truth()).isTrue();
        assertThat(root.member("n").orElseThrow().is(JsonKind.NULL)).isTrue();
        assertThat(root.member("n", JsonKind.STRING)).isEmpty();
        JsonValue list = root.member("l", JsonKind.ARRAY).orElseThrow();
        assertThat(list.size()).isEqualTo(3);
        assertThat(list.element(2).orElseThrow().toJson()).isEqualTo("{}");
        assertThat(list.element(3)).isEmpty();
        assertThat(list.element(-1)).isEmpty();
        assertThat(list.element(0).orElseThrow().isMember()).isFalse();
        assertThat(root.size()).isEqualTo(5);
    }

    @Test
    void namesAreFoundWhateverTheyHold() throws JsonException {
        JsonValue root = root(
                "{\"\":0,\"a\":1,\"ab\":2,\"a\\\"b\":3,\"\\u00e9\":4,\"e\u0301\":5,\"\\\\\":6,\"a\\u0000\":7}");

        List<String> names = List.of("", "a", "ab", "a\"b", "\u00e9", "e\u0301", "\\", "a\0");
        for (int i = 0; i < names.size(); i++) {
            assertThat(root.member(names.get(i)).orElseThrow().number())
                    .isEqualTo(Integer.toString(i));
        }
        for (String absent :
                List.of("b", "abc", "A", "a\"", "a\\", "\"", "\0", "e", "\u00e9\u00e9", "a\\\"b")) {
            assertThat(root.member(absent)).as(absent).isEmpty();
        }
    }

    @Test
    void askingForAnotherKindIsABugOfTheCaller() throws JsonException {
        JsonValue root = root("{\"a\":1}");

        assertThatThrownBy(root::string).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(root::name).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> root.element(0)).isInstanceOf(IllegalStateException.class);
        assertThat(root.member("a").orElseThrow().isString("1")).isFalse();
    }

    private static JsonValue root(String text) throws JsonException {
        return JsonText.value(utf8(text), JsonLimits.FRAME).root();
    }

    private static byte[] nested(int depth) {
        return utf8("{\"a\":" + "[".repeat(depth - 1) + "]".repeat(depth - 1) + "}");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String small(String text) {
        try {
            JsonText.value(utf8(text), SMALL);
            return "OK";
        } catch (JsonException e) {
            return e.fault().name();
        }
    }

    private static String verdict(byte[] text) {
        try {
            JsonText.frame(text, 0, text.length, JsonLimits.FRAME);
            return "OK";
        } catch (JsonException e) {
            return e.fault().name();
        }
    }

    static List<String> table() throws IOException {
        try (InputStream in = JsonTextTest.class.getResourceAsStream("json-texts.txt")) {
            String all =
                    new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return all.lines().filter(line -> !line.startsWith("#")).toList();
        }
    }

    static byte[] bytes(String escaped) {
        byte[] bytes = new byte[escaped.length()];
        int count = 0;
        for (int i = 0; i < escaped.length(); i++) {
            boolean hex = escaped.charAt(i) == '%';
            bytes[count++] = (byte)
                    (hex
                            ? Integer.parseInt(escaped.substring(i + 1, i + 3), 16)
                            : escaped.charAt(i));
            i += hex ? 2 : 0;
        }
        return java.util.Arrays.copyOf(bytes, count);
    }

    static Optional<JsonText> read(byte[] text) {
        try {
            return Optional.of(JsonText.frame(text, 0, text.length, JsonLimits.FRAME));
        } catch (JsonException e) {
            return Optional.empty();
        }
    }
}
