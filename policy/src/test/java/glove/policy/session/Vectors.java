package glove.policy.session;

import glove.wire.JsonException;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** Files of facts that other implementations printed. Stateless. */
final class Vectors {
    private static final int BYTES_MAX = 4 << 20;

    private Vectors() {}

    static JsonValue file(String name) throws IOException, JsonException {
        try (InputStream in = Objects.requireNonNull(Vectors.class.getResourceAsStream(name))) {
            JsonLimits limits = JsonLimits.FILE.withBytesMax(BYTES_MAX);
            return JsonText.value(in.readAllBytes(), limits).root();
        }
    }

    static List<JsonValue> cases(String name) throws IOException, JsonException {
        List<JsonValue> cases = file(name).member("cases").orElseThrow().children();
        if (cases.isEmpty()) {
            throw new IllegalStateException("no cases in " + name);
        }
        return cases;
    }

    static String string(JsonValue object, String name) {
        return object.member(name).orElseThrow().string();
    }

    static long number(JsonValue object, String name) {
        return Long.parseUnsignedLong(object.member(name).orElseThrow().number());
    }

    static boolean isAccepted(JsonValue one) {
        return one.member("accepted").orElseThrow().truth();
    }

    /** A text of a case, which some give as bytes in hexadecimal digits. */
    static byte[] text(JsonValue one, String name) {
        return one.member(name + "_text", JsonKind.STRING)
                .map(value -> value.string().getBytes(StandardCharsets.UTF_8))
                .orElseGet(() -> HexFormat.of().parseHex(string(one, name + "_hex")));
    }
}
