package glove.session;

/**
 * Whether what an accepted plan asks for can still be launched: programs, adoption, grants,
 * projections, by the policy of now. Called by any thread, several at once; touches nothing.
 */
public interface LaunchCheck {
    /** What may become of a plan. */
    enum Eligibility {
        /** It can be launched. */
        LAUNCHABLE,
        /** It would write to the host's files directly, which a start from afar never may. */
        WRITES_DIRECTLY
    }

    /**
     * Looks.
     *
     * @param plan of the session
     * @param nowMs milliseconds since 1970
     * @throws PlanRefusedException when it cannot be launched, with the reason
     */
    Eligibility check(AcceptedPlan plan, long nowMs) throws PlanRefusedException;
}
