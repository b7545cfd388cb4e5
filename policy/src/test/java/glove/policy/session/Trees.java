package glove.policy.session;

import glove.wire.JsonException;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.List;

/** What a JSON text says, whatever its order, space and escapes. Stateless. */
final class Trees {
    private Trees() {}

    /** Members sorted; those that are null are not there. */
    static String of(byte[] json) throws JsonException {
        return text(JsonText.value(json, JsonLimits.FILE).root(), false);
    }

    /** The same without what is read for a member that is missing. */
    static String withoutDefaults(byte[] json) throws JsonException {
        return text(JsonText.value(json, JsonLimits.FILE).root(), true);
    }

    private static String text(JsonValue value, boolean withoutDefaults) {
        if (value.is(JsonKind.STRING)) {
            JsonWriter out = new JsonWriter();
            return out.value(value.string()).toJson();
        }
        if (!value.is(JsonKind.OBJECT) && !value.is(JsonKind.ARRAY)) {
            return value.toJson();
        }
        boolean object = value.is(JsonKind.OBJECT);
        List<String> parts = new ArrayList<>();
        for (JsonValue child : value.children()) {
            String text = text(child, withoutDefaults);
            if (!object) {
                parts.add(text);
            } else if (!text.equals("null")
                    && !(withoutDefaults && isDefault(child.name(), text))) {
                parts.add(child.name() + "=" + text);
            }
        }
        if (object) {
            parts.sort(String::compareTo);
        }
        return (object ? "{" : "[") + String.join(", ", parts) + (object ? "}" : "]");
    }

    private static boolean isDefault(String name, String text) {
        return List.of("\"\"", "0", "false", "[]").contains(text)
                || (name.equals("port") && text.equals("443"));
    }
}
