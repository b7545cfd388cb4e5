package glove.session;

import glove.wire.Digest;
import glove.wire.Id128;

/**
 * Which start of which session is meant. Immutable.
 *
 * @param sessionId whose
 * @param controllerPlanDigest the controller's name of its plan
 * @param planContentDigest ours
 * @param authorizationId of the start
 * @param profileDigest of what is launched
 */
public record SessionIds(
        Id128 sessionId,
        Digest controllerPlanDigest,
        Digest planContentDigest,
        Id128 authorizationId,
        Digest profileDigest) {
    /** Whether it is the start a session was authorised for. */
    boolean isAuthorizedFor(SessionRecord session) {
        return session.plan().controllerPlanDigest().equals(controllerPlanDigest.hex())
                && session.plan().contentDigest().equals(planContentDigest.hex())
                && session.authorization().id().equals(authorizationId.text());
    }

    /** Whether it is what was launched, too. */
    boolean isOf(SessionRecord session) {
        return isAuthorizedFor(session) && session.profileDigest().equals(profileDigest.hex());
    }
}
