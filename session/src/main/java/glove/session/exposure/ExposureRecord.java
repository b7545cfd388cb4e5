package glove.session.exposure;

import glove.policy.session.ExposureMode;
import glove.policy.session.HostPath;
import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.Id128;

import java.util.List;

/** A record of the exposure journal, of the right shape; whether it may stand is another matter. */
sealed interface ExposureRecord {
    /** Of the schema all records have. */
    int SCHEMA_VERSION = 1;

    /** What records of both kinds have. */
    Head head();

    /** The digest over all but {@link Head#recordHash}. */
    Digest hash();

    /** The same with that digest. */
    ExposureRecord hashed();

    /**
     * What records of both kinds have. Immutable.
     *
     * @param sequence from 1; u64
     * @param requestId the key of the request
     * @param requestDigest what was asked for under it
     * @param previousHash of the record before
     * @param recordHash of this one
     */
    record Head(
            long sequence,
            Id128 requestId,
            Digest requestDigest,
            Digest previousHash,
            Digest recordHash) {
        Head with(Digest hash) {
            return new Head(sequence, requestId, requestDigest, previousHash, hash);
        }
    }

    /**
     * What was exposed, as it is written: lists may be in any order. Immutable.
     *
     * @param source the identity of the file or directory
     * @param scopeDigest over it all, it says
     * @param expiresAtMs u64
     */
    record Described(
            ExposureKey key,
            Id128 rootId,
            Digest source,
            Digest scopeDigest,
            String label,
            List<ExposureMode> modes,
            long expiresAtMs,
            List<Id128> templates) {
        /** Copies the lists. */
        public Described {
            modes = List.copyOf(modes);
            templates = List.copyOf(templates);
        }
    }

    /** Something was exposed. */
    record Created(Head head, Described what, HostPath hostPath, Digest parentIdentity)
            implements ExposureRecord {
        static final String KIND = "create";

        @Override
        public Digest hash() {
            DigestWriter out = begin(head, KIND)
                    .u8(SCHEMA_VERSION)
                    .string(what.key.exposureId().text())
                    .u64(what.key.generation())
                    .string(what.rootId.text())
                    .digest(what.source)
                    .digest(what.scopeDigest)
                    .string(what.label)
                    .count(what.modes.size());
            for (ExposureMode mode : what.modes) {
                out.string(mode.access().word())
                        .string(mode.materialization().word())
                        .u64(mode.maxBytes())
                        .string(mode.cleanup().word());
            }
            out.u64(what.expiresAtMs).count(what.templates.size());
            what.templates.forEach(template -> out.string(template.text()));
            return out.string(ExposureState.ACTIVE.word())
                    .string(head.requestId.text())
                    .digest(head.requestDigest)
                    .string(hostPath.text())
                    .digest(parentIdentity)
                    .digest(head.previousHash)
                    .sha256();
        }

        @Override
        public Created hashed() {
            return new Created(head.with(hash()), what, hostPath, parentIdentity);
        }
    }

    /**
     * It was taken back.
     *
     * @param state what it is now
     * @param revokedAtMs u64
     */
    record Revoked(Head head, ExposureKey key, ExposureState state, long revokedAtMs)
            implements ExposureRecord {
        static final String KIND = "revoke";

        @Override
        public Digest hash() {
            return begin(head, KIND)
                    .string(head.requestId.text())
                    .digest(head.requestDigest)
                    .string(key.exposureId().text())
                    .u64(key.generation())
                    .string(state.word())
                    .u64(revokedAtMs)
                    .digest(head.previousHash)
                    .sha256();
        }

        @Override
        public Revoked hashed() {
            return new Revoked(head.with(hash()), key, state, revokedAtMs);
        }
    }

    private static DigestWriter begin(Head head, String kind) {
        return new DigestWriter("glove.path-exposure-journal-record")
                .u8(SCHEMA_VERSION)
                .u64(head.sequence)
                .string(kind);
    }
}
