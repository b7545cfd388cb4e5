package glove.egress;

import glove.sys.ErrnoException;

/** Bytes pass both ways, each way until its own end. Owns the upstream. */
final class Tunnel extends Stage implements Effect {
    /** A fatal alert of TLS: unrecognized_name (RFC 8446 §6). Programs show it to people. */
    private static final byte[] UNRECOGNIZED_NAME = {0x15, 3, 3, 0, 2, 2, 112};

    private final Connection connection;
    private final Hub hub;
    private final Stream upstream;
    private final Passage passage;
    private final Way out;
    private final Way in;
    private final HelloGate gate;
    private boolean begun;
    private boolean refused;

    /**
     * A tunnel.
     *
     * @param upstream owned from here on
     * @param greeting what the client gets first
     */
    Tunnel(Connection connection, Stream upstream, Passage passage, byte[] greeting) {
        this.connection = connection;
        this.hub = connection.hub();
        this.upstream = upstream;
        this.passage = passage;
        this.out = new Way(hub, connection.client(), upstream, passage, true);
        this.in = new Way(hub, upstream, connection.client(), passage, false);
        in.greet(greeting);
        this.gate = new HelloGate(connection, upstream, passage, out, in);
    }

    /** One for what follows after a request was decided and sent: see 101 of HTTP. */
    static Tunnel switched(
            Connection connection, Stream upstream, Passage passage, byte[] greeting) {
        Tunnel tunnel = new Tunnel(connection, upstream, passage, greeting);
        tunnel.gate.open();
        return tunnel;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    void advance() throws ErrnoException {
        if (refused) {
            return;
        }
        if (!begun) {
            begun = true;
            arm();
        }
        boolean more = in.advance();
        if (!gate.isOpen()) {
            if (gate.look()) {
                more |= in.advance();
            }
            if (!gate.refusal().isEmpty()) {
                refuse();
                return;
            }
            arm();
        }
        more |= out.advance() || gate.isReady();
        if (!in.owesGiven()) {
            connection.answerHeads().drop();
        }
        if (connection.client().isGone() && !in.isOver()) {
            connection.cut("the client went away");
        } else if (passage.isExceeded()) {
            connection.cut(hub.spending.exceeded(passage.destination()));
        } else if (in.isOver() && (out.isOver() || in.isBroken())) {
            finish();
        } else if (more) {
            hub.wake(connection);
        }
    }

    private void finish() {
        if (in.isBroken() || out.isBroken()) {
            connection.cut("");
        } else {
            passage.end("");
            connection.close();
        }
    }

    private void arm() {
        if (gate.isTimed()) {
            connection.dueAt(gate.until());
        } else {
            connection.dueWhenIdle();
        }
    }

    private void refuse() {
        refused = true;
        passage.refuse(gate.refusal(), this);
    }

    /** The refusal is recorded: a client that is told nothing else yet is told by TLS. */
    @Override
    public void take() throws ErrnoException {
        if ((gate.hasRetried() || !passage.hasReceived())
                && in.isDrained()
                && !connection.client().sendWhole(UNRECOGNIZED_NAME)) {
            connection.cut("");
            return;
        }
        connection.linger();
    }

    @Override
    void overdue() {
        if (gate.isTimed() && hub.now() - gate.until() >= 0) {
            gate.expire();
            refuse();
        } else if (connection.isIdle()) {
            connection.cutIdle();
        } else {
            arm();
        }
    }

    @Override
    boolean isSending() {
        boolean sends = gate.isOpen() || out.allowance() > 0 || !out.isDrained();
        return sends && !refused && !out.isOver();
    }

    @Override
    void release(String reason) {
        boolean whole = reason.isEmpty() && !out.isBroken() && !in.isBroken();
        out.close();
        in.close();
        if (whole) {
            upstream.close();
        } else {
            upstream.reset();
        }
        passage.end(reason);
    }
}
