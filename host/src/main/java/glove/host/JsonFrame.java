package glove.host;

import java.nio.ByteBuffer;

/** A frame on the control socket: the length of its content, big-endian, and the content. */
final class JsonFrame {
    /** Before the content: its length. */
    static final int LENGTH_BYTES = 4;

    private final byte[] bytes;

    JsonFrame(byte[] content) {
        bytes = ByteBuffer.allocate(LENGTH_BYTES + content.length)
                .putInt(content.length)
                .put(content)
                .array();
    }

    /** All of it, not copied. */
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return bytes.length;
    }

    /** What the first bytes of a frame announce; negative from 2 GiB on. */
    static int length(byte[] begin) {
        return ByteBuffer.wrap(begin).getInt();
    }
}
