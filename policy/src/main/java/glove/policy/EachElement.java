package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.List;
import java.util.Set;

/** {@code each}: an array all of whose elements are as all of these demand. */
record EachElement(List<Constraint> constraints) implements Constraint {
    EachElement {
        constraints = List.copyOf(constraints);
    }

    @Override
    public boolean holds(JsonValue value) {
        if (!value.is(JsonKind.ARRAY)) {
            return false;
        }
        for (JsonValue element : value.children()) {
            for (Constraint constraint : constraints) {
                if (!constraint.holds(element)) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public Set<JsonKind> kinds() {
        return Set.of(JsonKind.ARRAY);
    }

    @Override
    public String rule() {
        StringBuilder all = new StringBuilder("an array, each of it ");
        for (int i = 0; i < constraints.size(); i++) {
            all.append(i == 0 ? "" : " and ").append(constraints.get(i).rule());
        }
        return all.toString();
    }

    @Override
    public String advice() {
        StringBuilder all = new StringBuilder("an array, each of it ");
        for (int i = 0; i < constraints.size(); i++) {
            all.append(i == 0 ? "" : " and ").append(constraints.get(i).advice());
        }
        return all.toString();
    }
}
