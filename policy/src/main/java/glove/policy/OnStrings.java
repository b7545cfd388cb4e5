package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.Set;

/** What an operator demands that is about strings alone. */
interface OnStrings extends Constraint {
    /** Whether a string is as demanded. */
    boolean allows(String text);

    @Override
    default boolean holds(JsonValue value) {
        return value.is(JsonKind.STRING) && allows(value.string());
    }

    @Override
    default Set<JsonKind> kinds() {
        return Set.of(JsonKind.STRING);
    }
}
