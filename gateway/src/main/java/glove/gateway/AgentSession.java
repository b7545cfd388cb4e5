package glove.gateway;

import glove.gateway.GatewayEvent.Kind;
import glove.gateway.GatewayEvent.Subject;
import glove.wire.JsonLimits;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * One agent's connection: its frames, the state of its session, what it has asked and what it was
 * asked. Owns its channel. Confined to the gateway's thread.
 */
final class AgentSession {
    /** How far its session has come. */
    private enum State {
        /** It has not sent initialize. */
        NEW,
        /** It has; the answer waits for upstreams. */
        GREETING,
        /** It was answered. */
        GREETED,
        /** It has said that it is ready. */
        ACTIVE
    }

    private static final long MILLI = 1_000_000L;

    /** Of its initialize, which is kept until upstreams have answered. */
    private static final int GREETING_BYTES_MAX = 1 << 20;

    private final Hub hub;
    private final int number;
    private final Peer peer;
    private final AgentRequests requests;
    private final Refusals refusals;
    private final OpenRequests open = new OpenRequests();
    private final AgentAsks asks;
    private final Set<String> changedLists = new LinkedHashSet<>();

    private State state = State.NEW;
    private Set<String> advertised = Set.of();
    private @Nullable Message greeting; // while its answer waits
    private boolean saidInitialized;
    private boolean isReleasing;
    private long greetingDue;
    private int level;
    private int askedLevel = Protocol.LEVELS.size();
    private int malformed;
    private boolean isOver;

    /** Why it ends after what waits for it was written once; empty when it goes on. */
    private String doom = "";

    AgentSession(Hub hub, int number, Peer peer) {
        this.hub = hub;
        this.number = number;
        this.peer = peer;
        this.asks = new AgentAsks(hub, this);
        this.refusals = new Refusals(hub, number, "");
        this.requests = new AgentRequests(hub, this);
    }

    Hub hub() {
        return hub;
    }

    int number() {
        return number;
    }

    /** Whether it is read no further until it has read what waits for it. */
    private boolean isPaused() {
        return peer.waitingBytes() > hub.limits.agentQueueBytes();
    }

    /** Whether it has said something that was not taken yet. */
    boolean isSpeaking() {
        return !peer.isExhausted();
    }

    Refusals refusals() {
        return refusals;
    }

    int waitingBytes() {
        return peer.waitingBytes();
    }

    /** Whether so much more should not be kept for it. */
    boolean isHoarding(int bytes) {
        int waiting = peer.waitingBytes();
        boolean own = waiting > 0 && (long) waiting + bytes > hub.limits.agentHoardBytes();
        return own || !hub.hasRoomForAgents(bytes);
    }

    /** Whether a turn would do something. */
    boolean hasWork() {
        return (!isPaused() && (isReleasing || peer.hasWork())) || isEnding();
    }

    private boolean isEnding() {
        boolean served = peer.isSilent() && open.isEmpty() && peer.waitingFrames() == 0;
        return peer.isGone() || served || !doom.isEmpty();
    }

    /** Takes what it says, at most so many frames. */
    void work(int framesMax) {
        if (!doom.isEmpty()) {
            end(doom);
        }
        if (isReleasing) {
            release();
        }
        peer.beginRound();
        for (int i = 0; i < framesMax && !isOver && doom.isEmpty() && !isPaused(); i++) {
            if (hub.isLateAfter(i)) {
                break;
            }
            Optional<byte[]> frame = peer.take();
            if (frame.isEmpty()) {
                break;
            }
            if (!Message.isBlank(frame.get())) {
                long begun = hub.clock();
                receive(frame.get());
                peer.took(frame.get().length, hub.clock() - begun);
            }
        }
        if (!isOver && doom.isEmpty() && isEnding()) {
            end(peer.endReason());
        }
    }

    private void receive(byte[] frame) {
        Message message;
        try {
            JsonLimits limits = JsonLimits.FRAME.withBytesMax(hub.limits.frameBytes());
            message = Message.read(frame, limits);
        } catch (MalformedException e) {
            malformed(e);
            return;
        }
        switch (message.kind()) {
            case REQUEST -> request(message);
            case NOTIFICATION -> notification(message);
            case RESULT, ERROR -> answer(message);
        }
    }

    private void malformed(MalformedException e) {
        // An id that is in use belongs to another request, which this is no answer to.
        byte[] id = e.asked().filter(asked -> !open.has(asked)).isPresent()
                ? e.asked().orElseThrow().toJson()
                : Answers.ascii("null");
        refused("", e.words());
        send(Answers.error(id, e.code(), e.words()));
        malformed += e.asked().isPresent() && e.code() == Protocol.PARSE_ERROR ? 0 : 1;
        if (malformed >= hub.limits.malformed()) {
            doom = "it sent " + malformed
                    + " frames that are no messages; see the first reasons in "
                    + "the audit log, and connect again with a client that speaks MCP over stdio";
        }
    }

    private void refused(String method, String why) {
        Subject subject = new Subject(Answers.shown(method), "", "");
        refusals.add(GatewayEvent.of(Kind.REFUSED, number, subject).because(why));
    }

    private void request(Message request) {
        if (open.has(request.id())) {
            malformed(new MalformedException(
                    Protocol.INVALID_REQUEST,
                    Optional.empty(),
                    "the id of a request that is still under way"));
            return;
        }
        switch (request.method()) {
            case "ping" -> result(request, Answers.EMPTY_OBJECT);
            case "initialize" -> initialize(request);
            default -> inOrder(request);
        }
    }

    private void inOrder(Message request) {
        if (state == State.NEW || !saidInitialized) {
            refused(request.method(), "before the session has begun");
            error(
                    request,
                    Protocol.INVALID_REQUEST,
                    "The session begins with initialize and " + Protocol.INITIALIZED);
        } else if (open.count() >= hub.limits.agentRequests()) {
            refused(
                    request.method(),
                    "more than " + hub.limits.agentRequests() + " requests under way");
            error(request, Protocol.BUSY, "Too many requests are under way");
        } else if (hub.isSettled() && state == State.ACTIVE) {
            requests.take(request);
        } else if (open.heldBytes() + request.memoryBytes() > hub.limits.agentQueueBytes()) {
            refused(request.method(), "it is too much to keep until upstreams have answered");
            error(request, Protocol.BUSY, "Upstreams are still starting, and too much waits");
        } else {
            open.hold(request);
        }
    }

    /** Whether it reads what it is sent, so that it can be asked more. */
    boolean hasRoomFor(int bytes) {
        return !isPaused()
                && (long) peer.waitingBytes() + bytes <= hub.limits.agentHoardBytes()
                && hub.hasRoomForAgents(bytes);
    }

    private void initialize(Message request) {
        if (state != State.NEW) {
            refused(request.method(), "initialize a second time");
            error(request, Protocol.INVALID_REQUEST, "The session has begun already");
            return;
        }
        if (request.text("protocolVersion").isEmpty()) {
            refused(request.method(), "initialize without protocolVersion");
            error(request, Protocol.INVALID_PARAMS, "\"protocolVersion\" is not a string");
            return;
        }
        if (request.memoryBytes() > GREETING_BYTES_MAX) {
            refused(request.method(), "an initialize of " + request.byteCount() + " bytes");
            error(request, Protocol.INVALID_PARAMS, "initialize is too large");
            return;
        }
        asks.setCapabilities(request);
        state = State.GREETING;
        greeting = request;
        greetingDue = hub.now() + hub.limits.times().hello() * MILLI;
        open.hold(request);
        if (hub.isSettled()) {
            greet();
        }
    }

    private void greet() {
        Message request = greeting;
        if (request == null) {
            return;
        }
        greeting = null;
        open.remove(request.id());
        state = saidInitialized ? State.ACTIVE : State.GREETED;
        Greeting answer = Greeting.of(hub, request);
        advertised = answer.capabilities();
        Subject subject = new Subject("initialize", "", "");
        refusals.add(GatewayEvent.of(Kind.INITIALIZED, number, subject).because(answer.revision()));
        result(request, answer.result());
    }

    /** Whether it was told of a capability of the gateway's. */
    boolean isAdvertised(String capability) {
        return advertised.contains(capability);
    }

    /** All upstreams have told what they have: what waited for that is done. */
    void upstreamsSettled() {
        greet();
        isReleasing = true;
        release();
    }

    /** Not more at once than it reads answers to. */
    private void release() {
        for (Message request : open.held()) {
            if (isPaused()) {
                return;
            }
            if (state == State.ACTIVE && open.remove(request.id())) {
                requests.take(request);
            }
        }
        isReleasing = false;
    }

    private void notification(Message notification) {
        switch (notification.method()) {
            case Protocol.INITIALIZED -> {
                saidInitialized |= state != State.NEW;
                if (state == State.GREETED) {
                    state = State.ACTIVE;
                }
            }
            case Protocol.CANCELLED -> cancelled(notification);
            case Protocol.PROGRESS -> asks.progress(notification);
            case Protocol.ROOTS_CHANGED -> {} // upstreams are not told the agent's roots
            default -> refused(notification.method(), "no such notification is known here");
        }
    }

    private void cancelled(Message notification) {
        Optional<MessageId> id = notification.param("requestId").flatMap(MessageId::read);
        boolean isGreeting = greeting != null && id.isPresent() && greeting.id().equals(id.get());
        if (id.isPresent() && !isGreeting) {
            open.cancel(id.get(), Answers.shown(notification.text("reason").orElse("")));
        }
    }

    private void answer(Message answer) {
        if (!asks.answer(answer)) {
            refused("", "an answer to nothing that was asked, or a second one");
        }
    }

    AgentAsks asks() {
        return asks;
    }

    /** Whether it can answer that kind of question. */
    boolean isAble(boolean isSampling) {
        return state == State.ACTIVE && asks.isAble(isSampling);
    }

    /** What it has asked and has no answer to. */
    OpenRequests open() {
        return open;
    }

    void result(Message request, byte[] result) {
        send(Answers.result(request.id().toJson(), result));
    }

    void error(Message request, int code, String message) {
        send(Answers.error(request.id().toJson(), code, message));
    }

    /** Sends what it has asked for. */
    void send(byte[] frame) {
        peer.send(frame);
    }

    /** Sends what it can do without, unless it does not read what it was sent already. */
    void notify(byte[] frame) {
        if (state == State.ACTIVE && !isPaused()) {
            peer.send(frame);
        }
    }

    /** It wants log messages from that level on. */
    void setLevel(int least) {
        level = least;
        askedLevel = least;
    }

    /** The level it asked for; one more than there are when it has not. */
    int askedLevel() {
        return askedLevel;
    }

    boolean wantsLog(int of) {
        return of >= level && isAdvertised("logging");
    }

    /** Lists are not what they were. */
    void listsChanged(Set<ListKind> kinds) {
        for (ListKind kind : kinds) {
            if (state == State.ACTIVE && isAdvertised(kind.capability())) {
                changedLists.add(kind.changed());
            }
        }
    }

    /** Does what is due. */
    void expire(long now) {
        if (greeting != null && greetingDue - now <= 0) {
            greet();
        }
        refusals.expire(now);
    }

    /** The earliest moment something is due, or the given one when that is earlier. */
    long earliest(long other) {
        long earliest = refusals.earliest(peer.earliest(other));
        return greeting != null && greetingDue - earliest < 0 ? greetingDue : earliest;
    }

    /** Writes what it takes now. */
    void flush() {
        peer.flush();
        if (!changedLists.isEmpty() && !isPaused()) {
            changedLists.forEach(method -> peer.send(Answers.notification(method)));
            changedLists.clear();
            peer.flush();
        }
    }

    /** The session is over; what is under way for it is given up. */
    void end(String reason) {
        if (isOver) {
            return;
        }
        isOver = true;
        open.cancelAll("the client is gone");
        asks.loseAll("the client is gone");
        hub.agents().remove(this);
        hub.levelChanged();
        for (UpstreamSession upstream : hub.upstreams().values()) {
            for (String uri : upstream.subscriptions().removeAll(this)) {
                upstream.askAboutUri("resources/unsubscribe", uri);
            }
        }
        refusals.add(GatewayEvent.of(Kind.LEFT, number, Subject.NONE).because(reason));
        refusals.leave();
        peer.close();
        hub.owner.agentEnded(number, reason);
    }

    /** Closes its channel; nobody is told. */
    void close() {
        isOver = true;
        peer.close();
    }
}
