package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** {@code equals} and {@code in}: one of these values, as {@link SameValue} has it. */
record OneOf(List<JsonValue> values) implements Constraint {
    private static final int SHOWN_MAX = 5;

    OneOf {
        values = List.copyOf(values);
    }

    @Override
    public boolean holds(JsonValue value) {
        for (JsonValue allowed : values) {
            if (SameValue.test(allowed, value)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Set<JsonKind> kinds() {
        Set<JsonKind> kinds = EnumSet.noneOf(JsonKind.class);
        for (JsonValue value : values) {
            kinds.add(value.kind());
        }
        return kinds;
    }

    @Override
    public String rule() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            if (i == SHOWN_MAX) {
                return all.append(" or ")
                        .append(values.size() - i)
                        .append(" more")
                        .toString();
            }
            all.append(i == 0 ? "" : " or ").append(Shown.quoted(values.get(i).toJson()));
        }
        return all.toString();
    }

    @Override
    public String advice() {
        return "one of the values that are allowed";
    }
}
