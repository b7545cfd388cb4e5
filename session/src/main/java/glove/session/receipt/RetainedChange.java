package glove.session.receipt;

import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;
import glove.wire.U64;

import java.util.List;

/**
 * What a session changed in its copy of an exposed directory, which is kept until somebody decides
 * on it. Immutable.
 *
 * @param exposureId of the exposure
 * @param generation of it; u64, not 0
 * @param trees which directory and which contents
 * @param counts how much changed
 */
public record RetainedChange(Id128 exposureId, long generation, Trees trees, Counts counts) {
    static final int MOST = 64;
    static final long ENTRIES_MOST = 100_000;

    /**
     * Digests. Immutable.
     *
     * @param scope of what was exposed
     * @param sourceIdentity of the directory on the host
     * @param baseline of its contents when the session began
     * @param staged of the copy when it ended
     * @param manifest of the list of changes
     */
    public record Trees(
            Digest scope, Digest sourceIdentity, Digest baseline, Digest staged, Digest manifest) {}

    /**
     * Numbers, all u64. Immutable.
     *
     * @param created entries
     * @param modified entries
     * @param renamed entries
     * @param removed entries
     * @param beforeBytes of the entries concerned, before
     * @param afterBytes of them, afterwards
     */
    public record Counts(
            long created,
            long modified,
            long renamed,
            long removed,
            long beforeBytes,
            long afterBytes) {
        private boolean isValid(long bytesMost) {
            long sum = 0;
            for (long count : new long[] {created, modified, renamed, removed}) {
                if (U64.isLess(ENTRIES_MOST, count)) {
                    return false;
                }
                sum += count; // of four small numbers
            }
            return sum <= ENTRIES_MOST
                    && !U64.isLess(bytesMost, beforeBytes)
                    && !U64.isLess(bytesMost, afterBytes);
        }
    }

    static RetainedChange read(JsonFields fields) {
        RetainedChange read = new RetainedChange(
                fields.value("exposure_id", Id128.CLASS),
                fields.positiveU64("generation"),
                new Trees(
                        fields.value("scope_digest", Digest.CLASS),
                        fields.value("source_identity_digest", Digest.CLASS),
                        fields.value("baseline_tree_digest", Digest.CLASS),
                        fields.value("staged_tree_digest", Digest.CLASS),
                        fields.value("manifest_digest", Digest.CLASS)),
                new Counts(
                        fields.u64("created"),
                        fields.u64("modified"),
                        fields.u64("renamed"),
                        fields.u64("removed"),
                        fields.u64("before_bytes"),
                        fields.u64("after_bytes")));
        fields.end();
        return read;
    }

    /**
     * Whether some may stand together in a receipt: sorted, each within its bounds.
     *
     * @param bytesMost the limit of the disk; u64
     */
    static boolean areValid(List<RetainedChange> all, long bytesMost) {
        boolean valid = all.size() <= MOST;
        for (int i = 0; valid && i < all.size(); i++) {
            RetainedChange one = all.get(i);
            valid = one.generation != 0
                    && one.counts.isValid(bytesMost)
                    && (i == 0 || all.get(i - 1).exposureId.compareTo(one.exposureId) < 0);
        }
        return valid;
    }

    void write(JsonWriter out) {
        out.beginObject()
                .member("exposure_id", exposureId.text())
                .unsigned("generation", generation)
                .member("scope_digest", trees.scope.hex())
                .member("source_identity_digest", trees.sourceIdentity.hex())
                .member("baseline_tree_digest", trees.baseline.hex())
                .member("staged_tree_digest", trees.staged.hex())
                .member("manifest_digest", trees.manifest.hex())
                .unsigned("created", counts.created)
                .unsigned("modified", counts.modified)
                .unsigned("renamed", counts.renamed)
                .unsigned("removed", counts.removed)
                .unsigned("before_bytes", counts.beforeBytes)
                .unsigned("after_bytes", counts.afterBytes)
                .endObject();
    }

    void write(DigestWriter out) {
        out.string(exposureId.text())
                .u64(generation)
                .digest(trees.scope)
                .digest(trees.sourceIdentity)
                .digest(trees.baseline)
                .digest(trees.staged)
                .digest(trees.manifest)
                .u64(counts.created)
                .u64(counts.modified)
                .u64(counts.renamed)
                .u64(counts.removed)
                .u64(counts.beforeBytes)
                .u64(counts.afterBytes);
    }
}
