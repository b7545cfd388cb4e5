package glove.policy.session;

import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;

/**
 * A bundle of a library, shown in a session. Immutable.
 *
 * @param projectionId its name in the plan
 * @param contentDigest SHA-256 of the bundle
 * @param destinationAlias where, as the policy names places
 */
public record LibraryProjection(Id128 projectionId, Digest contentDigest, Id128 destinationAlias) {
    /** Reads an object that has these members and no other. */
    static LibraryProjection read(JsonFields fields) {
        LibraryProjection read = new LibraryProjection(
                fields.value("projection_id", Id128.CLASS),
                fields.value("content_digest", Digest.CLASS),
                fields.value("destination_alias", Id128.CLASS));
        fields.end();
        return read;
    }

    /** Writes it as a value. */
    void write(JsonWriter out) {
        out.beginObject()
                .member("projection_id", projectionId.text())
                .member("content_digest", contentDigest.hex())
                .member("destination_alias", destinationAlias.text())
                .endObject();
    }

    /** Adds it to what a digest covers. */
    void write(DigestWriter out) {
        out.string(projectionId.text()).digest(contentDigest).string(destinationAlias.text());
    }
}
