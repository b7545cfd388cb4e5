package glove.session;

import glove.wire.Digest;

/**
 * A plan that the policy accepts. Immutable.
 *
 * @param json in canonical form; at most 1 MiB of UTF-8
 * @param contentDigest SHA-256 of that
 * @param policyRevision of the policy that accepted it; u64, not 0
 * @param expiresAtMs milliseconds since 1970; u64, not 0
 */
public record CanonicalPlan(
        String json, Digest contentDigest, long policyRevision, long expiresAtMs) {
    /** A digest of something else is a bug: the record could not be read back. */
    public CanonicalPlan {
        if (!RecordChain.contentDigest(json).equals(contentDigest)) {
            throw new IllegalArgumentException("a plan with the digest of another");
        }
    }

    /** Of such a text. */
    public static CanonicalPlan of(String json, long policyRevision, long expiresAtMs) {
        return new CanonicalPlan(
                json, RecordChain.contentDigest(json), policyRevision, expiresAtMs);
    }
}
