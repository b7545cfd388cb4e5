package glove.egress;

import glove.sys.IpAddress;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The messages of SOCKS5 (RFC 1928) and of its user and password (RFC 1929), as a server sees them.
 * Each reader takes a buffer that grows: it answers nothing until the message is whole. Stateless.
 */
final class Socks5 {
    /** The first byte of a client. */
    static final byte VERSION = 5;

    static final int NO_AUTHENTICATION = 0;
    static final int USER_PASSWORD = 2;
    static final int NO_ACCEPTABLE_METHOD = 0xff;

    static final int SUCCEEDED = 0;
    static final int GENERAL_FAILURE = 1;
    static final int NOT_ALLOWED = 2;
    static final int NETWORK_UNREACHABLE = 3;
    static final int HOST_UNREACHABLE = 4;
    static final int CONNECTION_REFUSED = 5;
    static final int TTL_EXPIRED = 6;
    static final int COMMAND_NOT_SUPPORTED = 7;
    static final int ADDRESS_NOT_SUPPORTED = 8;

    private static final int PASSWORD_VERSION = 1;
    private static final int CONNECT = 1;
    private static final int V4 = 1;
    private static final int NAME = 3;
    private static final int V6 = 4;
    private static final int REQUEST_HEADER = 4;

    private Socks5() {}

    /**
     * The ways of authentication a client offers, of the two there are here.
     *
     * @param length bytes of the message
     */
    record Greeting(boolean offersNone, boolean offersPassword, int length) {}

    /** User and password of RFC 1929. Immutable. */
    static final class Login {
        private final byte[] user;
        private final byte[] password;

        private Login(byte[] user, byte[] password) {
            this.user = user;
            this.password = password;
        }

        /** A copy. */
        byte[] user() {
            return user.clone();
        }

        /** A copy. */
        byte[] password() {
            return password.clone();
        }

        /** Bytes of the message. */
        int length() {
            return 3 + user.length + password.length; // with a version and two lengths
        }
    }

    /**
     * Where the client wants to go.
     *
     * @param length bytes of the message
     */
    record Request(Destination destination, int length) {}

    /** Reads what a client says first. */
    static Optional<Greeting> greeting(byte[] bytes, int from, int to) throws MalformedException {
        checkByte(bytes, from, to, VERSION);
        if (to - from >= 2 && bytes[from + 1] == 0) {
            throw malformed("a SOCKS client offers no way of authentication");
        }
        int end = textEnd(bytes, from + 1, to);
        if (end < 0) {
            return Optional.empty();
        }
        boolean none = false;
        boolean password = false;
        for (int i = from + 2; i < end; i++) {
            none |= bytes[i] == NO_AUTHENTICATION;
            password |= bytes[i] == USER_PASSWORD;
        }
        return Optional.of(new Greeting(none, password, end - from));
    }

    /** Reads what a client says after {@link #USER_PASSWORD} was chosen. */
    static Optional<Login> login(byte[] bytes, int from, int to) throws MalformedException {
        checkByte(bytes, from, to, PASSWORD_VERSION);
        int userEnd = textEnd(bytes, from + 1, to);
        int end = userEnd < 0 ? -1 : textEnd(bytes, userEnd, to);
        if (end < 0) {
            return Optional.empty();
        }
        byte[] user = Arrays.copyOfRange(bytes, from + 2, userEnd);
        return Optional.of(new Login(user, Arrays.copyOfRange(bytes, userEnd + 1, end)));
    }

    /**
     * Reads what a client wants.
     *
     * @throws MalformedException with the reply's code, also for what is well-formed and not
     *     offered: other commands than CONNECT
     */
    static Optional<Request> request(byte[] bytes, int from, int to) throws MalformedException {
        checkByte(bytes, from, to, VERSION);
        if (to - from < REQUEST_HEADER) {
            return Optional.empty();
        }
        if (bytes[from + 1] != CONNECT) {
            throw new MalformedException(
                    COMMAND_NOT_SUPPORTED, "a SOCKS client asks for more than to connect");
        }
        checkByte(bytes, from + 2, to, 0);
        int kind = bytes[from + 3];
        int at = from + REQUEST_HEADER;
        int hostEnd;
        if (kind == NAME) {
            hostEnd = textEnd(bytes, at, to);
        } else if (kind == V4 || kind == V6) {
            hostEnd = at + (kind == V4 ? 4 : 16);
        } else {
            throw new MalformedException(
                    ADDRESS_NOT_SUPPORTED, "a SOCKS client names a host in an unknown way");
        }
        int end = hostEnd + 2;
        if (hostEnd < 0 || end > to) {
            return Optional.empty();
        }
        int port = (bytes[hostEnd] & 0xff) << Byte.SIZE | (bytes[hostEnd + 1] & 0xff);
        if (port == 0) {
            throw malformed("a SOCKS client asks for port 0");
        }
        Destination destination = kind == NAME
                ? named(bytes, at + 1, hostEnd, port)
                : Destination.of(IpAddress.of(Arrays.copyOfRange(bytes, at, hostEnd)), port);
        return Optional.of(new Request(destination, end - from));
    }

    private static Destination named(byte[] bytes, int from, int to, int port)
            throws MalformedException {
        String host = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        Optional<IpAddress> address = IpAddress.parse(host);
        if (address.isPresent()) {
            return Destination.of(address.get(), port);
        }
        try {
            return Destination.of(HostName.ofWire(host), port);
        } catch (MalformedException e) {
            throw malformed(e.getMessage());
        }
    }

    /** Where a text ends whose length is the byte at {@code at}; -1 when not all is there. */
    private static int textEnd(byte[] bytes, int at, int to) {
        int end = at < to ? at + 1 + (bytes[at] & 0xff) : to + 1;
        return end > to ? -1 : end;
    }

    private static void checkByte(byte[] bytes, int at, int to, int wanted)
            throws MalformedException {
        if (at < to && bytes[at] != wanted) {
            throw malformed("a SOCKS client does not speak version 5");
        }
    }

    private static MalformedException malformed(String sentence) {
        return new MalformedException(GENERAL_FAILURE, sentence);
    }

    /** The choice of a way of authentication, in answer to a greeting. */
    static byte[] chosen(int method) {
        return new byte[] {VERSION, (byte) method};
    }

    /** Whether a login was right. */
    static byte[] loggedIn(boolean right) {
        return new byte[] {PASSWORD_VERSION, (byte) (right ? 0 : 1)};
    }

    /** The answer to a request, without the address that nobody asks for. */
    static byte[] reply(int code) {
        return new byte[] {VERSION, (byte) code, 0, V4, 0, 0, 0, 0, 0, 0};
    }
}
