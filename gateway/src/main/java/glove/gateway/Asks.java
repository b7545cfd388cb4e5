package glove.gateway;

import glove.gateway.GatewayEvent.Kind;
import glove.gateway.GatewayEvent.Payload;
import glove.gateway.GatewayEvent.Subject;
import glove.wire.JsonKind;
import glove.wire.JsonSplice;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an upstream asks: answered here where that is possible, passed to an agent where its name
 * is allowed to ask, refused otherwise. Confined to the gateway's thread.
 */
final class Asks {
    private static final int OPEN_MAX = 8;

    /** Of one upstream, on average. */
    private static final int ASKS_PER_SECOND = 4;

    private final Hub hub;
    private final UpstreamSession upstream;
    private final Map<MessageId, Ask> open = new LinkedHashMap<>();
    private final Bucket bucket;

    Asks(Hub hub, UpstreamSession upstream) {
        this.hub = hub;
        this.upstream = upstream;
        this.bucket = new Bucket(ASKS_PER_SECOND, hub.now());
    }

    /** Whether an agent is being asked, so that the upstream has reason to be silent. */
    boolean isAnyOpen() {
        return !open.isEmpty();
    }

    /** A request of the upstream. */
    void request(Message request) {
        byte[] id = request.id().toJson();
        switch (request.method()) {
            case "ping" -> upstream.send(Answers.result(id, Answers.EMPTY_OBJECT));
            case "roots/list" -> upstream.send(Answers.result(id, roots()));
            case "sampling/createMessage" ->
                ask(request, hub.policy.sampling().contains(name()), "--allow-sampling");
            case "elicitation/create" ->
                ask(request, hub.policy.elicitation().contains(name()), "--allow-elicitation");
            default -> refuse(request, Protocol.METHOD_NOT_FOUND, "no such request is known here");
        }
    }

    private String name() {
        return upstream.spec().name();
    }

    private byte[] roots() {
        JsonWriter roots = new JsonWriter().beginObject().name("roots").beginArray();
        boolean none = hub.policy.withoutRoots().contains(upstream.spec().name());
        for (Root root : none ? List.<Root>of() : hub.policy.roots()) {
            roots.beginObject()
                    .member("uri", root.uri())
                    .member("name", root.name())
                    .endObject();
        }
        return roots.endArray().endObject().toBytes();
    }

    private void refuse(Message request, int code, String why) {
        upstream.refusals()
                .add(GatewayEvent.of(Kind.REFUSED, 0, subject(request)).because(why));
        String words = code == Protocol.METHOD_NOT_FOUND
                ? "Method not found: " + Answers.shown(request.method())
                : why;
        upstream.send(Answers.error(request.id().toJson(), code, words));
    }

    private Subject subject(Message request) {
        return new Subject(Answers.shown(request.method()), name(), "");
    }

    private void ask(Message request, boolean isAllowed, String option) {
        if (!isAllowed) {
            refuse(
                    request,
                    Protocol.METHOD_NOT_FOUND,
                    "this upstream may not ask that; " + option + " " + name() + " allows it");
            return;
        }
        boolean sampling = request.method().startsWith("sampling");
        String fault = sampling ? samplingFault(request) : elicitationFault(request);
        if (request.param("_meta").filter(m -> m.hasLookalike(Rewriting.SOURCE)).isPresent()) {
            fault = "a member of _meta that is Glove's to set";
        }
        if (!Rewriting.isTokenWell(request)) {
            fault = "a progress token is a string or an integer";
        }
        if (open.containsKey(request.id()) || open.size() >= OPEN_MAX) {
            fault = "too many requests of this upstream wait for answers";
        }
        if (!fault.isEmpty()) {
            refuse(request, Protocol.INVALID_PARAMS, fault);
            return;
        }
        if (!bucket.take(hub.now())) {
            refuse(request, Protocol.BUSY, "it asks more than " + ASKS_PER_SECOND + " a second");
            return;
        }
        Optional<AgentSession> agent = hub.agentFor(upstream, sampling);
        if (agent.isEmpty()) {
            refuse(
                    request,
                    Protocol.METHOD_NOT_FOUND,
                    "no agent that can answer has a request under way here, or several have");
            return;
        }
        if (!agent.get().hasRoomFor(request.byteCount())) {
            refuse(request, Protocol.BUSY, "the agent does not read; too much waits for it");
            return;
        }
        Ask ask = agent.get().asks().open(upstream, request);
        open.put(ask.upstreamId(), ask);
        GatewayEvent event = GatewayEvent.of(Kind.ASKED, agent.get().number(), subject(request))
                .by(option);
        hub.records.add(event.ofCall(0, new Payload("", "", request.byteCount(), 0, 0)));
        byte[] id = MessageId.of(ask.number()).toJson();
        agent.get().send(toAgent(request, id, sampling));
    }

    private byte[] toAgent(Message request, byte[] id, boolean sampling) {
        JsonSplice splice = Rewriting.request(request, id);
        Rewriting.tag(request, splice, name());
        if (sampling) {
            // Else the client adds what other upstreams have told it.
            request.param("includeContext")
                    .ifPresent(context -> splice.replace(context, Answers.ascii("\"none\"")));
        } else {
            JsonValue message = request.param("message").orElseThrow();
            String told = Forms.marked(name(), message.string());
            splice.replace(message, new JsonWriter().value(told).toBytes());
            Forms.clean(request.param("requestedSchema").orElseThrow(), splice);
        }
        return splice.toBytes();
    }

    private static String samplingFault(Message request) {
        boolean known = isOnly(
                request,
                "messages",
                "modelPreferences",
                "systemPrompt",
                "includeContext",
                "temperature",
                "maxTokens",
                "stopSequences",
                "metadata",
                "_meta");
        if (!known) {
            return "a member of sampling/createMessage that is not mediated";
        }
        return request.param("messages").filter(Asks::usesTools).isPresent()
                ? "messages of a sampling are text, pictures and sounds, without tools"
                : "";
    }

    /** Whether some content, of one block or of several, is about tools. */
    private static boolean usesTools(JsonValue messages) {
        for (JsonValue message : messages.children()) {
            Optional<JsonValue> content =
                    message.is(JsonKind.OBJECT) ? message.member("content") : Optional.empty();
            if (content.isPresent() && isTool(content.get())) {
                return true;
            }
            boolean isList = content.isPresent() && content.get().is(JsonKind.ARRAY);
            for (JsonValue block : isList ? content.get().children() : List.<JsonValue>of()) {
                if (isTool(block)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isTool(JsonValue block) {
        return block.is(JsonKind.OBJECT)
                && block.member("type", JsonKind.STRING)
                        .filter(type -> type.string().startsWith("tool"))
                        .isPresent();
    }

    private static String elicitationFault(Message request) {
        if (!isOnly(request, "message", "requestedSchema", "mode", "_meta")) {
            return "a member of elicitation/create that is not mediated";
        }
        return Forms.fault(request);
    }

    private static boolean isOnly(Message request, String... known) {
        if (request.params().isEmpty()) {
            return false;
        }
        for (JsonValue member : request.params().get().children()) {
            if (!List.of(known).contains(member.name())) {
                return false;
            }
        }
        return true;
    }

    /** The upstream does not want an answer any more. */
    void cancelled(Message notification) {
        Optional<MessageId> id = notification.param("requestId").flatMap(MessageId::read);
        Ask ask = id.isEmpty() ? null : open.get(id.get());
        if (ask != null) {
            ask.cancelled(Answers.shown(notification.text("reason").orElse("")));
        }
    }

    void closed(Ask ask) {
        open.remove(ask.upstreamId());
        if (open.isEmpty()) {
            upstream.requests().touch(hub.now());
        }
    }

    /** The upstream is gone. */
    void cancelAll(String reason) {
        new ArrayList<>(open.values()).forEach(ask -> ask.cancelled(reason));
    }

    /** Gives up those nobody has answered in time. */
    void expire(long now) {
        for (Ask ask : new ArrayList<>(open.values())) {
            if (ask.due() - now <= 0) {
                ask.cancelled("it was not answered in time");
                upstream.send(Answers.error(
                        ask.upstreamId().toJson(),
                        Protocol.TIMED_OUT,
                        "the client did not answer in time"));
            }
        }
    }

    /** The earliest moment one is given up, or the given one when that is earlier. */
    long earliest(long other) {
        long earliest = other;
        for (Ask ask : open.values()) {
            earliest = ask.due() - earliest < 0 ? ask.due() : earliest;
        }
        return earliest;
    }
}
