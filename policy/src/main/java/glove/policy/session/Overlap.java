package glove.policy.session;

import glove.wire.AbsolutePath;
import glove.wire.JsonFields;
import glove.wire.JsonProblem;

import java.util.List;

/** Paths of a list of which none may lead into another. Stateless. */
final class Overlap {
    private Overlap() {}

    static void check(JsonFields fields, String name, List<AbsolutePath> paths) {
        for (int i = 1; i < paths.size(); i++) {
            int earlier = earlier(paths, i);
            if (earlier >= 0) {
                fields.problems()
                        .add(new JsonProblem(
                                fields.pointer() + "/" + name + "/" + i,
                                "overlaps entry " + earlier,
                                "keep the outer one"));
            }
        }
    }

    /** The first path before one that it overlaps; -1 when there is none, or it was no path. */
    private static int earlier(List<AbsolutePath> paths, int index) {
        AbsolutePath path = paths.get(index);
        for (int i = 0; i < index && !path.equals(AbsolutePath.CLASS.standIn()); i++) {
            if (path.overlaps(paths.get(i))) {
                return i;
            }
        }
        return -1;
    }
}
