package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The operator for types: one of these, of which {@code integer} is a number written as one. */
record TypeIs(List<String> types) implements Constraint {
    static final String INTEGER = "integer";

    /** In the words of JSON Schema. */
    static final List<String> NAMES =
            List.of("string", "number", INTEGER, "boolean", "object", "array", "null");

    TypeIs {
        types = List.copyOf(types);
    }

    /** The kind that is meant; empty for a word that is none. */
    static Optional<JsonKind> kind(String type) {
        return switch (type) {
            case "string" -> Optional.of(JsonKind.STRING);
            case "number", INTEGER -> Optional.of(JsonKind.NUMBER);
            case "boolean" -> Optional.of(JsonKind.BOOLEAN);
            case "object" -> Optional.of(JsonKind.OBJECT);
            case "array" -> Optional.of(JsonKind.ARRAY);
            case "null" -> Optional.of(JsonKind.NULL);
            default -> Optional.empty();
        };
    }

    @Override
    public boolean holds(JsonValue value) {
        for (String type : types) {
            boolean fits = type.equals(INTEGER)
                    ? Numbers.isInteger(value)
                    : kind(type).orElseThrow() == value.kind();
            if (fits) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Set<JsonKind> kinds() {
        Set<JsonKind> kinds = EnumSet.noneOf(JsonKind.class);
        for (String type : types) {
            kinds.add(kind(type).orElseThrow());
        }
        return kinds;
    }

    @Override
    public String rule() {
        return "of type " + String.join(" or ", types);
    }

    @Override
    public String advice() {
        return rule();
    }
}
