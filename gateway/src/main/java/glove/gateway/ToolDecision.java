package glove.gateway;

/**
 * Whether a call may be made. Immutable.
 *
 * @param isAllowed whether it may
 * @param rule which said so; of a refusal the one that came closest, or empty
 * @param reason for the operator: why not, and how to allow it; empty when it may
 * @param advice for the model: what was wrong, in words that spell out no way around
 * @param resultBytesMax of what comes back
 */
public record ToolDecision(
        boolean isAllowed, String rule, String reason, String advice, long resultBytesMax) {
    /** It may. */
    public static ToolDecision allowed(String rule, long resultBytesMax) {
        return new ToolDecision(true, rule, "", "", resultBytesMax);
    }

    /** It may not. */
    public static ToolDecision denied(String rule, String reason, String advice) {
        return new ToolDecision(false, rule, reason, advice, 0);
    }
}
