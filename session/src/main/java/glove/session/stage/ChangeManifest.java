package glove.session.stage;

import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonWriter;
import glove.wire.U64;

/**
 * What a session changed in a copy that was kept (sheet 65, 2), without the changes themselves:
 * there may be many. Immutable.
 *
 * @param origin whose copy of what
 * @param trees before and after
 * @param count how many changes
 * @param totals over the changes
 * @param digest over all of it
 */
public record ChangeManifest(Origin origin, Trees trees, int count, Totals totals, Digest digest) {
    /** How large one may be, as JSON. */
    public static final int BYTES_MAX = 16 << 20;

    /** How many changes, and entries of a tree. */
    static final int ENTRIES_MAX = 100_000;

    static final int SCHEMA_VERSION = 1;

    /**
     * Whose copy of what. Immutable.
     *
     * @param sessionId who changed it
     * @param exposureId what was exposed, under this name
     * @param generation of the name; u64, not 0
     * @param scopeDigest of the exposure
     * @param sourceIdentityDigest of what was copied
     */
    public record Origin(
            Id128 sessionId,
            Id128 exposureId,
            long generation,
            Digest scopeDigest,
            Digest sourceIdentityDigest) {}

    /**
     * The trees. Immutable.
     *
     * @param maxBytes quota of the copy; u64, not 0
     * @param directory otherwise one file
     * @param baseline digest of the tree as it was
     * @param staged digest of the tree as it is
     */
    public record Trees(long maxBytes, boolean directory, Digest baseline, Digest staged) {}

    /**
     * Sums over the changes, all u64. Immutable.
     *
     * @param beforeBytes of all files there were
     * @param afterBytes of all files there are
     */
    public record Totals(
            long created,
            long modified,
            long renamed,
            long removed,
            long beforeBytes,
            long afterBytes) {
        void write(JsonWriter out) {
            out.unsigned("created", created)
                    .unsigned("modified", modified)
                    .unsigned("renamed", renamed)
                    .unsigned("removed", removed)
                    .unsigned("before_bytes", beforeBytes)
                    .unsigned("after_bytes", afterBytes);
        }
    }

    void writeHead(JsonWriter out) {
        writeHead(out, origin, trees);
    }

    static void writeHead(JsonWriter out, Origin origin, Trees trees) {
        out.member("schema_version", SCHEMA_VERSION)
                .member("session_id", origin.sessionId.text())
                .member("exposure_id", origin.exposureId.text())
                .unsigned("generation", origin.generation)
                .member("scope_digest", origin.scopeDigest.hex())
                .member("source_identity_digest", origin.sourceIdentityDigest.hex())
                .unsigned("max_bytes", trees.maxBytes)
                .member("directory", trees.directory)
                .member("baseline_tree_digest", trees.baseline.hex())
                .member("staged_tree_digest", trees.staged.hex());
    }

    /** Whether an offset is not behind the last change. */
    boolean holds(long offset) {
        return U64.compare(offset, count) <= 0;
    }
}
