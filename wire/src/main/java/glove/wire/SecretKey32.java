package glove.wire;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret of 32 bytes: key of an HMAC, or what a peer must show. It is never printed. Immutable;
 * the bytes are copied in, and handed out to nobody.
 */
public final class SecretKey32 {
    private static final String HMAC = "HmacSHA256";

    private final byte[] bytes;

    private SecretKey32(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Of exactly 32 bytes. */
    public static SecretKey32 of(byte[] bytes) {
        if (bytes.length != Digest.BYTES) {
            throw new IllegalArgumentException("a key of " + bytes.length + " bytes, not 32");
        }
        return new SecretKey32(bytes.clone());
    }

    /** Of 64 lower-case hexadecimal digits; empty when the text is something else. */
    public static Optional<SecretKey32> parse(String hex) {
        return Digest.is(hex)
                ? Optional.of(new SecretKey32(HexFormat.of().parseHex(hex)))
                : Optional.empty();
    }

    /** Whether both are the same, in a time that does not tell where they differ. */
    public boolean isSame(SecretKey32 other) {
        return MessageDigest.isEqual(bytes, other.bytes);
    }

    /** The first bytes of an array, authenticated (RFC 2104). */
    Digest hmacSha256(byte[] data, int length) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(bytes, HMAC));
            mac.update(data, 0, length);
            return Digest.of(mac.doFinal());
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    /** The name of the key, which may be shown: a digest of it for some purpose. */
    public Digest id(String domain) {
        return new DigestWriter(domain).u8(1).bytes(bytes).sha256();
    }

    /** Not the secret. */
    @Override
    public String toString() {
        return "a secret of 32 bytes";
    }
}
