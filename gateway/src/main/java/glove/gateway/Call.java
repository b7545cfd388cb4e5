package glove.gateway;

import glove.gateway.GatewayEvent.Kind;
import glove.gateway.GatewayEvent.Payload;
import glove.gateway.GatewayEvent.Subject;
import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.Optional;

/** A request of an agent that an upstream was sent. Confined to the gateway's thread. */
final class Call extends Pending implements Open {
    /**
     * What is asked of whom. Immutable.
     *
     * @param subject for the record
     * @param rule that allows it
     * @param resultBytesMax of the answer
     * @param onSuccess is done when there is a result
     */
    record Plan(
            UpstreamSession upstream,
            Subject subject,
            String rule,
            long resultBytesMax,
            Runnable onSuccess) {}

    private final AgentSession agent;
    private final MessageId agentId;
    private final Optional<byte[]> token;
    private final Plan plan;
    private final long number;
    private final long begun;
    private final long bytesOut;

    Call(AgentSession agent, Message request, Plan plan) {
        this.agent = agent;
        this.agentId = request.id();
        this.token = request.progressToken().map(JsonValue::toBytes);
        this.plan = plan;
        this.number = agent.hub().records.nextCall();
        this.begun = agent.hub().now();
        this.bytesOut = request.byteCount();
    }

    UpstreamSession upstream() {
        return plan.upstream();
    }

    /** Of the record. */
    long number() {
        return number;
    }

    Plan plan() {
        return plan;
    }

    private boolean isTool() {
        return plan.subject().method().equals(AgentMethod.TOOLS_CALL.method());
    }

    @Override
    void answered(Message answer) {
        agent.open().remove(agentId);
        byte[] id = agentId.toJson();
        JsonValue outcome = answer.outcome();
        if (answer.kind() == Message.Kind.RESULT && !outcome.is(JsonKind.OBJECT)) {
            fail(Protocol.INTERNAL_ERROR, "the upstream answered with something that is no result");
        } else if (outcome.byteCount() > plan.resultBytesMax()) {
            tooLarge(outcome.byteCount());
        } else if (agent.isHoarding(answer.byteCount())) {
            fail(Protocol.TOO_LARGE, "too many results wait to be read; this one was not kept");
        } else if (answer.kind() == Message.Kind.ERROR) {
            record(Kind.FAILED, "the upstream answered with an error", answer.byteCount());
            agent.send(Rewriting.answer(answer, id));
        } else {
            boolean isError = isTool()
                    && outcome.member("isError", JsonKind.BOOLEAN)
                            .filter(JsonValue::truth)
                            .isPresent();
            record(
                    isError ? Kind.FAILED : Kind.ANSWERED,
                    isError ? "the tool failed" : "",
                    answer.byteCount());
            plan.onSuccess().run();
            agent.send(Rewriting.answer(answer, id));
        }
    }

    private void tooLarge(int bytes) {
        String sizes = bytes + " bytes, more than the " + plan.resultBytesMax() + " allowed";
        if (isTool()) {
            record(Kind.FAILED, "the result has " + sizes, bytes);
            agent.send(Answers.toolError(
                    agentId.toJson(),
                    "The result was left out: it has " + sizes + ". Ask for less at a time."));
        } else {
            fail(Protocol.TOO_LARGE, "the result has " + sizes);
        }
    }

    @Override
    void lost(int code, String reason) {
        agent.open().remove(agentId);
        fail(code, reason);
    }

    private void fail(int code, String reason) {
        record(Kind.FAILED, reason, 0);
        agent.send(Answers.error(agentId.toJson(), code, reason));
    }

    @Override
    void progressed(Message progress) {
        token.ifPresent(own -> agent.notify(Rewriting.progress(progress, own)));
    }

    @Override
    public void cancel(String reason) {
        record(Kind.CANCELLED, reason, 0);
        upstream().giveUp(this, reason);
    }

    private void record(Kind kind, String reason, long bytesIn) {
        long nanos = agent.hub().now() - begun;
        GatewayEvent event = GatewayEvent.of(kind, agent.number(), plan.subject())
                .by(plan.rule())
                .because(reason);
        agent.hub()
                .records
                .add(event.ofCall(number, new Payload("", "", bytesOut, bytesIn, nanos)));
    }
}
