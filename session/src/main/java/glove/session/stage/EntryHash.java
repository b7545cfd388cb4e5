package glove.session.stage;

import glove.wire.Digest;
import glove.wire.JsonWriter;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The digest of a tree (sheet 65, 1), while its entries come in, ordered by their whole paths: none
 * is kept. For one tree; confined to one thread.
 */
final class EntryHash {
    private static final byte[] BEGIN = bytes("[");
    private static final byte[] BETWEEN = bytes(",");
    private static final byte[] END = bytes("]");

    private final MessageDigest sha256 = sha256();
    private boolean begun;

    /** A file or directory in the tree; a directory has no digest and no bytes. Immutable. */
    record Entry(String path, String digest, long bytes, int mode, boolean directory) {
        byte[] json() {
            return JsonWriter.canonical()
                    .beginObject()
                    .member("path", path)
                    .member("content_digest", digest)
                    .unsigned("bytes", bytes)
                    .member("mode", mode)
                    .member("directory", directory)
                    .endObject()
                    .toBytes();
        }
    }

    /** The next one: behind those before it by {@link StagePath#compare}. */
    void add(Entry entry) {
        sha256.update(begun ? BETWEEN : BEGIN);
        begun = true;
        sha256.update(entry.json());
    }

    /** Of all that came; ends it. */
    Digest end() {
        if (!begun) {
            sha256.update(BEGIN);
        }
        sha256.update(END);
        return Digest.of(sha256.digest());
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
