package glove.session;

/** Decides by the policy whether a plan is accepted. Called by any thread, several at once. */
public interface PlanCheck {
    /**
     * Checks a plan as it was sent.
     *
     * @param plan the bytes of its JSON value
     * @param nowMs milliseconds since 1970
     * @throws PlanRefusedException with the reason, for the daemon's own log
     */
    CanonicalPlan check(byte[] plan, long nowMs) throws PlanRefusedException;
}
