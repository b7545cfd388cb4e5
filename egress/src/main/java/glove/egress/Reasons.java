package glove.egress;

import glove.sys.Errno;
import glove.sys.IpAddress;

/**
 * The sentences of refusals: they go into the audit log, the summary of the run and the bodies of
 * HTTP answers. Each says what was refused and why, in one line without a full stop; only canonical
 * hosts stand in them, never other bytes of a peer. Stateless.
 */
final class Reasons {
    private Reasons() {}

    static String notNamed(Destination destination) {
        String what = destination.isName() ? "host" : "address";
        return "'" + destination + "' is not allowed: no egress rule names this " + what;
    }

    static String otherPort(Destination destination, EgressRule rule) {
        return "'" + destination + "' is not allowed: '" + rule + "' is, which is another port";
    }

    static String notPublic(Destination destination, IpAddress address, AddressClass kind) {
        String is = address + ", which is " + kind.words();
        return destination.isName()
                ? "'" + destination + "' is refused: its name resolves to " + is
                : "'" + destination + "' is refused: it is " + kind.words();
    }

    static String own(Destination destination, IpAddress address) {
        return destination.isName()
                ? "'" + destination + "' is refused: its name resolves to " + address
                        + ", which is this machine's own address"
                : "'" + destination + "' is refused: it is this machine's own address";
    }

    static String notKnownOwn(Destination destination, IpAddress address, int errno) {
        return "'" + destination + "' is refused: whether " + address
                + " is this machine's own address could not be found out: " + Errno.words(errno);
    }

    static String noResolver(Destination destination) {
        return "'" + destination + "' is not reachable: this machine has no thread or memory left"
                + " to resolve its name";
    }

    static String noName(Destination destination) {
        return "'" + destination + "' is not reachable: its name does not resolve";
    }

    static String notTls(Destination destination) {
        return "'" + destination + "' is refused: what was sent there is no TLS, and without it"
                + " nothing shows that the connection is for that host";
    }

    static String noServerName(Destination destination) {
        return "'" + destination + "' is refused: the TLS handshake names no server (SNI), so"
                + " nothing shows that the connection is for that host";
    }

    static String otherServerName(Destination destination, String serverName) {
        return "'" + destination + "' is refused: the TLS handshake is for "
                + (serverName.isEmpty() ? "another server" : "'" + serverName + "'");
    }

    static String malformedHello(Destination destination) {
        return "'" + destination + "' is refused: the TLS handshake is malformed";
    }

    static String slowHello(Destination destination) {
        return "'" + destination + "' is refused: no TLS handshake came in time";
    }

    static String noCredential() {
        return "this proxy serves one run of Glove only: the credential is missing or wrong";
    }
}
