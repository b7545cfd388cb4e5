package glove.session.stage;

import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonWriter;
import glove.wire.U64;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a session changed in a copy that was kept (sheet 65, 2). Immutable.
 *
 * @param origin whose copy of what
 * @param trees before and after
 * @param changes by path, each once
 * @param totals over the changes
 * @param digest over all of it
 */
public record ChangeManifest(
        Origin origin, Trees trees, List<StagedChange> changes, Totals totals, Digest digest) {
    /** How large one may be, as JSON. */
    public static final int BYTES_MAX = 16 << 20;

    /** How many changes, and entries of a tree. */
    static final int ENTRIES_MAX = 100_000;

    private static final int SCHEMA_VERSION = 1;
    private static final int VALUES_MAX = 1 << 21;
    private static final JsonLimits LIMITS = new JsonLimits(BYTES_MAX, 8, 40, 64, 64, VALUES_MAX);

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
        static Totals of(List<StagedChange> changes) {
            long before = 0;
            long after = 0;
            for (StagedChange change : changes) {
                before += change.before().bytes();
                after += change.after().bytes();
            }
            return new Totals(
                    count(changes, ChangeKind.CREATE),
                    count(changes, ChangeKind.MODIFY),
                    count(changes, ChangeKind.RENAME),
                    count(changes, ChangeKind.REMOVE),
                    before,
                    after);
        }

        private static long count(List<StagedChange> changes, ChangeKind kind) {
            return changes.stream().filter(change -> change.kind() == kind).count();
        }

        void write(JsonWriter out) {
            out.unsigned("created", created)
                    .unsigned("modified", modified)
                    .unsigned("renamed", renamed)
                    .unsigned("removed", removed)
                    .unsigned("before_bytes", beforeBytes)
                    .unsigned("after_bytes", afterBytes);
        }
    }

    /** Copies the list. */
    public ChangeManifest {
        changes = List.copyOf(changes);
    }

    /** Reads one; its bytes must be the very ones this would be written in. */
    static ChangeManifest decode(byte[] json) throws StageException {
        JsonProblems problems = JsonProblems.first();
        ChangeManifest read;
        try {
            read = read(JsonFields.of(JsonText.value(json, LIMITS).root(), problems));
        } catch (JsonException e) {
            throw new StageException("the manifest is no JSON: " + e.getMessage());
        }
        if (!problems.isEmpty()) {
            throw new StageException("the manifest is none: " + problems.firstInWords());
        }
        if (!Arrays.equals(read.encode(), json)) {
            throw new StageException("the manifest is not written as one is");
        }
        if (!read.computedDigest().equals(read.digest)) {
            throw new StageException("the manifest is not what its digest says");
        }
        return read;
    }

    private static ChangeManifest read(JsonFields in) {
        int schema = in.u8("schema_version");
        if (schema != SCHEMA_VERSION) {
            in.problem("schema_version", "is " + schema, "use the build that wrote it");
        }
        Origin origin = new Origin(
                in.value("session_id", Id128.CLASS),
                in.value("exposure_id", Id128.CLASS),
                in.positiveU64("generation"),
                in.value("scope_digest", Digest.CLASS),
                in.value("source_identity_digest", Digest.CLASS));
        Trees trees = new Trees(
                in.positiveU64("max_bytes"),
                in.bool("directory"),
                in.value("baseline_tree_digest", Digest.CLASS),
                in.value("staged_tree_digest", Digest.CLASS));
        List<StagedChange> changes = new ArrayList<>();
        for (JsonFields object : in.objects("changes", ENTRIES_MAX)) {
            StagedChange change = StagedChange.read(object);
            boolean whole = change.path().equals(StagePath.WHOLE);
            if (whole == trees.directory) {
                object.problem("path", "is not inside the tree", "");
            }
            if (!changes.isEmpty()
                    && StagePath.compare(changes.get(changes.size() - 1).path(), change.path())
                            >= 0) {
                object.problem("path", "is out of order", "");
            }
            changes.add(change);
        }
        Totals totals = new Totals(
                in.u64("created"),
                in.u64("modified"),
                in.u64("renamed"),
                in.u64("removed"),
                in.u64("before_bytes"),
                in.u64("after_bytes"));
        if (!totals.equals(Totals.of(changes))) {
            in.problem("created", "and what follows are other sums than the changes have", "");
        }
        Digest digest = in.value("manifest_digest", Digest.CLASS);
        in.end();
        return new ChangeManifest(origin, trees, changes, totals, digest);
    }

    /** As it is stored. */
    byte[] encode() {
        JsonWriter out = body();
        return out.member("manifest_digest", digest.hex()).endObject().toBytes();
    }

    private Digest computedDigest() {
        return Digest.sha256(body().endObject().toBytes());
    }

    /** All but the digest, and not ended. */
    private JsonWriter body() {
        JsonWriter out = JsonWriter.canonical().beginObject();
        writeHead(out);
        out.name("changes").beginArray();
        changes.forEach(change -> change.write(out));
        out.endArray();
        totals.write(out);
        return out;
    }

    void writeHead(JsonWriter out) {
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
        return U64.compare(offset, changes.size()) <= 0;
    }
}
