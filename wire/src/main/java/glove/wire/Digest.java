package glove.wire;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A digest of 32 bytes as formats write it: 64 lower-case hexadecimal digits. Immutable.
 *
 * @param hex those digits
 */
public record Digest(String hex) {
    /** How many bytes it stands for. */
    public static final int BYTES = 32;

    /** All zeros: what stands before the first link of a chain. */
    public static final Digest ZERO = new Digest("0".repeat(2 * BYTES));

    /** How formats write it. */
    public static final ValueClass<Digest> CLASS = new ValueClass<>() {
        @Override
        public Optional<Digest> parse(String text) {
            return is(text) ? Optional.of(new Digest(text)) : Optional.empty();
        }

        @Override
        public String words() {
            return "64 lower-case hexadecimal digits";
        }

        @Override
        public Digest standIn() {
            return ZERO;
        }
    };

    /** Refuses what is none: bytes from outside come through {@link #CLASS}. */
    public Digest {
        if (!is(hex)) {
            throw new IllegalArgumentException("no digest: " + Ascii.shown(hex, 2 * BYTES));
        }
    }

    /** Whether a text is one. */
    public static boolean is(String text) {
        if (text.length() != 2 * BYTES) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    /** Of 32 bytes. */
    public static Digest of(byte[] bytes) {
        return new Digest(HexFormat.of().formatHex(bytes));
    }

    /** SHA-256 of some bytes. */
    public static Digest sha256(byte[] bytes) {
        return sha256(bytes, bytes.length);
    }

    /** SHA-256 of the first bytes of an array. */
    static Digest sha256(byte[] bytes, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, 0, length);
            return of(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Its 32 bytes. */
    public byte[] toBytes() {
        return HexFormat.of().parseHex(hex);
    }

    /**
     * Whether both are the same, in a time that does not tell where they differ: for authentication
     * codes and secrets, which {@link #equals} would help to guess.
     */
    public boolean isSameInConstantTime(Digest other) {
        return MessageDigest.isEqual(
                hex.getBytes(StandardCharsets.US_ASCII),
                other.hex.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        return hex;
    }
}
