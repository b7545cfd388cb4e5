package glove.gateway;

import glove.gateway.GatewayEvent.Kind;
import glove.gateway.GatewayEvent.Payload;
import glove.gateway.GatewayEvent.Subject;
import glove.wire.JsonKind;

import java.util.Optional;

/** A request of an upstream that an agent was sent. Confined to the gateway's thread. */
final class Ask {
    private final Hub hub;
    private final UpstreamSession upstream;
    private final AgentSession agent;
    private final MessageId upstreamId;
    private final Optional<byte[]> token;
    private final String method;
    private final long number;
    private final long due;

    /**
     * An ask.
     *
     * @param request as the upstream sent it
     * @param number under which the agent gets it
     * @param due when it is given up
     */
    Ask(UpstreamSession upstream, AgentSession agent, Message request, long number, long due) {
        this.hub = upstream.hub();
        this.upstream = upstream;
        this.agent = agent;
        this.upstreamId = request.id();
        this.token = request.progressToken().map(value -> value.toBytes());
        this.method = request.method();
        this.number = number;
        this.due = due;
    }

    MessageId upstreamId() {
        return upstreamId;
    }

    long number() {
        return number;
    }

    /** When it is given up. */
    long due() {
        return due;
    }

    /** The agent has answered. */
    void answered(Message answer) {
        close();
        boolean result = answer.kind() == Message.Kind.RESULT;
        if (result && !answer.outcome().is(JsonKind.OBJECT)) {
            refuse("the client answered with something that is no result");
            return;
        }
        if (!upstream.hasRoomFor(answer.byteCount())) {
            refuse("the upstream does not read; too much waits for it");
            return;
        }
        record(result ? Kind.ANSWERED : Kind.FAILED, "", answer.byteCount());
        upstream.send(Rewriting.answer(answer, upstreamId.toJson()));
    }

    /** The agent tells how far it is; an upstream that does not read is not told. */
    void progressed(Message progress) {
        if (token.isPresent() && upstream.hasRoomFor(progress.byteCount())) {
            upstream.send(Rewriting.progress(progress, token.get()));
        }
    }

    /** The agent is gone or did not answer in time. */
    void lost(String reason) {
        close();
        refuse(reason);
    }

    private void refuse(String reason) {
        record(Kind.FAILED, reason, 0);
        upstream.send(Answers.error(upstreamId.toJson(), Protocol.INTERNAL_ERROR, reason));
    }

    /** The upstream does not want the answer any more. */
    void cancelled(String reason) {
        close();
        record(Kind.CANCELLED, "", 0);
        agent.send(Answers.cancelled(MessageId.of(number).toJson(), reason));
    }

    private void close() {
        agent.asks().closed(this);
        upstream.asks().closed(this);
    }

    private void record(Kind kind, String reason, long bytes) {
        Subject subject = new Subject(method, upstream.spec().name(), "");
        GatewayEvent event = GatewayEvent.of(kind, agent.number(), subject).because(reason);
        hub.records.add(event.ofCall(0, new Payload("", "", 0, bytes, 0)));
    }
}
