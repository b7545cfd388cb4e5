package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.Set;

/** {@code max_len}: a string of at most so many characters, counted as Unicode code points. */
record LengthMax(int most) implements Constraint {
    @Override
    public boolean holds(JsonValue value) {
        if (!value.is(JsonKind.STRING)) {
            return false;
        }
        String text = value.string();
        return text.codePointCount(0, text.length()) <= most;
    }

    @Override
    public Set<JsonKind> kinds() {
        return Set.of(JsonKind.STRING);
    }

    @Override
    public String rule() {
        return "a string of at most " + most + " characters";
    }

    @Override
    public String advice() {
        return rule();
    }
}
