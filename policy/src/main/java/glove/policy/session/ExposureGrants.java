package glove.policy.session;

import glove.wire.Id128;

import java.util.Optional;

/** Knows what the owner has exposed. */
public interface ExposureGrants {
    /** Where nothing is ever exposed. */
    ExposureGrants NONE = (grant, terms, template, nowMs) -> Optional.of("is of no exposure here");

    /**
     * Why a grant is not covered by its exposure; empty when it is.
     *
     * @param template that wants it
     * @param nowMs milliseconds since 1970
     */
    Optional<String> refusal(
            PathGrant.Exposed grant, PathGrant.Terms terms, Id128 template, long nowMs);
}
