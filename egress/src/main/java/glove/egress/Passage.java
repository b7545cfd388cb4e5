package glove.egress;

import glove.egress.EgressEvent.Kind;
import glove.egress.EgressEvent.Protocol;

/**
 * What one decision allowed, from the decision to its end, and what went through. Every passage
 * ends exactly once, with an event. Confined to the thread of the proxy.
 */
final class Passage {
    private final Connection connection;
    private final Hub hub;
    private final Protocol protocol;
    private final Destination destination;
    private final EgressRule rule;
    private final long since;
    private String address;
    private long out;
    private long in;
    private boolean exceeded;
    private boolean ended;

    /**
     * One that is being allowed.
     *
     * @param address those that may be dialled
     */
    Passage(
            Connection connection,
            Protocol protocol,
            Destination destination,
            EgressRule rule,
            String address) {
        this.connection = connection;
        this.hub = connection.hub();
        this.protocol = protocol;
        this.destination = destination;
        this.rule = rule;
        this.address = address;
        this.since = hub.now();
    }

    Protocol protocol() {
        return protocol;
    }

    Destination destination() {
        return destination;
    }

    EgressRule rule() {
        return rule;
    }

    String address() {
        return address;
    }

    /** It is this one of the addresses. */
    void reached(String chosen) {
        address = chosen;
    }

    /** The event that allows it; to be recorded before anything goes through. */
    EgressEvent allowed() {
        return event(Kind.ALLOWED, "");
    }

    private EgressEvent event(Kind kind, String reason) {
        return new EgressEvent(
                kind,
                protocol,
                destination.toString(),
                address,
                rule.origin(),
                reason,
                out,
                in,
                hub.now() - since,
                1);
    }

    /** How many bytes more may go out. */
    long remaining() {
        return hub.spending.remaining(destination.host());
    }

    /** These were taken from the client to be sent. */
    void taken(int bytes) {
        hub.spending.spend(destination.host(), bytes);
    }

    void sent(int bytes) {
        out += bytes;
        connection.moved();
    }

    void received(int bytes) {
        in += bytes;
        connection.moved();
    }

    /** How many bytes went out. */
    long bytesOut() {
        return out;
    }

    /** How many bytes went through, both ways. */
    long bytes() {
        return out + in;
    }

    /** Whether the other side has said anything. */
    boolean hasReceived() {
        return in > 0;
    }

    /** The client has more to send than a limit lets through: it has to be cut off. */
    void exceed() {
        exceeded = true;
    }

    boolean isExceeded() {
        return exceeded;
    }

    /** It is over; a reason when that is not its ordinary end. The first end stands. */
    void end(String reason) {
        if (!ended) {
            ended = true;
            hub.decisions.end(event(Kind.ENDED, reason));
        }
    }

    /** It is over because the destination could not be reached. */
    void fail(String reason, Effect effect) {
        if (!ended) {
            ended = true;
            hub.decisions.add(event(Kind.FAILED, reason), effect);
        }
    }

    /** It is over because of what the client did in it. */
    void refuse(String reason, Effect effect) {
        if (!ended) {
            ended = true;
            hub.decisions.refuse(event(Kind.REFUSED, reason), effect);
        }
    }
}
