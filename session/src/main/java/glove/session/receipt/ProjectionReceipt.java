package glove.session.receipt;

import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;

import java.util.List;

/**
 * A bundle of a library that was shown in a session. Immutable.
 *
 * @param projectionId its name in the plan
 * @param destinationAlias where, as the policy names places
 * @param targetPath where inside; its last name is the digest with {@code .json}
 * @param contentDigest SHA-256 of the bundle
 */
public record ProjectionReceipt(
        Id128 projectionId, Id128 destinationAlias, AbsolutePath targetPath, Digest contentDigest) {
    static final int MOST = 128;

    static ProjectionReceipt read(JsonFields fields) {
        ProjectionReceipt read = new ProjectionReceipt(
                fields.value("projection_id", Id128.CLASS),
                fields.value("destination_alias", Id128.CLASS),
                fields.value("target_path", AbsolutePath.CLASS),
                fields.value("content_digest", Digest.CLASS));
        fields.end();
        return read;
    }

    /** Whether some may stand together in a receipt: sorted, each in a place of its own. */
    static boolean areValid(List<ProjectionReceipt> all) {
        if (all.size() > MOST) {
            return false;
        }
        for (int i = 0; i < all.size(); i++) {
            ProjectionReceipt one = all.get(i);
            boolean named = one.targetPath.text().endsWith("/" + one.contentDigest.hex() + ".json");
            if (!named || (i > 0 && all.get(i - 1).projectionId.compareTo(one.projectionId) >= 0)) {
                return false;
            }
            for (ProjectionReceipt earlier : all.subList(0, i)) {
                if (earlier.targetPath.overlaps(one.targetPath)) {
                    return false;
                }
            }
        }
        return true;
    }

    void write(JsonWriter out) {
        out.beginObject()
                .member("projection_id", projectionId.text())
                .member("destination_alias", destinationAlias.text())
                .member("target_path", targetPath.text())
                .member("content_digest", contentDigest.hex())
                .endObject();
    }

    void write(DigestWriter out) {
        out.string(projectionId.text())
                .string(destinationAlias.text())
                .string(targetPath.text())
                .digest(contentDigest);
    }
}
