package glove.gateway;

import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * One text for all texts of the same value: without space, members in the order of their names,
 * numbers as they were sent. So a program that shuffles its members has not changed them.
 * Stateless.
 */
final class CanonicalJson {
    private CanonicalJson() {}

    /** Of a value, without some of its own members. */
    static String of(JsonValue value, Set<String> skipped) {
        JsonWriter writer = new JsonWriter();
        write(value, skipped, writer);
        return writer.toJson();
    }

    private static void write(JsonValue value, Set<String> skipped, JsonWriter writer) {
        switch (value.kind()) {
            case OBJECT -> {
                List<JsonValue> members = new ArrayList<>(value.children());
                members.sort(Comparator.comparing(JsonValue::name));
                writer.beginObject();
                for (JsonValue member : members) {
                    String name = member.name();
                    if (!skipped.contains(name)) {
                        writer.name(name);
                        write(member, Set.of(), writer);
                    }
                }
                writer.endObject();
            }
            case ARRAY -> {
                writer.beginArray();
                for (JsonValue element : value.children()) {
                    write(element, Set.of(), writer);
                }
                writer.endArray();
            }
            case STRING -> writer.value(value.string());
            case NUMBER, BOOLEAN, NULL -> writer.value(value);
        }
    }
}
