package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.Set;

/** {@code max_items}: an array of at most so many elements. */
record ItemsMax(int most) implements Constraint {
    @Override
    public boolean holds(JsonValue value) {
        return value.is(JsonKind.ARRAY) && value.size() <= most;
    }

    @Override
    public Set<JsonKind> kinds() {
        return Set.of(JsonKind.ARRAY);
    }

    @Override
    public String rule() {
        return "an array of at most " + most + " elements";
    }

    @Override
    public String advice() {
        return rule();
    }
}
