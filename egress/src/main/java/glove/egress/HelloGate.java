package glove.egress;

import glove.egress.EgressEvent.Protocol;
import glove.sys.ErrnoException;

/**
 * Holds back what a client sends through a tunnel until it is known to be for the host the tunnel
 * was allowed for: many hosts share an address, and the TLS handshake chooses among them. The bytes
 * stay in the socket meanwhile. Confined to the thread of the proxy.
 */
final class HelloGate {
    static final int HTTPS_PORT = 443;

    private static final long PATIENCE = 10_000_000_000L;
    private static final byte HANDSHAKE = 0x16;

    /** More pieces than any program sends; each is a reason to read it from the start. */
    private static final int LOOKS_MAX = 1024;

    private final Hub hub;
    private final Stream client;
    private final Destination destination;
    private final boolean mustBeTls;
    private boolean open;
    private boolean timed;
    private long until;
    private int looks;
    private String refusal = "";

    HelloGate(Hub hub, Stream client, Passage passage) {
        this.hub = hub;
        this.client = client;
        this.destination = passage.destination();
        this.open = !destination.isName() || passage.protocol() == Protocol.DIRECT;
        this.mustBeTls = destination.port() == HTTPS_PORT;
        if (!open && mustBeTls) {
            begin();
        }
    }

    /** An open one, behind which everything was looked at. */
    static HelloGate opened(Hub hub, Stream client, Passage passage) {
        HelloGate gate = new HelloGate(hub, client, passage);
        gate.open = true;
        return gate;
    }

    private void begin() {
        timed = true;
        until = hub.now() + PATIENCE;
    }

    boolean isOpen() {
        return open;
    }

    /** Why it stays closed; empty as long as that is not decided. */
    String refusal() {
        return refusal;
    }

    /** Whether a handshake has to come by a certain {@link #until moment}. */
    boolean isTimed() {
        return !open && timed;
    }

    long until() {
        return until;
    }

    /** That moment has come. */
    void expire() {
        refusal = Reasons.slowHello(destination);
    }

    /** Looks at what has come. */
    void look() throws ErrnoException {
        if (open || !refusal.isEmpty() || !client.isReadable()) {
            return;
        }
        int count = client.peek(ClientHello.BYTES_MAX);
        if (count < 0) {
            return;
        }
        if (count == 0 || (!mustBeTls && hub.scratch[0] != HANDSHAKE)) {
            open = true; // the end alone says nothing to anybody
            return;
        }
        if (!timed) {
            begin();
        }
        judge(ClientHello.parse(hub.scratch, 0, count));
    }

    private void judge(ClientHello hello) {
        if (hello.kind() == ClientHello.Kind.INCOMPLETE) {
            looks++;
            if (looks > LOOKS_MAX || client.isEnded()) {
                refusal = Reasons.malformedHello(destination);
            }
            client.awaitBytes();
        } else if (hello.kind() == ClientHello.Kind.NOT_TLS) {
            refusal = Reasons.notTls(destination);
        } else if (hello.kind() == ClientHello.Kind.MALFORMED) {
            refusal = Reasons.malformedHello(destination);
        } else if (!hello.namesServer()) {
            refusal = Reasons.noServerName(destination);
        } else if (!hello.isFor(destination.name())) {
            refusal = Reasons.otherServerName(destination, hello.canonicalServerName());
        } else {
            open = true;
        }
    }
}
