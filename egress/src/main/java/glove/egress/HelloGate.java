package glove.egress;

import glove.egress.EgressEvent.Protocol;
import glove.sys.ErrnoException;

/**
 * Holds back what a client sends through a tunnel until it is known to be for the host the tunnel
 * was allowed for: many hosts share an address, and the TLS handshake chooses among them. The bytes
 * stay in the socket meanwhile. A hello goes out alone, and what the server answers is looked at
 * before anything follows: it may ask for a second hello, which could name another server.
 * Confined to the thread of the proxy.
 */
final class HelloGate {
    static final int HTTPS_PORT = 443;

    private static final long PATIENCE = 10_000_000_000L;

    /** More pieces than any program sends; each is a reason to read it from the start. */
    private static final int LOOKS_MAX = 1024;

    private static final int RECORD_HEADER = 5;
    private static final int RECORD_MAX = (1 << 14) + 256;
    private static final int CHANGE_CIPHER_SPEC = 0x14;
    private static final int ALERT = 0x15;
    private static final int HANDSHAKE = 0x16;
    private static final int APPLICATION_DATA = 0x17;
    private static final int TLS_MAJOR = 3;

    /** What is looked at next. */
    private enum Step {
        /** What the client sends first. */
        HELLO,
        /** What the server says to a hello. */
        ANSWER,
        /** What the client sends though the server has not accepted its hello. */
        FOLLOWING,
        /** Nothing any more. */
        OPEN
    }

    private final Hub hub;
    private final Stream client;
    private final Stream upstream;
    private final Way out;
    private final Way in;
    private final Destination destination;
    private final boolean mustBeTls;
    private Step step = Step.HELLO;
    private boolean timed;
    private long until;
    private int looks;
    private boolean retried;
    private String refusal = "";

    /**
     * A gate.
     *
     * @param out of the client's bytes; so many are allowed as have been looked at
     * @param in of the server's bytes; all are allowed while none is looked at
     */
    HelloGate(Connection connection, Stream upstream, Passage passage, Way out, Way in) {
        this.hub = connection.hub();
        this.client = connection.client();
        this.upstream = upstream;
        this.out = out;
        this.in = in;
        this.destination = passage.destination();
        this.mustBeTls = destination.port() == HTTPS_PORT;
        in.allow(Way.ALL);
        if (!destination.isName() || passage.protocol() == Protocol.DIRECT) {
            open();
        } else if (mustBeTls) {
            begin();
        }
    }

    private void begin() {
        timed = true;
        until = hub.now() + PATIENCE;
    }

    /** Everything may pass from here on. */
    void open() {
        step = Step.OPEN;
        timed = false;
        out.allow(Way.ALL);
        in.allow(Way.ALL);
    }

    boolean isOpen() {
        return step == Step.OPEN;
    }

    /** Why it stays closed; empty as long as that is not decided. */
    String refusal() {
        return refusal;
    }

    /** Whether the server has asked for another hello: an alert can be read by the client still. */
    boolean hasRetried() {
        return retried;
    }

    /** Whether a handshake has to come by a certain {@link #until moment}. */
    boolean isTimed() {
        return timed;
    }

    long until() {
        return until;
    }

    /** That moment has come. */
    void expire() {
        refusal = Reasons.slowHello(destination);
    }

    /** Whether there is something to look at now. */
    boolean isReady() {
        if (step == Step.OPEN || !refusal.isEmpty()) {
            return false;
        }
        if (step == Step.ANSWER) {
            return upstream.isReadable() && isSent();
        }
        return out.isEnded() || (client.isReadable() && isSent());
    }

    /** Whether what was let out has been taken from the client. */
    private boolean isSent() {
        return out.allowance() == 0;
    }

    /** Looks at what has come, once; true when more may pass than before, one way or the other. */
    boolean look() throws ErrnoException {
        if (!isReady()) {
            return false;
        }
        if (step == Step.ANSWER) {
            return lookAtAnswer();
        }
        if (out.isEnded()) {
            refusal = Reasons.malformedHello(destination); // it ended within a record let out
            return false;
        }
        int count = client.peek(ClientHello.BYTES_MAX);
        if (count < 0) {
            return false;
        }
        if (count == 0) {
            open(); // the end alone says nothing to anybody
            return true;
        }
        return step == Step.HELLO ? lookAtFirst(count) : lookAtFollowing(count);
    }

    private boolean lookAtFirst(int count) {
        byte[] bytes = hub.scratch;
        if (!mustBeTls && bytes[0] != HANDSHAKE) {
            return lookAtOldHello(ClientHello.oldForm(bytes, 0, count));
        }
        return judge(ClientHello.parse(bytes, 0, count));
    }

    /** In the form of SSL 2 it names no server, and some servers still take it. */
    private boolean lookAtOldHello(ClientHello.Kind kind) {
        if (kind == ClientHello.Kind.MALFORMED) {
            refusal = Reasons.malformedHello(destination);
            return false;
        }
        if (kind == ClientHello.Kind.INCOMPLETE && !client.isEnded()) {
            await();
            return false;
        }
        open();
        return true;
    }

    /** Records that are no handshake pass one by one: a second hello may follow them. */
    private boolean lookAtFollowing(int count) {
        byte[] bytes = hub.scratch;
        int type = bytes[0];
        if (type != CHANGE_CIPHER_SPEC && type != ALERT && type != APPLICATION_DATA) {
            return judge(ClientHello.parse(bytes, 0, count));
        }
        if (count < RECORD_HEADER) {
            return judgeIncomplete();
        }
        int length = (bytes[3] & 0xff) << Byte.SIZE | (bytes[4] & 0xff);
        if (bytes[1] != TLS_MAJOR || length == 0 || length > RECORD_MAX) {
            refusal = Reasons.malformedHello(destination);
            return false;
        }
        out.allow(RECORD_HEADER + length);
        return true;
    }

    private boolean judge(ClientHello hello) {
        if (hello.kind() == ClientHello.Kind.INCOMPLETE) {
            return judgeIncomplete();
        }
        if (hello.kind() == ClientHello.Kind.NOT_TLS) {
            refusal = Reasons.notTls(destination);
        } else if (hello.kind() == ClientHello.Kind.MALFORMED) {
            refusal = Reasons.malformedHello(destination);
        } else if (!hello.namesServer()) {
            refusal = Reasons.noServerName(destination);
        } else if (!hello.isFor(destination.name())) {
            refusal = Reasons.otherServerName(destination, hello.canonicalServerName());
        } else {
            step = Step.ANSWER;
            timed = false;
            looks = 0;
            in.hold();
            out.allow(hello.length());
            return true;
        }
        return false;
    }

    private boolean judgeIncomplete() {
        if (++looks > LOOKS_MAX || client.isEnded()) {
            refusal = Reasons.malformedHello(destination);
        } else {
            await();
        }
        return false;
    }

    private void await() {
        if (!timed) {
            begin();
        }
        client.awaitBytes();
    }

    private boolean lookAtAnswer() throws ErrnoException {
        int count = upstream.peek(ServerAnswer.BYTES_MAX);
        if (count < 0) {
            return false;
        }
        ServerAnswer.Kind kind = ServerAnswer.parse(hub.scratch, 0, count);
        if (kind == ServerAnswer.Kind.INCOMPLETE && count > 0 && !upstream.isEnded()) {
            if (++looks > LOOKS_MAX) {
                kind = ServerAnswer.Kind.OTHER;
            } else {
                upstream.awaitBytes();
                return false;
            }
        }
        if (kind == ServerAnswer.Kind.HELLO) {
            open();
            return true;
        }
        step = Step.FOLLOWING;
        looks = 0;
        in.allow(Way.ALL);
        if (kind == ServerAnswer.Kind.RETRY) {
            retried = true;
            begin();
        }
        return true;
    }
}
