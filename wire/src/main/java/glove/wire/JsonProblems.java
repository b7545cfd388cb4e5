package glove.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * What was found to be wrong while a document was read. The reader goes on with stand-ins after a
 * problem, so nothing that was read may be used unless this is {@linkplain #isEmpty empty}.
 * Confined to one thread.
 */
public final class JsonProblems {
    private final int most;
    private final List<JsonProblem> found = new ArrayList<>();
    private int left;

    private JsonProblems(int most) {
        this.most = most;
    }

    /** Keeps the first one only: for peers, who get no list. */
    public static JsonProblems first() {
        return new JsonProblems(1);
    }

    /** Keeps so many, and counts the others: for people. */
    public static JsonProblems all(int most) {
        return new JsonProblems(most);
    }

    /** Adds one. */
    public void add(JsonProblem problem) {
        if (found.size() < most) {
            found.add(problem);
        } else {
            left++;
        }
    }

    /** Whether nothing is wrong. */
    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** How many were found, those that were not kept included. */
    public int count() {
        return found.size() + left;
    }

    /** Whether one that was kept is about that very place. */
    public boolean isAt(String pointer) {
        for (JsonProblem problem : found) {
            if (problem.pointer().equals(pointer)) {
                return true;
            }
        }
        return false;
    }

    /** Those that were kept, in the order they were found. */
    public List<JsonProblem> list() {
        return List.copyOf(found);
    }

    /** How many were found beyond those. */
    public int left() {
        return left;
    }

    /** The first in one line; empty when nothing is wrong. */
    public String firstInWords() {
        return found.isEmpty() ? "" : found.get(0).toString();
    }
}
