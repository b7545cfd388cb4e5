package glove.egress;

/**
 * What a TLS server answers to a hello (RFC 8446 §4.1.3), read from a copy: whether it asks for
 * another hello. That one travels in the clear too, and servers choose by the name in it.
 * Stateless.
 */
final class ServerAnswer {
    /** What the bytes are. */
    enum Kind {
        /** So far nothing is wrong. */
        INCOMPLETE,
        /** A HelloRetryRequest: another hello has to follow. */
        RETRY,
        /** A ServerHello: what the client sends from here on is no hello in the clear. */
        HELLO,
        /** Anything else, be it that the server ends with an alert. */
        OTHER
    }

    /** More than a server sends up to the random of its hello, warnings before it included. */
    static final int BYTES_MAX = 512;

    private static final int CHANGE_CIPHER_SPEC = 20;
    private static final int ALERT = 21;
    private static final int HANDSHAKE = 22;
    private static final int RECORD_HEADER = 5;
    private static final int RECORD_MAX = 1 << 14;
    private static final int TLS_MAJOR = 3;
    private static final int SERVER_HELLO = 2;
    private static final int WARNING = 1;
    private static final int VERSION_AT = 4;
    private static final int RANDOM_AT = 6;

    /** SHA-256 of "HelloRetryRequest": the random that makes a ServerHello one. */
    private static final byte[] RETRY_RANDOM = {
        (byte) 0xcf,
        0x21,
        (byte) 0xad,
        0x74,
        (byte) 0xe5,
        (byte) 0x9a,
        0x61,
        0x11,
        (byte) 0xbe,
        0x1d,
        (byte) 0x8c,
        0x02,
        0x1e,
        0x65,
        (byte) 0xb8,
        (byte) 0x91,
        (byte) 0xc2,
        (byte) 0xa2,
        0x11,
        0x16,
        0x7a,
        (byte) 0xbb,
        (byte) 0x8c,
        0x5e,
        0x07,
        (byte) 0x9e,
        0x09,
        (byte) 0xe2,
        (byte) 0xc8,
        (byte) 0xa8,
        0x33,
        (byte) 0x9c,
    };

    private static final int NEEDED = RANDOM_AT + 32;

    private ServerAnswer() {}

    /** Reads the first bytes behind a hello; when they are incomplete, call again with more. */
    static Kind parse(byte[] bytes, int from, int to) {
        byte[] message = new byte[NEEDED];
        int filled = 0;
        int at = from;
        while (to - at >= RECORD_HEADER) {
            int length = (bytes[at + 3] & 0xff) << Byte.SIZE | (bytes[at + 4] & 0xff);
            if (filled == 0 && isPassedOver(bytes, at, to, length)) {
                at += RECORD_HEADER + length;
                continue;
            }
            if (bytes[at] != HANDSHAKE
                    || bytes[at + 1] != TLS_MAJOR
                    || length == 0
                    || length > RECORD_MAX) {
                return Kind.OTHER;
            }
            at += RECORD_HEADER;
            int here = Math.min(Math.min(length, to - at), NEEDED - filled);
            System.arraycopy(bytes, at, message, filled, here);
            filled += here;
            at += here;
            if (filled > 0 && message[0] != SERVER_HELLO) {
                return Kind.OTHER;
            }
            if (filled == NEEDED) {
                return ofHello(message);
            }
        }
        boolean full = to - from >= BYTES_MAX;
        return full || (at < to && !mayBegin(bytes, at, to)) ? Kind.OTHER : Kind.INCOMPLETE;
    }

    /** A warning or a change of ciphers before the hello, which say nothing about it. */
    private static boolean isPassedOver(byte[] bytes, int at, int to, int length) {
        if (bytes[at + 1] != TLS_MAJOR || to - at < RECORD_HEADER + length) {
            return false;
        }
        return (bytes[at] == CHANGE_CIPHER_SPEC && length == 1)
                || (bytes[at] == ALERT && length == 2 && bytes[at + RECORD_HEADER] == WARNING);
    }

    private static boolean mayBegin(byte[] bytes, int at, int to) {
        boolean known =
                bytes[at] == HANDSHAKE || bytes[at] == ALERT || bytes[at] == CHANGE_CIPHER_SPEC;
        return known && (to - at < 2 || bytes[at + 1] == TLS_MAJOR);
    }

    private static Kind ofHello(byte[] message) {
        if (message[VERSION_AT] != TLS_MAJOR) {
            return Kind.OTHER;
        }
        for (int i = 0; i < RETRY_RANDOM.length; i++) {
            if (message[RANDOM_AT + i] != RETRY_RANDOM[i]) {
                return Kind.HELLO;
            }
        }
        return Kind.RETRY;
    }
}
