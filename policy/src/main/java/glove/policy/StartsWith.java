package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.List;
import java.util.Set;

/** {@code prefix}: a string that begins with one of these. The empty one means any string. */
record StartsWith(List<String> prefixes) implements Constraint {
    StartsWith {
        prefixes = List.copyOf(prefixes);
    }

    @Override
    public boolean holds(JsonValue value) {
        if (!value.is(JsonKind.STRING)) {
            return false;
        }
        String text = value.string();
        for (String prefix : prefixes) {
            if (text.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Set<JsonKind> kinds() {
        return Set.of(JsonKind.STRING);
    }

    @Override
    public String rule() {
        StringBuilder all = new StringBuilder("a string that begins with ");
        for (int i = 0; i < prefixes.size(); i++) {
            all.append(i == 0 ? "" : " or ").append(Shown.quoted(prefixes.get(i)));
        }
        return all.toString();
    }

    @Override
    public String advice() {
        return "a string that begins as is allowed";
    }
}
