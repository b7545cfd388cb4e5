package glove.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Collects what a digest covers, in the one encoding all formats share: numbers big-endian, strings
 * and lists behind a count of 32 bits, optional values behind a byte that says whether they are
 * there. A digest within the material is written as its 64 digits. Every material begins with the
 * name of what it is for, so that no digest can be taken for one of something else.
 *
 * <p>Confined to one thread. {@link #sha256} and {@link #hmacSha256} may be asked more than once.
 */
public final class DigestWriter {
    private static final int CAPACITY = 512;

    private byte[] material = new byte[CAPACITY];
    private int length;

    /** Begins with the string that names what it is for. */
    public DigestWriter(String domain) {
        string(domain);
    }

    /** One byte. */
    public DigestWriter u8(int value) {
        if ((value & ~0xff) != 0) {
            throw new IllegalArgumentException("no byte: " + value);
        }
        room(1);
        material[length++] = (byte) value;
        return this;
    }

    /** Four bytes; a negative number stands for its two's complement. */
    public DigestWriter u32(int value) {
        room(Integer.BYTES);
        for (int shift = Integer.SIZE - 8; shift >= 0; shift -= 8) {
            material[length++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** Eight bytes, see {@link U64}. */
    public DigestWriter u64(long value) {
        room(Long.BYTES);
        for (int shift = Long.SIZE - 8; shift >= 0; shift -= 8) {
            material[length++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** One byte, 1 or 0. */
    public DigestWriter bool(boolean value) {
        return u8(value ? 1 : 0);
    }

    /** Its length in bytes of UTF-8, then those. */
    public DigestWriter string(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** The 64 digits, as a string. */
    public DigestWriter digest(Digest value) {
        return string(value.hex());
    }

    /** Their number, then they. */
    public DigestWriter bytes(byte[] value) {
        u32(value.length);
        room(value.length);
        System.arraycopy(value, 0, material, length, value.length);
        length += value.length;
        return this;
    }

    /** An optional value that is not there. */
    public DigestWriter absent() {
        return u8(0);
    }

    /** An optional value that is there: it comes next. */
    public DigestWriter present() {
        return u8(1);
    }

    /** How many items of a list come next. */
    public DigestWriter count(int items) {
        return u32(items);
    }

    /** A list of strings. */
    public DigestWriter strings(List<String> values) {
        count(values.size());
        for (String value : values) {
            string(value);
        }
        return this;
    }

    private void room(int bytes) {
        if (material.length - length < bytes) {
            material = Arrays.copyOf(material, Math.max(2 * material.length, length + bytes));
        }
    }

    /** A copy of what was collected. */
    public byte[] toBytes() {
        return Arrays.copyOf(material, length);
    }

    /** SHA-256 of what was collected. */
    public Digest sha256() {
        return Digest.sha256(material, length);
    }

    /** The authentication code of what was collected. */
    public Digest hmacSha256(SecretKey32 key) {
        return key.hmacSha256(material, length);
    }
}
