package glove.gateway;

import glove.gateway.GatewayEvent.Kind;
import glove.gateway.GatewayEvent.Payload;
import glove.gateway.GatewayEvent.Subject;
import glove.wire.JsonKind;
import glove.wire.JsonSplice;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an agent asks of its tools: looked up, decided, recorded and passed on. Confined to the
 * gateway's thread.
 */
final class AgentRequests {
    /** Of one page of a list. */
    private static final int PAGE_BYTES = 4 << 20;

    /** Of arguments that are recorded; of longer ones there is the digest. */
    private static final int ARGUMENTS_RECORDED = 64 << 10;

    private final Hub hub;
    private final AgentSession agent;
    private final ResourceOwners owners;

    AgentRequests(Hub hub, AgentSession agent) {
        this.hub = hub;
        this.agent = agent;
        this.owners = new ResourceOwners(hub);
    }

    private static void nothing() {}

    /** A request of a session that has begun; upstreams have told what they have. */
    void take(Message request) {
        Optional<AgentMethod> method = AgentMethod.find(request.method())
                .filter(known -> agent.isAdvertised(known.capability()));
        if (method.isEmpty()) {
            refuse(
                    request,
                    Protocol.METHOD_NOT_FOUND,
                    "Method not found: " + Answers.shown(request.method()));
            return;
        }
        String fault = method.get().fault(request);
        if (!fault.isEmpty()) {
            refuse(request, Protocol.INVALID_PARAMS, fault);
            return;
        }
        switch (method.get()) {
            case TOOLS_LIST -> list(request, ListKind.TOOLS);
            case RESOURCES_LIST -> list(request, ListKind.RESOURCES);
            case TEMPLATES_LIST -> list(request, ListKind.TEMPLATES);
            case PROMPTS_LIST -> list(request, ListKind.PROMPTS);
            case TOOLS_CALL -> callTool(request);
            case PROMPTS_GET -> getPrompt(request);
            case RESOURCES_READ -> read(request);
            case SUBSCRIBE -> subscribe(request);
            case UNSUBSCRIBE -> unsubscribe(request);
            case COMPLETE -> complete(request);
            case SET_LEVEL -> setLevel(request);
        }
    }

    private void refuse(Message request, int code, String words) {
        Subject subject = new Subject(Answers.shown(request.method()), "", "");
        agent.refusals()
                .add(GatewayEvent.of(Kind.REFUSED, agent.number(), subject).because(words));
        agent.error(request, code, words);
    }

    private void list(Message request, ListKind kind) {
        Cursors.Binding binding =
                new Cursors.Binding(agent.number(), kind, hub.catalogues.generation(kind));
        int from = 0;
        if (request.param("cursor").isPresent()) {
            from = hub.cursors.read(binding, request.text("cursor").orElse(""));
            if (from == Cursors.NONE) {
                refuse(
                        request,
                        Protocol.INVALID_PARAMS,
                        "The cursor is unknown or stale: begin the list anew");
                return;
            }
        }
        List<Entry> entries = hub.catalogues.listing(kind).entries();
        JsonWriter result = new JsonWriter().beginObject().name(kind.member()).beginArray();
        int bytes = 0;
        int at = from;
        while (at < entries.size() && at - from < hub.limits.pageItems()) {
            byte[] definition = entries.get(at).item().definition();
            bytes += definition.length;
            if (bytes > PAGE_BYTES && at > from) {
                break;
            }
            result.raw(definition);
            at++;
        }
        result.endArray();
        if (at < entries.size()) {
            result.member("nextCursor", hub.cursors.write(binding, at));
        }
        Subject subject = new Subject(request.method(), "", "");
        agent.refusals().add(GatewayEvent.of(Kind.LISTED, agent.number(), subject));
        agent.result(request, result.endObject().toBytes());
        for (UpstreamSession upstream : hub.upstreams().values()) {
            upstream.lists().looked(kind);
        }
    }

    private void callTool(Message request) {
        Optional<JsonValue> arguments = request.param("arguments");
        Optional<String> name = request.text("name");
        if (name.isEmpty() || !isObject(arguments)) {
            refuse(
                    request,
                    Protocol.INVALID_PARAMS,
                    "tools/call has a \"name\" and, as an object, \"arguments\"");
            return;
        }
        Listing tools = hub.catalogues.listing(ListKind.TOOLS);
        Optional<Entry> entry = tools.find(name.get());
        Optional<String> hidden = tools.hiddenReason(name.get());
        if (entry.isEmpty()) {
            unknown(
                    request,
                    name.get(),
                    hidden.orElse("there is no such tool"),
                    "Unknown tool: " + Answers.shown(name.get()));
            return;
        }
        UpstreamSession upstream = entry.get().upstream();
        Subject subject = subject(request, entry.get());
        ToolDecision decision = hub.policy
                .tools()
                .decide(upstream.spec().name(), entry.get().item().name(), arguments);
        if (!decision.isAllowed()) {
            GatewayEvent event = GatewayEvent.of(Kind.DENIED, agent.number(), subject);
            agent.refusals()
                    .add(event.by(decision.rule())
                            .because(decision.reason())
                            .ofCall(0, payload(request, arguments)));
            agent.send(Answers.denial(request.id().toJson(), decision.advice()));
            return;
        }
        Call.Plan plan = new Call.Plan(
                upstream,
                subject,
                decision.rule(),
                decision.resultBytesMax(),
                AgentRequests::nothing);
        forward(request, plan, Optional.of(entry.get().item().name()));
    }

    private static boolean isObject(Optional<JsonValue> value) {
        return value.isEmpty() || value.get().is(JsonKind.OBJECT);
    }

    private static Subject subject(Message request, Entry entry) {
        return new Subject(
                request.method(), entry.upstream().spec().name(), entry.item().name());
    }

    private void unknown(Message request, String name, String reason, String words) {
        Subject subject = new Subject(request.method(), "", Answers.shown(name));
        agent.refusals()
                .add(GatewayEvent.of(Kind.DENIED, agent.number(), subject).because(reason));
        boolean isResource = AgentMethod.RESOURCES_READ.method().equals(request.method());
        int code = isResource ? Protocol.RESOURCE_NOT_FOUND : Protocol.INVALID_PARAMS;
        agent.error(request, code, words);
    }

    private void getPrompt(Message request) {
        Optional<String> name = request.text("name");
        if (name.isEmpty() || !isObject(request.param("arguments"))) {
            refuse(
                    request,
                    Protocol.INVALID_PARAMS,
                    "prompts/get has a \"name\" and, as an object, \"arguments\"");
            return;
        }
        Listing prompts = hub.catalogues.listing(ListKind.PROMPTS);
        Optional<Entry> entry = prompts.find(name.get());
        if (entry.isEmpty()) {
            unknown(
                    request,
                    name.get(),
                    prompts.hiddenReason(name.get()).orElse("there is no such prompt"),
                    "Unknown prompt: " + Answers.shown(name.get()));
            return;
        }
        forward(
                request,
                plan(request, entry.get()),
                Optional.of(entry.get().item().name()));
    }

    private Call.Plan plan(Message request, Entry entry) {
        return plan(entry.upstream(), subject(request, entry), AgentRequests::nothing);
    }

    private Call.Plan plan(UpstreamSession upstream, Subject subject, Runnable onSuccess) {
        return new Call.Plan(upstream, subject, "", hub.limits.frameBytes(), onSuccess);
    }

    private void read(Message request) {
        Optional<String> uri = request.text("uri");
        if (uri.isEmpty()) {
            refuse(request, Protocol.INVALID_PARAMS, request.method() + " has a \"uri\"");
            return;
        }
        Optional<UpstreamSession> upstream = owners.find(uri.get());
        if (upstream.isEmpty()) {
            unknownResource(request, uri.get());
            return;
        }
        Subject subject = new Subject(request.method(), upstream.get().spec().name(), uri.get());
        forward(request, plan(upstream.get(), subject, AgentRequests::nothing), Optional.empty());
    }

    private void unknownResource(Message request, String uri) {
        unknown(
                request,
                uri,
                hub.catalogues
                        .listing(ListKind.RESOURCES)
                        .hiddenReason(uri)
                        .orElse("no upstream has it, no rule allows it, or several could be meant"),
                "Resource not found: " + Answers.shown(uri));
    }

    private void subscribe(Message request) {
        Optional<String> uri = request.text("uri");
        Optional<UpstreamSession> owner = uri.isEmpty() ? Optional.empty() : owners.find(uri.get());
        if (owner.isEmpty()) {
            unknownResource(request, uri.orElse(""));
            return;
        }
        UpstreamSession upstream = owner.get();
        Subscriptions held = upstream.subscriptions();
        if (held.isHeld(uri.get())) {
            held.add(uri.get(), agent);
            answerHere(request, new Subject(request.method(), upstream.spec().name(), uri.get()));
        } else if (!upstream.hello().subscribes()) {
            refuse(request, Protocol.METHOD_NOT_FOUND, "Method not found: " + request.method());
        } else if (held.isFull(uri.get())) {
            refuse(request, Protocol.BUSY, "There are too many subscriptions");
        } else {
            Subject subject = new Subject(request.method(), upstream.spec().name(), uri.get());
            Runnable hold = () -> held.add(uri.get(), agent);
            forward(request, plan(upstream, subject, hold), Optional.empty());
        }
    }

    private void unsubscribe(Message request) {
        String uri = request.text("uri").orElse("");
        for (UpstreamSession upstream : hub.upstreams().values()) {
            boolean last = upstream.subscriptions().remove(uri, agent);
            if (last && upstream.isReady() && upstream.hasRoomFor(request.byteCount())) {
                Subject subject = new Subject(request.method(), upstream.spec().name(), uri);
                forward(request, plan(upstream, subject, AgentRequests::nothing), Optional.empty());
                return;
            }
        }
        answerHere(request, new Subject(request.method(), "", uri));
    }

    /** No upstream need be asked; it is recorded as if one were. */
    private void answerHere(Message request, Subject subject) {
        agent.refusals()
                .add(GatewayEvent.of(Kind.ANSWERED, agent.number(), subject)
                        .ofCall(0, new Payload("", "", request.byteCount(), 0, 0)));
        agent.result(request, Answers.EMPTY_OBJECT);
    }

    private void complete(Message request) {
        Optional<JsonValue> ref = request.param("ref").filter(value -> value.is(JsonKind.OBJECT));
        Optional<Entry> entry = ref.flatMap(this::referred);
        boolean isAllowed = entry.isPresent()
                && hub.policy
                        .completion()
                        .contains(entry.get().upstream().spec().name())
                && entry.get().upstream().hello().has("completions")
                && isCovered(ref.get(), entry.get());
        if (!isAllowed) {
            unknown(
                    request,
                    entry.map(found -> found.item().name()).orElse(""),
                    "no such prompt or template, or its upstream may not complete, or the "
                            + "template reaches past --allow-resources; --allow-completion NAME "
                            + "and a rule that covers it whole allow it",
                    "Unknown reference");
            return;
        }
        forward(
                request,
                plan(request, entry.get()),
                Optional.of(entry.get().item().name()));
    }

    /** What completes a template tells of URIs; of a prompt, nothing that a rule could name. */
    private boolean isCovered(JsonValue ref, Entry entry) {
        return ref.member("name", JsonKind.STRING).isPresent()
                || hub.policy.coversTemplate(
                        entry.upstream().spec().name(), entry.item().name());
    }

    private Optional<Entry> referred(JsonValue ref) {
        Optional<String> type = ref.member("type", JsonKind.STRING).map(JsonValue::string);
        boolean isPrompt = type.filter("ref/prompt"::equals).isPresent();
        if (!isPrompt && type.filter("ref/resource"::equals).isEmpty()) {
            return Optional.empty();
        }
        String key = isPrompt ? "name" : "uri";
        for (JsonValue member : ref.children()) {
            if (!Set.of("type", key, "title").contains(member.name())) {
                return Optional.empty();
            }
        }
        ListKind kind = isPrompt ? ListKind.PROMPTS : ListKind.TEMPLATES;
        return ref.member(key, JsonKind.STRING)
                .flatMap(name -> hub.catalogues.listing(kind).find(name.string()));
    }

    private void setLevel(Message request) {
        int level = Protocol.LEVELS.indexOf(request.text("level").orElse(""));
        if (level < 0) {
            refuse(request, Protocol.INVALID_PARAMS, "\"level\" is none of RFC 5424");
            return;
        }
        agent.setLevel(level);
        hub.levelChanged();
        answerHere(request, new Subject(request.method(), "", Protocol.LEVELS.get(level)));
    }

    /**
     * Passes a request on: its own bytes, with an id, a name and a progress token of the
     * upstream's. Recorded first; sent when that is durable.
     */
    private void forward(Message request, Call.Plan plan, Optional<String> name) {
        UpstreamSession upstream = plan.upstream();
        if (!upstream.isReady() || !upstream.hasRoomFor(request.byteCount())) {
            boolean isGone = !upstream.isReady();
            String words = "Upstream " + upstream.spec().name()
                    + (isGone ? " is not running" : " does not read; too much waits for it");
            agent.refusals()
                    .add(GatewayEvent.of(Kind.REFUSED, agent.number(), plan.subject())
                            .by(plan.rule())
                            .because(words));
            agent.error(request, isGone ? Protocol.UPSTREAM_GONE : Protocol.BUSY, words);
            return;
        }
        Call call = new Call(agent, request, plan);
        upstream.requests().add(call, hub.now());
        agent.open().add(request.id(), call);
        GatewayEvent event = GatewayEvent.of(Kind.CALLED, agent.number(), plan.subject());
        hub.records.add(event.by(plan.rule())
                .ofCall(call.number(), payload(request, request.param("arguments"))));
        JsonSplice splice = Rewriting.request(request, MessageId.of(call.id).toJson());
        named(request)
                .filter(old -> name.isPresent())
                .ifPresent(old -> splice.replace(
                        old, new JsonWriter().value(name.orElseThrow()).toBytes()));
        upstream.send(splice.toBytes());
    }

    /** Where a name of ours stands in a request. */
    private static Optional<JsonValue> named(Message request) {
        Optional<JsonValue> ref = request.param("ref").filter(value -> value.is(JsonKind.OBJECT));
        return ref.isPresent() ? ref.get().member("name") : request.param("name");
    }

    private Payload payload(Message request, Optional<JsonValue> arguments) {
        if (arguments.isEmpty()) {
            return new Payload("", "", request.byteCount(), 0, 0);
        }
        JsonValue given = arguments.get();
        boolean isKept = hub.policy.recordsArguments() && given.byteCount() <= ARGUMENTS_RECORDED;
        String digest = Digests.hex(given.toBytes());
        return new Payload(digest, isKept ? given.toJson() : "", request.byteCount(), 0, 0);
    }
}
