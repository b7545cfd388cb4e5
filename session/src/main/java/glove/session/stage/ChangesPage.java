package glove.session.stage;

import glove.wire.JsonWriter;

import java.util.List;

/**
 * Some of the changes of a manifest (sheet 20, 4.3). Immutable.
 *
 * @param manifest of all of them
 * @param offset of the first, from 0; at most as many as there are
 * @param changes those on it
 */
public record ChangesPage(ChangeManifest manifest, int offset, List<StagedChange> changes) {
    /** Copies the list, and refuses places that are none. */
    public ChangesPage {
        changes = List.copyOf(changes);
        if (offset < 0 || (long) offset + changes.size() > manifest.count()) {
            throw new IllegalArgumentException("no page of " + manifest.count());
        }
    }

    /** Writes it as a value. */
    public void write(JsonWriter out) {
        out.beginObject();
        manifest.writeHead(out);
        out.member("manifest_digest", manifest.digest().hex());
        manifest.totals().write(out);
        out.member("total_changes", manifest.count());
        if (offset + changes.size() < manifest.count()) {
            out.member("next_offset", offset + changes.size());
        }
        out.name("changes").beginArray();
        changes.forEach(change -> change.write(out));
        out.endArray().endObject();
    }
}
