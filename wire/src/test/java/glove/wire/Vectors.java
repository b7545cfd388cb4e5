package glove.wire;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;

/** Files of facts that other implementations printed. Stateless. */
final class Vectors {
    private Vectors() {}

    /** Its cases. */
    static List<JsonValue> cases(String name) throws IOException, JsonException {
        try (InputStream in = Objects.requireNonNull(Vectors.class.getResourceAsStream(name))) {
            JsonText text = JsonText.value(in.readAllBytes(), JsonLimits.FRAME);
            List<JsonValue> cases = text.root().member("cases").orElseThrow().children();
            if (cases.isEmpty()) {
                throw new IllegalStateException("no cases in " + name);
            }
            return cases;
        }
    }

    static String string(JsonValue object, String name) {
        return object.member(name).orElseThrow().string();
    }
}
