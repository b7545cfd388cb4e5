package glove.session;

import glove.wire.Digest;
import glove.wire.Id128;

/**
 * For whom room was set aside in the receipt journal, before anything runs. Immutable.
 *
 * @param sessionId whose receipt
 * @param controllerPlanDigest of its plan
 * @param profileDigest of what is launched
 */
public record ReceiptReservation(
        Id128 sessionId, Digest controllerPlanDigest, Digest profileDigest) {
    boolean isFor(SessionIds ids) {
        return sessionId.equals(ids.sessionId())
                && controllerPlanDigest.equals(ids.controllerPlanDigest())
                && profileDigest.equals(ids.profileDigest());
    }
}
