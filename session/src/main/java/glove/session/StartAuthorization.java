package glove.session;

import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.U64;

/**
 * That a session may start, for a short time. Immutable.
 *
 * @param authorizationId its name
 * @param sessionId whose start
 * @param controllerPlanDigest of the plan that was approved
 * @param planContentDigest of the same, by us
 * @param approvedAtMs milliseconds since 1970; u64
 * @param expiresAtMs u64
 */
public record StartAuthorization(
        Id128 authorizationId,
        Id128 sessionId,
        Digest controllerPlanDigest,
        Digest planContentDigest,
        long approvedAtMs,
        long expiresAtMs) {
    boolean isValid() {
        return approvedAtMs != 0
                && U64.isLess(approvedAtMs, expiresAtMs)
                && U64.compare(expiresAtMs - approvedAtMs, Authorization.LIFETIME_MS_MAX) <= 0;
    }

    /** Whether a time lies in it. */
    boolean holdsAt(long nowMs) {
        return !U64.isLess(nowMs, approvedAtMs) && U64.isLess(nowMs, expiresAtMs);
    }
}
