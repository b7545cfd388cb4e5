package glove.session;

/**
 * What a peer is told of a session. Immutable.
 *
 * @param sessionId ID128
 * @param controllerPlanDigest the controller's name of the plan
 * @param planContentDigest ours
 * @param state as of the answer; of a repeated request as of the first
 * @param policyRevision u64
 * @param expiresAtMs u64
 * @param createdAtMs u64
 * @param profileDigest of what was launched, or empty
 */
public record SessionView(
        String sessionId,
        String controllerPlanDigest,
        String planContentDigest,
        SessionState state,
        long policyRevision,
        long expiresAtMs,
        long createdAtMs,
        String profileDigest) {
    /** As it is. */
    public static SessionView of(SessionRecord session) {
        return of(session, session.state());
    }

    /** As it was when it was in that state. */
    static SessionView of(SessionRecord session, SessionState then) {
        AcceptedPlan plan = session.plan();
        return new SessionView(
                plan.sessionId(),
                plan.controllerPlanDigest(),
                plan.contentDigest(),
                then,
                plan.policyRevision(),
                plan.expiresAtMs(),
                plan.createdAtMs(),
                then.isFrom(SessionState.STARTING) ? session.profileDigest() : "");
    }
}
