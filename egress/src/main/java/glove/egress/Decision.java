package glove.egress;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Whether a connection may be made: allowed by a rule, or refused with a sentence for people and,
 * where there is one, the option that would allow it. Immutable.
 */
public final class Decision {
    private final @Nullable EgressRule rule; // null when refused
    private final String reason;
    private final String remedy;

    private Decision(@Nullable EgressRule rule, String reason, String remedy) {
        this.rule = rule;
        this.reason = reason;
        this.remedy = remedy;
    }

    static Decision allowed(EgressRule rule) {
        return new Decision(rule, "", "");
    }

    /**
     * A refusal.
     *
     * @param remedy the option with its value; empty when there is none
     */
    static Decision refused(String reason, String remedy) {
        return new Decision(null, reason, remedy);
    }

    public boolean isAllowed() {
        return rule != null;
    }

    /** The rule that allows it; a bug for a refusal. */
    public EgressRule rule() {
        return Objects.requireNonNull(rule, "a refusal has no rule");
    }

    /** Why it is refused, as a sentence without a full stop; empty when it is allowed. */
    public String reason() {
        return reason;
    }

    /** The option that would allow it, to be typed as it stands; empty when there is none. */
    public String remedy() {
        return remedy;
    }

    /** The reason and the remedy in one line. */
    public String sentence() {
        return remedy.isEmpty() ? reason : reason + "; to allow it: " + remedy;
    }

    @Override
    public String toString() {
        return rule != null ? "allowed by " + rule.origin() : sentence();
    }
}
