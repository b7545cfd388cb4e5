package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.List;
import java.util.Set;

/** {@code keys_only}: an object with no other members than these; each may be missing. */
record KeysOnly(List<String> keys) implements Constraint {
    KeysOnly {
        keys = List.copyOf(keys);
    }

    @Override
    public boolean holds(JsonValue value) {
        if (!value.is(JsonKind.OBJECT)) {
            return false;
        }
        for (JsonValue member : value.children()) {
            if (!keys.contains(member.name())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Set<JsonKind> kinds() {
        return Set.of(JsonKind.OBJECT);
    }

    @Override
    public String rule() {
        StringBuilder all = new StringBuilder("an object with no other keys than ");
        for (int i = 0; i < keys.size(); i++) {
            all.append(i == 0 ? "" : ", ").append(Shown.quoted(keys.get(i)));
        }
        return all.toString();
    }

    @Override
    public String advice() {
        return "an object without keys that are not allowed";
    }
}
