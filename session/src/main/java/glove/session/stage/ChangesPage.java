package glove.session.stage;

import glove.wire.JsonWriter;

import java.util.List;

/**
 * Some of the changes of a manifest (sheet 20, 4.3). Immutable.
 *
 * @param manifest all of them
 * @param offset of the first, from 0; at most as many as there are
 * @param limit how many at most
 */
public record ChangesPage(ChangeManifest manifest, int offset, int limit) {
    /** Refuses places that are none. */
    public ChangesPage {
        if (offset < 0 || !manifest.holds(offset) || limit < 1) {
            throw new IllegalArgumentException(
                    "no page of " + manifest.changes().size());
        }
    }

    /** The changes on it. */
    public List<StagedChange> changes() {
        return manifest.changes().subList(offset, end());
    }

    private int end() {
        return (int) Math.min((long) offset + limit, manifest.changes().size());
    }

    /** Writes it as a value. */
    public void write(JsonWriter out) {
        out.beginObject();
        manifest.writeHead(out);
        out.member("manifest_digest", manifest.digest().hex());
        manifest.totals().write(out);
        out.member("total_changes", manifest.changes().size());
        if (end() < manifest.changes().size()) {
            out.member("next_offset", end());
        }
        out.name("changes").beginArray();
        changes().forEach(change -> change.write(out));
        out.endArray().endObject();
    }
}
