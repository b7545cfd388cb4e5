package glove.session.exposure;

import glove.policy.session.ExposureScope;
import glove.policy.session.HostPath;
import glove.wire.Digest;

/**
 * An exposure as the journal has it. Immutable.
 *
 * @param scope what was exposed
 * @param scopeDigest of it
 * @param label what controllers see
 * @param hostPath where it was
 * @param parentIdentity digest of the identity of the directory it was in
 * @param state as it is stored: it may be over without a record that says so
 */
record HeldExposure(
        ExposureScope scope,
        Digest scopeDigest,
        String label,
        HostPath hostPath,
        Digest parentIdentity,
        ExposureState state) {
    HeldExposure ended(ExposureState end) {
        return new HeldExposure(scope, scopeDigest, label, hostPath, parentIdentity, end);
    }

    ExposureKey key() {
        return new ExposureKey(scope.exposureId(), scope.generation());
    }
}
