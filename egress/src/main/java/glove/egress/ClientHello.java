package glove.egress;

import java.nio.charset.StandardCharsets;

/**
 * What the first message of a TLS client says about the server it wants (RFC 8446 §4.1.2, RFC 6066
 * §3), read without taking part in the handshake. Immutable.
 */
final class ClientHello {
    /** What the bytes are. */
    enum Kind {
        /** So far nothing is wrong. */
        INCOMPLETE,
        /** The first byte already is not TLS's. */
        NOT_TLS,
        /** It begins as TLS and is no proper hello, or is longer than {@link #BYTES_MAX}. */
        MALFORMED,
        /** A whole hello. */
        HELLO
    }

    /** Bytes of a hello with the headers of its records; programs send a tenth of it. */
    static final int BYTES_MAX = 16 << 10;

    private static final int HANDSHAKE = 22;
    private static final int RECORD_HEADER = 5;
    private static final int RECORD_MAX = 1 << 14;

    /** Servers take no longer record of SSL 2: their buffers are a little over 16 KiB. */
    private static final int OLD_LENGTH_MAX = 17 << 10;

    private static final int CLIENT_HELLO = 1;
    private static final int MESSAGE_HEADER = 4;
    private static final int TLS_MAJOR = 3;
    private static final int VERSION_AND_RANDOM = 2 + 32;
    private static final int SESSION_ID_MAX = 32;
    private static final int SERVER_NAME = 0;
    private static final int HOST_NAME = 0;

    private static final ClientHello INCOMPLETE = new ClientHello(Kind.INCOMPLETE, "", 0);
    private static final ClientHello NOT_TLS = new ClientHello(Kind.NOT_TLS, "", 0);
    private static final ClientHello MALFORMED = new ClientHello(Kind.MALFORMED, "", 0);

    private final Kind kind;
    private final String serverName;
    private final int length;

    private ClientHello(Kind kind, String serverName, int length) {
        this.kind = kind;
        this.serverName = serverName;
        this.length = length;
    }

    /**
     * Reads the first bytes of a connection. When they are incomplete, call again with those and
     * more; a hello may come in several records, and records in several segments.
     */
    static ClientHello parse(byte[] bytes, int from, int to) {
        if (from == to) {
            return INCOMPLETE;
        }
        if (bytes[from] != HANDSHAKE) {
            return NOT_TLS;
        }
        byte[] message = new byte[Math.min(to - from, BYTES_MAX)];
        int filled = 0;
        int at = from;
        while (to - at >= RECORD_HEADER) {
            int length = number(bytes, at + 3, 2);
            if (bytes[at] != HANDSHAKE
                    || bytes[at + 1] != TLS_MAJOR
                    || length == 0
                    || length > RECORD_MAX) {
                return MALFORMED;
            }
            at += RECORD_HEADER;
            int here = Math.min(length, to - at);
            if (at + here - from > BYTES_MAX) {
                return MALFORMED;
            }
            System.arraycopy(bytes, at, message, filled, here);
            filled += here;
            at += here;
            int end = end(message, filled);
            if (end < 0) {
                return MALFORMED;
            }
            if (filled >= end) {
                // Nothing may share the last record with it: what would that be in answer to?
                return filled == end && here == length
                        ? ofMessage(message, end).ofLength(at - from)
                        : MALFORMED;
            }
            if (here < length) {
                break;
            }
        }
        boolean record = at == to || startsRecord(bytes, at, to);
        return record && to - from < BYTES_MAX ? INCOMPLETE : MALFORMED;
    }

    private ClientHello ofLength(int bytes) {
        return kind == Kind.HELLO ? new ClientHello(kind, serverName, bytes) : this;
    }

    /**
     * Whether it may be a hello in the form of SSL 2 (RFC 5246 §E.2), which some servers still take
     * for one and which names no server: a length with the highest bit set, the type of a hello, a
     * version. Never {@link Kind#HELLO}; {@link Kind#MALFORMED} when it is one.
     */
    static Kind oldForm(byte[] bytes, int from, int to) {
        int have = to - from;
        if (have == 0) {
            return Kind.INCOMPLETE;
        }
        boolean may = bytes[from] < 0 && (bytes[from] & 0x7f) <= OLD_LENGTH_MAX >> Byte.SIZE;
        may &= have < 3 || bytes[from + 2] == CLIENT_HELLO;
        may &= have < 4 || bytes[from + 3] == TLS_MAJOR || bytes[from + 3] == 0;
        may &= have < 5 || bytes[from + 3] != 0 || bytes[from + 4] == 2;
        if (!may) {
            return Kind.NOT_TLS;
        }
        return have < 5 ? Kind.INCOMPLETE : Kind.MALFORMED;
    }

    private static boolean startsRecord(byte[] bytes, int at, int to) {
        return bytes[at] == HANDSHAKE && (to - at < 2 || bytes[at + 1] == TLS_MAJOR);
    }

    /** Where the message ends by its own length; beyond what is there while that is unknown. */
    private static int end(byte[] message, int filled) {
        if (filled > 0 && message[0] != CLIENT_HELLO) {
            return -1;
        }
        if (filled < MESSAGE_HEADER) {
            return Integer.MAX_VALUE;
        }
        int end = MESSAGE_HEADER + number(message, 1, 3);
        return end > BYTES_MAX - RECORD_HEADER ? -1 : end;
    }

    private static int number(byte[] bytes, int at, int size) {
        int number = 0;
        for (int i = at; i < at + size; i++) {
            number = number << Byte.SIZE | (bytes[i] & 0xff);
        }
        return number;
    }

    /** Where a vector ends, given where its length stands; -1 when that is beyond the end. */
    private static int vectorEnd(byte[] bytes, int at, int lengthBytes, int end) {
        if (end - at < lengthBytes) {
            return -1;
        }
        int length = number(bytes, at, lengthBytes);
        return length > end - at - lengthBytes ? -1 : at + lengthBytes + length;
    }

    private static ClientHello ofMessage(byte[] message, int end) {
        int sessionAt = MESSAGE_HEADER + VERSION_AND_RANDOM;
        if (end < sessionAt || message[MESSAGE_HEADER] != TLS_MAJOR) {
            return MALFORMED;
        }
        int suitesAt = vectorEnd(message, sessionAt, 1, end);
        if (suitesAt < 0 || suitesAt - sessionAt - 1 > SESSION_ID_MAX) {
            return MALFORMED;
        }
        int compressionAt = vectorEnd(message, suitesAt, 2, end);
        int suites = compressionAt - suitesAt - 2;
        if (compressionAt < 0 || suites < 2 || suites % 2 != 0) {
            return MALFORMED;
        }
        int extensionsAt = vectorEnd(message, compressionAt, 1, end);
        if (extensionsAt < 0 || extensionsAt == compressionAt + 1) {
            return MALFORMED;
        }
        if (extensionsAt == end) {
            return new ClientHello(Kind.HELLO, "", 0); // TLS 1.2 without extensions
        }
        if (vectorEnd(message, extensionsAt, 2, end) != end) {
            return MALFORMED;
        }
        return ofExtensions(message, extensionsAt + 2, end);
    }

    private static ClientHello ofExtensions(byte[] message, int from, int end) {
        String name = "";
        int at = from;
        while (at < end) {
            int next = vectorEnd(message, at + 2, 2, end);
            if (next < 0) {
                return MALFORMED;
            }
            if (number(message, at, 2) == SERVER_NAME) {
                int nameAt = hostNameAt(message, at + 4, next);
                if (nameAt < 0 || !name.isEmpty()) {
                    return MALFORMED;
                }
                name = new String(message, nameAt, next - nameAt, StandardCharsets.ISO_8859_1);
            }
            at = next;
        }
        return new ClientHello(Kind.HELLO, name, 0);
    }

    /** Where the one name of a server_name extension begins; -1 when there is not exactly one. */
    private static int hostNameAt(byte[] message, int from, int end) {
        int typeAt = from + 2;
        boolean one = vectorEnd(message, from, 2, end) == end
                && end - typeAt > 3
                && message[typeAt] == HOST_NAME
                && vectorEnd(message, typeAt + 1, 2, end) == end;
        return one ? typeAt + 3 : -1;
    }

    Kind kind() {
        return kind;
    }

    /** Of a whole hello: bytes with the headers of its records. */
    int length() {
        return length;
    }

    /** Whether it names a server at all. */
    boolean namesServer() {
        return !serverName.isEmpty();
    }

    /** Whether the server it names is this one. */
    boolean isFor(HostName name) {
        return namesServer() && canonicalServerName().equals(name.toString());
    }

    /** The server it names, in canonical form; empty for none, and for what is no host name. */
    String canonicalServerName() {
        if (serverName.isEmpty()) {
            return "";
        }
        try {
            return HostName.ofWire(serverName).toString();
        } catch (MalformedException e) {
            return "";
        }
    }
}
