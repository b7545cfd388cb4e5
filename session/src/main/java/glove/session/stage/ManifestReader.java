package glove.session.stage;

import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.U64;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a manifest whole and keeps of its changes those of one page. Besides the text and its
 * index, 20 bytes for each value, nothing grows with what was written into it: about 45 MiB at
 * most. For one manifest; confined to one thread.
 */
final class ManifestReader {
    /** Eleven for each change, and those around them. */
    private static final int VALUES_MAX = 11 * ChangeManifest.ENTRIES_MAX + 64;

    private static final JsonLimits LIMITS =
            new JsonLimits(ChangeManifest.BYTES_MAX, 8, 40, 64, 64, VALUES_MAX);

    /** Until it is looked again whether somebody waits. */
    private static final int UNLOOKED_CHANGES = 256;

    private final byte[] json;
    private final ManifestBytes bytes;
    private final ChangesRequest asked;
    private final ChangedEntries changes;
    private final StillWanted wanted;
    private final JsonProblems problems = JsonProblems.first();
    private final Sums sums = new Sums();
    private final List<StagedChange> page = new ArrayList<>();
    private String last = "";
    private int count;
    private boolean givenUp;

    private ManifestReader(
            byte[] json, ChangesRequest asked, ChangedEntries changes, StillWanted wanted) {
        this.changes = changes;
        this.wanted = wanted;
        this.json = json;
        this.bytes = new ManifestBytes(json);
        this.asked = asked;
    }

    /** Sums over the changes, all u64. */
    private static final class Sums {
        private final Map<ChangeKind, Long> kinds = new EnumMap<>(ChangeKind.class);
        private long before;
        private long after;

        void add(StagedChange change) {
            kinds.merge(change.kind(), 1L, Long::sum);
            before += change.before().bytes();
            after += change.after().bytes();
        }

        ChangeManifest.Totals totals() {
            return new ChangeManifest.Totals(
                    kinds.getOrDefault(ChangeKind.CREATE, 0L),
                    kinds.getOrDefault(ChangeKind.MODIFY, 0L),
                    kinds.getOrDefault(ChangeKind.RENAME, 0L),
                    kinds.getOrDefault(ChangeKind.REMOVE, 0L),
                    before,
                    after);
        }
    }

    /**
     * Reads one; its bytes must be the very ones this would be written in.
     *
     * @param asked which changes are wanted of it
     * @param changes told of all of them
     * @param wanted asked once in a while
     */
    static ChangesPage read(
            byte[] json, ChangesRequest asked, ChangedEntries changes, StillWanted wanted)
            throws StageException {
        return new ManifestReader(json, asked, changes, wanted).page();
    }

    private ChangesPage page() throws StageException {
        ChangeManifest read;
        try {
            read = read(JsonFields.of(JsonText.value(json, LIMITS).root(), problems));
        } catch (JsonException e) {
            throw new StageException("the manifest is no JSON: " + e.getMessage());
        }
        StageException.unlessWanted(() -> !givenUp && wanted.isWanted());
        if (!problems.isEmpty()) {
            throw new StageException("the manifest is none: " + problems.firstInWords());
        }
        if (!bytes.end(read.totals(), read.digest())) {
            throw new StageException("the manifest is not written as one is");
        }
        if (!ManifestBytes.digest(json, read.digest()).equals(read.digest())) {
            throw new StageException("the manifest is not what its digest says");
        }
        if (!read.holds(asked.offset())) {
            throw new StageException("there are only " + read.count() + " changes");
        }
        return new ChangesPage(read, (int) asked.offset(), page);
    }

    private ChangeManifest read(JsonFields in) {
        int schema = in.u8("schema_version");
        if (schema != ChangeManifest.SCHEMA_VERSION) {
            in.problem("schema_version", "is " + schema, "use the build that wrote it");
        }
        ChangeManifest.Origin origin = new ChangeManifest.Origin(
                in.value("session_id", Id128.CLASS),
                in.value("exposure_id", Id128.CLASS),
                in.positiveU64("generation"),
                in.value("scope_digest", Digest.CLASS),
                in.value("source_identity_digest", Digest.CLASS));
        ChangeManifest.Trees trees = new ChangeManifest.Trees(
                in.positiveU64("max_bytes"),
                in.bool("directory"),
                in.value("baseline_tree_digest", Digest.CLASS),
                in.value("staged_tree_digest", Digest.CLASS));
        bytes.head(origin, trees);
        in.eachObject(
                "changes", ChangeManifest.ENTRIES_MAX, object -> take(object, trees.directory()));
        ChangeManifest.Totals totals = new ChangeManifest.Totals(
                in.u64("created"),
                in.u64("modified"),
                in.u64("renamed"),
                in.u64("removed"),
                in.u64("before_bytes"),
                in.u64("after_bytes"));
        if (!totals.equals(sums.totals())) {
            in.problem("created", "and what follows are other sums than the changes have", "");
        }
        Digest digest = in.value("manifest_digest", Digest.CLASS);
        in.end();
        return new ChangeManifest(origin, trees, count, totals, digest);
    }

    private void take(JsonFields object, boolean directory) {
        givenUp = givenUp || (count % UNLOOKED_CHANGES == 0 && !wanted.isWanted());
        if (givenUp) {
            return; // the whole is, soon
        }
        StagedChange change = StagedChange.read(object);
        boolean whole = change.path().equals(StagePath.WHOLE);
        if (whole == directory) {
            object.problem("path", "is not inside the tree", "");
        }
        if (count > 0 && StagePath.compare(last, change.path()) >= 0) {
            object.problem("path", "is out of order", "");
        }
        last = change.path();
        sums.add(change);
        if (U64.compare(count, asked.offset()) >= 0 && page.size() < asked.limit()) {
            page.add(change);
        }
        count++;
        if (problems.isEmpty()) {
            bytes.change(change); // others may not even be writable
            changes.add(change);
        }
    }
}
