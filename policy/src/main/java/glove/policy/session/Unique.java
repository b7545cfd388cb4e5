package glove.policy.session;

import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonProblem;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Lists in which nothing stands twice. Stateless. */
final class Unique {
    private Unique() {}

    /** Identifiers in the order they are written. */
    static List<Id128> ids(JsonFields fields, String name, int most) {
        List<Id128> ids = fields.values(name, most, Id128.CLASS);
        Set<Id128> seen = new HashSet<>();
        for (int i = 0; i < ids.size(); i++) {
            if (!seen.add(ids.get(i)) && !ids.get(i).equals(Id128.CLASS.standIn())) {
                fields.problems()
                        .add(new JsonProblem(
                                fields.pointer() + "/" + name + "/" + i,
                                "stands there before",
                                "keep one of them"));
            }
        }
        return ids;
    }
}
