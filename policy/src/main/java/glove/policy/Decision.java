package glove.policy;

import java.util.List;
import java.util.Optional;

/** What a policy says of one call. Immutable. */
public sealed interface Decision {
    /**
     * The call may be made.
     *
     * @param rule the one that says so
     */
    record Allowed(ToolRule rule) implements Decision {}

    /**
     * The call may not be made. Both sentences are printable ASCII and repeat no value of an
     * argument, which may be a secret.
     *
     * @param reason what kind of denial it is
     * @param rule the one that came closest to allowing it; empty for an unknown tool
     * @param operatorSentence says which rule, and what it demands
     * @param hints for the operator: what to type or edit to allow it
     * @param modelSentence for whoever made the call: which argument, and what it must be in
     *     general words; never how to get around it
     */
    record Denied(
            Reason reason,
            Optional<ToolRule> rule,
            String operatorSentence,
            List<String> hints,
            String modelSentence)
            implements Decision {
        /** Copies the hints. */
        public Denied {
            hints = List.copyOf(hints);
        }
    }

    /** Kinds of denial. */
    enum Reason {
        /** No rule names the tool: it has to look as if there were none. */
        UNKNOWN_TOOL,
        /** An argument is not as demanded. */
        ARGUMENT,
        /** Too many calls. */
        RATE,
        /** Too large. */
        SIZE
    }

    /** Whether the call may be made. */
    default boolean isAllowed() {
        return this instanceof Allowed;
    }
}
