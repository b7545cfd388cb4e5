package glove.wire;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Seed;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/** {@link JsonText} and {@link StrictScanner} must say the same of everything. */
@Tag("unit")
final class JsonFuzzTest {
    private static final int ROUNDS = 40_000;

    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\\u",
            "\\ud83d",
            "\\ude00",
            "\\u0061",
            "0",
            "-",
            "1e5",
            ".",
            "e",
            "true",
            "null",
            " ",
            "\t",
            "\r",
            "\n",
            "/*",
            "//",
            "'",
            "\0",
            "\u00e9",
            "\ud83d\ude00",
            "\ufeff",
            "{\"a\":1}",
            "\"a\":",
            "NaN",
            "+",
            "00",
            "\u2028",
            "\u007f",
            "\u0001");

    private static final List<byte[]> BAD_BYTES = List.of(
            new byte[] {(byte) 0xc0, (byte) 0xaf},
            new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
            new byte[] {(byte) 0xff},
            new byte[] {(byte) 0x80},
            new byte[] {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
            new byte[] {(byte) 0xe2, (byte) 0x82});

    private final Random random = Seed.random(1);

    @Test
    void bothReadersAgreeOnMutatedTexts() throws IOException, JsonException {
        List<byte[]> seeds = new ArrayList<>();
        for (String line : JsonTextTest.table()) {
            seeds.add(JsonTextTest.bytes(line.substring(line.indexOf('\t') + 1)));
        }
        int taken = 0;

        for (int round = 0; round < ROUNDS; round++) {
            byte[] made = round % 2 == 0
                    ? seeds.get(random.nextInt(seeds.size()))
                    : ("{\"k\":" + value(0) + "}").getBytes(StandardCharsets.UTF_8);
            for (int i = random.nextInt(3); i > 0; i--) {
                made = mutated(made);
            }
            int n = round;
            byte[] text = made;
            Optional<JsonText> ours = JsonTextTest.read(text);
            Optional<Object> theirs = StrictScanner.frame(text);

            assertThat(ours.isPresent()).as(() -> about(n, text)).isEqualTo(theirs.isPresent());
            if (ours.isPresent()) {
                assertThat(same(ours.get().root(), theirs.orElseThrow()))
                        .as(() -> about(n, text))
                        .isTrue();
                taken++;
            }
        }

        // It is no test if one side of the question hardly comes up.
        assertThat(taken).isBetween(ROUNDS / 5, ROUNDS * 4 / 5);
    }

    private static String about(int round, byte[] text) {
        return Seed.words() + ", round " + round + ": " + Arrays.toString(text) + " "
                + new String(text, StandardCharsets.UTF_8);
    }

    /** Also that each slice alone is the same value, to both. */
    private static boolean same(JsonValue ours, Object theirs) throws JsonException {
        byte[] slice = ours.toBytes();
        JsonValue again = JsonText.value(slice, JsonLimits.FRAME).root();
        return tree(ours).equals(theirs)
                && tree(again).equals(theirs)
                && StrictScanner.value(slice).orElseThrow().equals(theirs)
                && children(ours, theirs);
    }

    private static boolean children(JsonValue ours, Object theirs) throws JsonException {
        boolean all = true;
        List<JsonValue> children = ours.children();
        for (int i = 0; i < children.size(); i++) {
            JsonValue child = children.get(i);
            if (theirs instanceof Map<?, ?> map) {
                JsonValue named = ours.member(child.name()).orElseThrow();
                all &= named.start() == child.start()
                        && same(child, Objects.requireNonNull(map.get(child.name())));
            } else {
                all &= ours.element(i).orElseThrow().start() == child.start()
                        && same(child, ((List<?>) theirs).get(i));
            }
        }
        return all;
    }

    private static Object tree(JsonValue value) {
        return switch (value.kind()) {
            case OBJECT -> {
                Map<String, Object> members = new java.util.LinkedHashMap<>();
                for (JsonValue child : value.children()) {
                    members.put(child.name(), tree(child));
                }
                yield members;
            }
            case ARRAY -> {
                List<Object> elements = new ArrayList<>();
                for (JsonValue child : value.children()) {
                    elements.add(tree(child));
                }
                yield elements;
            }
            case STRING -> value.string();
            case NUMBER -> new StrictScanner.Digits(value.number());
            case BOOLEAN -> value.truth();
            case NULL -> StrictScanner.NOTHING;
        };
    }

    private String value(int depth) {
        return switch (random.nextInt(depth > 4 ? 5 : 8)) {
            case 0 -> "null";
            case 1 -> random.nextBoolean() ? "true" : "false";
            case 2 -> number();
            case 3, 4 -> string();
            case 5 -> "[" + space() + "]";
            case 6 -> {
                StringBuilder all = new StringBuilder("[");
                for (int i = random.nextInt(4); i >= 0; i--) {
                    all.append(value(depth + 1)).append(space()).append(i > 0 ? "," : "");
                }
                yield all + "]";
            }
            default -> {
                StringBuilder all = new StringBuilder("{");
                for (int i = random.nextInt(4); i >= 0; i--) {
                    all.append(space()).append(string()).append(space()).append(':');
                    all.append(value(depth + 1)).append(i > 0 ? "," : "");
                }
                yield all + "}";
            }
        };
    }

    private String number() {
        String whole = random.nextBoolean() ? "0" : Long.toString(random.nextLong() >>> 1 | 1);
        String sign = random.nextInt(3) == 0 ? "-" : "";
        String fraction = random.nextInt(3) == 0 ? "." + random.nextInt(1000) : "";
        String exponent = random.nextInt(4) == 0
                ? "eE".charAt(random.nextInt(2)) + "-" + random.nextInt(500)
                : "";
        return sign + whole + fraction + exponent;
    }

    private String string() {
        StringBuilder text = new StringBuilder("\"");
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(
                    switch (random.nextInt(6)) {
                        case 0 -> "\\" + "\"\\/bfnrt".charAt(random.nextInt(8));
                        case 1 -> "\\u00" + "0aFf7".charAt(random.nextInt(5)) + "A";
                        case 2 -> "\\uD83D\\ude0" + random.nextInt(10);
                        case 3 -> Character.toString(0x80 + random.nextInt(0xd000));
                        case 4 -> "\ud83d\ude00";
                        default -> String.valueOf((char) ('a' + random.nextInt(4)));
                    });
        }
        return text.append('"').toString();
    }

    private String space() {
        return random.nextInt(4) == 0 ? String.valueOf(" \t\r\n".charAt(random.nextInt(4))) : "";
    }

    private byte[] mutated(byte[] text) {
        int at = random.nextInt(text.length + 1);
        int cut = Math.min(text.length - at, random.nextInt(3));
        byte[] put = new byte[0];
        switch (random.nextInt(5)) {
            case 0 -> put = BAD_BYTES.get(random.nextInt(BAD_BYTES.size()));
            case 1 -> put = new byte[] {(byte) random.nextInt(256)};
            case 2 -> {
                int from = random.nextInt(text.length + 1);
                put = Arrays.copyOfRange(
                        text, from, Math.min(text.length, from + random.nextInt(8)));
            }
            case 3 -> cut = 1 <= text.length - at ? 1 : 0;
            default ->
                put = PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.UTF_8);
        }
        byte[] result = new byte[text.length - cut + put.length];
        System.arraycopy(text, 0, result, 0, at);
        System.arraycopy(put, 0, result, at, put.length);
        System.arraycopy(text, at + cut, result, at + put.length, text.length - at - cut);
        return result;
    }
}
