package glove.session.stage;

import glove.wire.Digest;
import glove.wire.JsonWriter;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Whether the bytes of a manifest are the very ones it would be written in: compared change by
 * change, so that it is never written whole. Confined to one thread.
 */
final class ManifestBytes {
    private final byte[] json;
    private int at;
    private boolean same = true;
    private boolean begun;

    ManifestBytes(byte[] json) {
        this.json = json;
    }

    /** What stands before the changes. */
    void head(ChangeManifest.Origin origin, ChangeManifest.Trees trees) {
        JsonWriter out = JsonWriter.canonical().beginObject();
        ChangeManifest.writeHead(out, origin, trees);
        byte[] head = out.name("changes").beginArray().endArray().endObject().toBytes();
        expect(head, 0, head.length - 2); // without what ends the two
    }

    void change(StagedChange change) {
        if (begun) {
            expect(new byte[] {','}, 0, 1);
        }
        begun = true;
        JsonWriter out = JsonWriter.canonical();
        change.write(out);
        byte[] bytes = out.toBytes();
        expect(bytes, 0, bytes.length);
    }

    /** What stands behind the changes; whether all was as it would be written. */
    boolean end(ChangeManifest.Totals totals, Digest digest) {
        expect(new byte[] {']', ','}, 0, 2);
        JsonWriter out = JsonWriter.canonical().beginObject();
        totals.write(out);
        byte[] last = out.member("manifest_digest", digest.hex()).endObject().toBytes();
        expect(last, 1, last.length); // without its bracket
        return same && at == json.length;
    }

    /** The digest of a manifest whose bytes are as they should be: over all but itself. */
    static Digest digest(byte[] json, Digest written) {
        String last = ",\"manifest_digest\":\"" + written.hex() + "\"}";
        MessageDigest sha256 = EntryHash.sha256();
        sha256.update(json, 0, json.length - last.length());
        return Digest.of(sha256.digest("}".getBytes(StandardCharsets.US_ASCII)));
    }

    private void expect(byte[] bytes, int from, int to) {
        int end = at + to - from;
        same = same && end <= json.length && Arrays.equals(json, at, end, bytes, from, to);
        at = end;
    }
}
