package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonPointer;
import glove.wire.JsonValue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which tools, with which arguments, how often and how large. Immutable. */
public final class ToolRule {
    /** For a size that is not bounded here. */
    static final int UNBOUNDED = Integer.MAX_VALUE;

    /**
     * Where a rule comes from.
     *
     * @param text names it in sentences, such as the option or the file and the place in it
     * @param isFile whether it is changed by editing a file
     */
    record Origin(String text, boolean isFile) {}

    /**
     * What the arguments must be.
     *
     * @param isClosed whether what no rule names is denied
     */
    record Arguments(List<ArgumentRule> rules, boolean isClosed) {
        /** Anything. */
        static final Arguments ANY = new Arguments(List.of(), false);

        Arguments {
            rules = List.copyOf(rules);
        }
    }

    /**
     * How much a call may be.
     *
     * @param argumentBytesMax of the arguments, as they were sent
     * @param resultBytesMax of the result, as it was sent
     */
    record Bounds(Optional<Rate> rate, int argumentBytesMax, int resultBytesMax) {
        static final Bounds NONE = new Bounds(Optional.empty(), UNBOUNDED, UNBOUNDED);
    }

    private final ToolPattern pattern;
    private final Origin origin;
    private final Arguments arguments;
    private final Bounds bounds;

    ToolRule(ToolPattern pattern, Origin origin, Arguments arguments, Bounds bounds) {
        this.pattern = pattern;
        this.origin = origin;
        this.arguments = arguments;
        this.bounds = bounds;
    }

    /** The tools it is about. */
    public ToolPattern pattern() {
        return pattern;
    }

    /** Names it in sentences: the option, or the file and the place in it. */
    public String origin() {
        return origin.text();
    }

    boolean isFromFile() {
        return origin.isFile();
    }

    Arguments arguments() {
        return arguments;
    }

    Bounds bounds() {
        return bounds;
    }

    /** Bytes a result may have as it was sent; the largest int when this rule does not bound it. */
    public int resultBytesMax() {
        return bounds.resultBytesMax();
    }

    /** Whether it lets every call of its tools through. */
    boolean isUnconditional() {
        return arguments.rules().isEmpty() && !arguments.isClosed() && bounds.equals(Bounds.NONE);
    }

    /** What the arguments, an object, break; and how many of the rules they kept before that. */
    record Look(int kept, Optional<ArgumentRule.Complaint> complaint) {}

    Look look(JsonValue given) {
        int kept = 0;
        for (ArgumentRule rule : arguments.rules()) {
            Optional<ArgumentRule.Complaint> complaint = rule.check(given);
            if (complaint.isPresent()) {
                return new Look(kept, complaint);
            }
            kept++;
        }
        return new Look(kept, arguments.isClosed() ? other(given) : Optional.empty());
    }

    /** The first value that is named by no rule, does not lie in one, nor on the way to one. */
    private Optional<ArgumentRule.Complaint> other(JsonValue given) {
        return other(given, new ArrayList<>());
    }

    private Optional<ArgumentRule.Complaint> other(JsonValue value, List<String> way) {
        boolean passes = way.isEmpty();
        for (ArgumentRule rule : arguments.rules()) {
            List<String> steps = rule.pointer().steps();
            int common = Math.min(steps.size(), way.size());
            if (steps.subList(0, common).equals(way.subList(0, common))) {
                if (steps.size() <= way.size()) {
                    return Optional.empty();
                }
                passes = true;
            }
        }
        boolean holdsValues = value.is(JsonKind.OBJECT) || value.is(JsonKind.ARRAY);
        if (!passes || !holdsValues) {
            StringBuilder pointer = new StringBuilder();
            for (String step : way) {
                pointer.append(JsonPointer.ofMember(step));
            }
            return Optional.of(new ArgumentRule.Complaint(
                    pointer.toString(), "is named by no rule", "is not allowed"));
        }
        int place = 0;
        for (JsonValue child : value.children()) {
            way.add(child.isMember() ? child.name() : Integer.toString(place));
            Optional<ArgumentRule.Complaint> complaint = other(child, way);
            if (complaint.isPresent()) {
                return complaint;
            }
            way.removeLast();
            place++;
        }
        return Optional.empty();
    }
}
