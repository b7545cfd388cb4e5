package glove.policy;

import glove.wire.JsonPointer;
import glove.wire.JsonValue;

import java.util.List;
import java.util.Optional;

/**
 * What a rule says of one argument: whether it has to be there, and what it must be if it is: all
 * of the constraints. Immutable.
 */
record ArgumentRule(JsonPointer pointer, Presence presence, List<Constraint> constraints) {
    /** Whether the argument is there. */
    enum Presence {
        REQUIRED,
        OPTIONAL,
        ABSENT
    }

    /**
     * Why an argument is not as a rule demands.
     *
     * @param argument its pointer
     * @param rule for the operator
     * @param advice for the model
     */
    record Complaint(String argument, String rule, String advice) {}

    ArgumentRule {
        constraints = List.copyOf(constraints);
    }

    /** Looks at all arguments of a call; empty when there is nothing to complain about. */
    Optional<Complaint> check(JsonValue arguments) {
        if (hasLookalike(arguments)) {
            return complaint(
                    "must be spelt exactly, and is there in other letter case",
                    "must be spelt exactly so, in the same letter case");
        }
        Optional<JsonValue> found = pointer.find(arguments);
        if (found.isEmpty()) {
            return presence == Presence.REQUIRED
                    ? complaint("is missing", "is required")
                    : Optional.empty();
        }
        if (presence == Presence.ABSENT) {
            return complaint("must be absent", "is not allowed");
        }
        for (Constraint constraint : constraints) {
            if (!constraint.holds(found.get())) {
                return complaint("must be " + constraint.rule(), "must be " + constraint.advice());
            }
        }
        return Optional.empty();
    }

    /** Readers that ignore case would take another member for the one that was looked at. */
    private boolean hasLookalike(JsonValue arguments) {
        Optional<JsonValue> at = Optional.of(arguments);
        for (String step : pointer.steps()) {
            if (at.isEmpty()) {
                return false;
            }
            if (at.get().hasLookalike(step)) {
                return true;
            }
            at = JsonPointer.ofMember(step).find(at.get());
        }
        return false;
    }

    private Optional<Complaint> complaint(String rule, String advice) {
        return Optional.of(new Complaint(pointer.toString(), rule, advice));
    }
}
