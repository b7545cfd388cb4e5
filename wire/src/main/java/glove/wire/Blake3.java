package glove.wire;

/**
 * BLAKE3, with which a controller names its plans; Glove itself hashes with SHA-256. Stateless.
 */
public final class Blake3 {
    private Blake3() {}

    /** The first 32 bytes of the hash of some bytes. */
    public static Digest hash(byte[] bytes) {
        return Digest.of(org.apache.commons.codec.digest.Blake3.hash(bytes));
    }
}
