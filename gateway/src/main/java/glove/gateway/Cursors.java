package glove.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Where an agent is in a list: text it gives back as it got it. It holds for one agent, one kind
 * of list and one state of it, and cannot be made up: a keyed digest is part of it. The key comes
 * first and all that is digested has one length, so SHA-256 will do as one. Confined to the
 * gateway's thread.
 */
final class Cursors {
    static final int NONE = -1;

    private static final int PLACE_BYTES = 4 * Integer.BYTES;
    private static final int DIGEST_BYTES = 16;

    private final byte[] key = new byte[32];

    Cursors() {
        new SecureRandom().nextBytes(key);
    }

    /** What a cursor is bound to beside the place. */
    record Binding(int agent, ListKind kind, int generation) {}

    String write(Binding binding, int place) {
        byte[] plain = plain(binding, place);
        ByteBuffer cursor = ByteBuffer.allocate(PLACE_BYTES + DIGEST_BYTES).put(plain);
        return HexFormat.of().formatHex(cursor.put(digest(plain)).array());
    }

    /** The place, or {@link #NONE} when it is no cursor of that binding. */
    int read(Binding binding, String cursor) {
        if (cursor.length() != 2 * (PLACE_BYTES + DIGEST_BYTES)) {
            return NONE;
        }
        byte[] bytes;
        try {
            bytes = HexFormat.of().parseHex(cursor);
        } catch (IllegalArgumentException e) {
            return NONE;
        }
        int place = ByteBuffer.wrap(bytes).getInt(PLACE_BYTES - Integer.BYTES);
        byte[] told = Arrays.copyOfRange(bytes, PLACE_BYTES, bytes.length);
        byte[] plain = plain(binding, place);
        boolean same = Arrays.equals(plain, Arrays.copyOf(bytes, PLACE_BYTES));
        // The same text, too: hexadecimal has two ways to write some.
        return same && MessageDigest.isEqual(told, digest(plain)) && isWritten(cursor)
                ? place
                : NONE;
    }

    private static boolean isWritten(String cursor) {
        byte[] text = cursor.getBytes(StandardCharsets.UTF_8);
        for (byte b : text) {
            if (b >= 'A' && b <= 'F') {
                return false;
            }
        }
        return true;
    }

    private static byte[] plain(Binding binding, int place) {
        return ByteBuffer.allocate(PLACE_BYTES)
                .putInt(binding.agent())
                .putInt(binding.kind().code())
                .putInt(binding.generation())
                .putInt(place)
                .array();
    }

    private byte[] digest(byte[] plain) {
        MessageDigest digest = Digests.sha256();
        digest.update(key);
        return Arrays.copyOf(digest.digest(plain), DIGEST_BYTES);
    }
}
