package glove.gateway;

import glove.gateway.GatewayEvent.Kind;
import glove.gateway.GatewayEvent.Subject;
import glove.sys.ErrnoException;
import glove.sys.OwnedFd;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * One upstream over all its runs: it is started, speaks, ends, is started again. A request it has
 * not answered when it ends is lost, and never sent to the next run. Owns the channel of the run.
 * Confined to the gateway's thread.
 */
final class UpstreamSession {
    /** Of a run. */
    private enum State {
        /** No run has begun, or none has since the last ended. */
        DOWN,
        /** It was greeted and has not answered. */
        STARTING,
        READY,
        /** There will be no other run. */
        GIVEN_UP
    }

    private static final long MILLI = 1_000_000L;

    private static final int MALFORMED_FACTOR = 16;

    /**
     * What agents ask waits so long for an upstream that begins, and no longer: those that npx and
     * the like download first take 15 s.
     */
    private static final long SETTLE_MILLIS = 30_000;

    private final Hub hub;
    private final UpstreamSpec spec;
    private final Catalogue catalogue;
    private final Subscriptions subscriptions = new Subscriptions();
    private final UpstreamNotices notices;
    private final Refusals refusals;
    private final Refusals pinRecords; // of what its owner is to accept: nothing else uses them up
    private final Told told;
    private final Restarts restarts;

    private State state = State.DOWN;
    private @Nullable Peer peer; // while there is a run
    private @Nullable Diagnostics diagnostics; // while there is one whose run gives them
    private Requests requests;
    private Lists lists;
    private Asks asks;
    private UpstreamHello hello = UpstreamHello.NONE;
    private boolean isSettled;
    private final long settleDue; // the others are served without it then
    private long startDue;
    private int malformedInRow;
    private boolean isNonsenseTold;
    private LevelTelling level;

    UpstreamSession(Hub hub, UpstreamSpec spec) {
        this.hub = hub;
        this.spec = spec;
        this.refusals = new Refusals(hub, 0, spec.name());
        this.told = new Told(hub, spec.name());
        this.pinRecords = new Refusals(hub, 0, spec.name());
        this.catalogue = new Catalogue(hub, spec, told, pinRecords);
        this.restarts = new Restarts(hub);
        this.notices = new UpstreamNotices(hub, this);
        this.requests = new Requests(spec.name(), hub.limits.times());
        this.lists = new Lists(hub, this);
        this.asks = new Asks(hub, this);
        this.level = new LevelTelling(hub, this);
        this.startDue = hub.now() + hub.limits.times().start() * MILLI;
        this.settleDue = hub.now() + Math.min(SETTLE_MILLIS, hub.limits.times().start()) * MILLI;
    }

    Hub hub() {
        return hub;
    }

    UpstreamSpec spec() {
        return spec;
    }

    Catalogue catalogue() {
        return catalogue;
    }

    Subscriptions subscriptions() {
        return subscriptions;
    }

    /** Whether it has said something that was not taken yet. */
    boolean isSpeaking() {
        Peer now = peer;
        return now != null && !now.isExhausted();
    }

    Refusals refusals() {
        return refusals;
    }

    /** Records how many there were that were not recorded each. */
    void finishRefusals() {
        refusals.finish();
        pinRecords.finish();
    }

    Told told() {
        return told;
    }

    /** How many bytes wait for it to read them. */
    int waitingBytes() {
        Peer now = peer;
        return now == null ? 0 : now.waitingBytes();
    }

    Requests requests() {
        return requests;
    }

    Lists lists() {
        return lists;
    }

    Asks asks() {
        return asks;
    }

    /** Of this run, or of the last one. */
    UpstreamHello hello() {
        return hello;
    }

    boolean isReady() {
        return state == State.READY;
    }

    /** Whether it has told what it has, or failed to. */
    boolean isSettled() {
        return isSettled;
    }

    /** Whether it has a capability, or may turn out to. */
    boolean mayHave(String capability) {
        return state != State.GIVEN_UP && (hello.revision().isEmpty() || hello.has(capability));
    }

    /** Begins a run. */
    void connect(Channel channel) throws ErrnoException {
        if (peer != null || state == State.GIVEN_UP) {
            channel.close();
            throw new IllegalStateException("upstream " + spec.name() + " is running or given up");
        }
        Peer opened = Peer.open(hub, channel, hub.limits.frameBytes(), HeldLines.Side.UPSTREAM);
        peer = opened;
        OwnedFd said = channel.diagnostics();
        if (said != null) {
            diagnostics = Diagnostics.open(hub, spec.name(), said);
        }
        requests = new Requests(spec.name(), hub.limits.times());
        lists = new Lists(hub, this);
        asks = new Asks(hub, this);
        state = State.STARTING;
        restarts.begun();
        startDue = hub.now() + hub.limits.times().start() * MILLI;
        malformedInRow = 0;
        level = new LevelTelling(hub, this);
        long start = hub.limits.times().start();
        OwnRequest greeting = new OwnRequest(this::greeted, reason -> {});
        requests.add(greeting, hub.now(), start, start);
        send(UpstreamHello.request(greeting.id, hub, spec.name()));
    }

    private void greeted(Message answer) {
        boolean well = answer.kind() == Message.Kind.RESULT && answer.outcome().is(JsonKind.OBJECT);
        Optional<UpstreamHello> said =
                well ? UpstreamHello.read(answer.outcome()) : Optional.empty();
        if (said.isEmpty()) {
            end(
                    "answered initialize with "
                            + (well ? "a revision that is not spoken here" : "an error"),
                    false);
            return;
        }
        hello = said.get();
        state = State.READY;
        send(Answers.notification(Protocol.INITIALIZED));
        Subject subject = new Subject("initialize", spec.name(), "");
        hub.records.add(GatewayEvent.of(Kind.UPSTREAM_READY, 0, subject).because(hello.revision()));
        catalogue.setInstructions(hello.instructions());
        tellLevel();
        for (String uri : subscriptions.uris()) {
            askAboutUri("resources/subscribe", uri);
        }
        lists.readAll();
        listRead();
    }

    /** A list was read or could not be. */
    void listRead() {
        if (state == State.READY && lists.isComplete()) {
            settle();
        }
    }

    private void settle() {
        if (!isSettled) {
            isSettled = true;
            hub.upstreamSettled();
        }
    }

    /** Tells it which log messages some agent wants, when that has changed. */
    void tellLevel() {
        level.tell();
    }

    /** Subscribes, or ends that, for agents that are not told how it went. */
    void askAboutUri(String method, String uri) {
        if (state == State.READY && hello.subscribes()) {
            JsonWriter params = new JsonWriter().beginObject().member("uri", uri);
            askOwn(OwnRequest.ofNoInterest(), method, params.endObject().toBytes());
        }
    }

    /** Asks something for the gateway itself. */
    void askOwn(OwnRequest request, String method, byte[] params) {
        long start = hub.limits.times().start();
        requests.add(request, hub.now(), start, start);
        send(Answers.request(request.id, method, params));
    }

    /** Whether so many bytes more may wait for it to read them. */
    boolean hasRoomFor(int bytes) {
        Peer now = peer;
        if (now == null) {
            return false;
        }
        boolean fits = (long) now.waitingBytes() + bytes <= hub.limits.upstreamQueueBytes();
        boolean isNext = fits && now.waitingFrames() < hub.limits.upstreamFrames();
        return (now.waitingFrames() == 0 || isNext) && hub.hasRoomFor(this, bytes);
    }

    /** Gives up a request whose answer no agent waits for any more. */
    void giveUp(Pending request, String reason) {
        requests.giveUp(request);
        send(Answers.cancelled(MessageId.of(request.id).toJson(), reason));
    }

    /**
     * Sends a frame. Whoever has no bound of his own asks {@link #hasRoomFor} first; beyond twice
     * that an upstream that does not read loses what it asked for itself.
     */
    void send(byte[] frame) {
        Peer now = peer;
        if (now != null && now.waitingFrames() < 2 * hub.limits.upstreamFrames()) {
            now.send(frame);
        }
    }

    /** Whether a turn would do something. */
    boolean hasWork() {
        Peer now = peer;
        Diagnostics said = diagnostics;
        return (now != null && (now.hasWork() || isOver(now))) || (said != null && said.hasWork());
    }

    /** Whether all it has said was taken, and it will say no more. */
    private static boolean isOver(Peer heard) {
        return heard.isExhausted() && (heard.isGone() || heard.isSilent());
    }

    /** Takes what it says, at most so many frames. */
    void work(int framesMax) {
        Diagnostics said = diagnostics;
        if (said != null) {
            said.work();
        }
        if (peer != null) {
            peer.beginRound();
        }
        for (int i = 0; i < framesMax && peer != null; i++) {
            if (hub.isLateAfter(i)) {
                break;
            }
            Peer heard = peer;
            Optional<byte[]> frame = heard.take();
            if (frame.isEmpty()) {
                break;
            }
            if (!Message.isBlank(frame.get())) {
                receive(heard, frame.get());
            }
        }
        Peer now = peer;
        if (now != null && isOver(now)) {
            end(now.endReason(), true);
        }
    }

    private void receive(Peer heard, byte[] frame) {
        long begun = hub.clock();
        receive(frame);
        heard.took(frame.length, hub.clock() - begun);
    }

    private void receive(byte[] frame) {
        Message message;
        try {
            JsonLimits limits = JsonLimits.FRAME.withBytesMax(hub.limits.frameBytes());
            message = Message.read(frame, limits);
        } catch (MalformedException e) {
            malformed(frame, e);
            return;
        }
        malformedInRow = 0;
        switch (message.kind()) {
            case REQUEST -> asks.request(message);
            case NOTIFICATION -> notices.take(message);
            case RESULT, ERROR -> answer(message);
        }
    }

    private void answer(Message answer) {
        if (!requests.answer(answer)) {
            Subject subject = new Subject("", spec.name(), "");
            refusals.add(GatewayEvent.of(Kind.REFUSED, 0, subject)
                    .because("an answer to nothing that was asked, or a second one"));
        }
    }

    /** Many programs print something before they begin to speak, so one such line is no end. */
    private void malformed(byte[] frame, MalformedException e) {
        malformedInRow++;
        Subject subject = new Subject("", spec.name(), "");
        refusals.add(GatewayEvent.of(Kind.REFUSED, 0, subject).because(e.words()));
        if (!isNonsenseTold) {
            isNonsenseTold = true;
            String line = new String(frame, 0, Math.min(frame.length, 512), StandardCharsets.UTF_8);
            hub.owner.report(spec.name() + " wrote a line to its standard output that is no "
                    + "message and is ignored, as all such: '" + Answers.shown(line) + "' ("
                    + e.words() + ")");
        }
        String why = "sent something that cannot be read: " + e.words();
        if (e.answered().isPresent()) {
            requests.lose(e.answered().get(), why);
        } else if (e.code() == Protocol.PARSE_ERROR && Message.isMeant(frame)) {
            requests.loseOnly(why);
        }
        if (malformedInRow > MALFORMED_FACTOR * hub.limits.malformed()) {
            end("wrote " + malformedInRow + " lines in a row that are no messages", true);
        }
    }

    /** A program that could not be started, or was seen to end. */
    void failed(String reason) {
        end(reason, true);
    }

    /** The run is over; whether there is another is up to how many failed. */
    private void end(String reason, boolean again) {
        if (state == State.GIVEN_UP) {
            return;
        }
        long wait = again ? restarts.next(state == State.READY) : GatewayOwner.NEVER;
        closeRun(reason);
        boolean over = wait == GatewayOwner.NEVER;
        state = over ? State.GIVEN_UP : State.DOWN;
        if (over) {
            hello = UpstreamHello.NONE;
            catalogue.clear();
            for (ListKind kind : ListKind.values()) {
                hub.catalogueChanged(kind);
            }
        }
        Subject subject = new Subject("", spec.name(), "");
        finishRefusals();
        hub.records.add(GatewayEvent.of(Kind.UPSTREAM_ENDED, 0, subject).because(reason));
        startDue = hub.now() + (wait + hub.limits.times().start()) * MILLI;
        settle();
        hub.owner.upstreamEnded(spec.name(), reason, wait);
    }

    private void closeRun(String reason) {
        close();
        asks.cancelAll("the upstream is gone");
        requests.loseAll("ended: " + reason);
    }

    private String itsCommand() {
        return spec.command().isEmpty() ? "" : ": " + spec.command();
    }

    /** Does what is due. */
    void expire(long now) {
        boolean isLate = startDue - now <= 0;
        if (state == State.STARTING && isLate) {
            end("did not answer initialize within " + hub.limits.times().start() + " ms", true);
            return;
        }
        if (!isSettled && settleDue - now <= 0) {
            hub.owner.report(spec.name() + " has not told what it offers within "
                    + Math.min(SETTLE_MILLIS, hub.limits.times().start())
                    + " ms; the others serve without it. What its first start downloads, start it"
                    + " once by itself for" + itsCommand());
            settle();
        }
        asks.expire(now);
        List<Pending> over = requests.overdue(now, asks.isAnyOpen());
        for (Pending request : over) {
            if (request.isCancellable()) {
                send(Answers.cancelled(MessageId.of(request.id).toJson(), "it took too long"));
            }
            request.lost(Protocol.TIMED_OUT, "upstream " + spec.name() + " did not answer in time");
        }
        lists.expire(now);
        refusals.expire(now);
        pinRecords.expire(now);
        told.expire(now);
    }

    /** The earliest moment something is due, or the given one when that is earlier. */
    long earliest(long other) {
        long earliest = other;
        if (state == State.STARTING && startDue - earliest < 0) {
            earliest = startDue;
        }
        if (!isSettled && settleDue - earliest < 0) {
            earliest = settleDue;
        }
        earliest = requests.earliest(earliest, asks.isAnyOpen());
        earliest = told.earliest(pinRecords.earliest(refusals.earliest(earliest)));
        Peer now = peer;
        earliest = now == null ? earliest : now.earliest(earliest);
        return asks.earliest(lists.earliest(earliest));
    }

    /** Writes what it takes now. */
    void flush() {
        Peer now = peer;
        if (now != null) {
            now.flush();
        }
    }

    /** Closes its channel; nobody is told. */
    void close() {
        Diagnostics said = diagnostics;
        if (said != null) {
            said.close();
            diagnostics = null;
        }
        Peer closing = peer;
        if (closing != null) {
            peer = null;
            closing.close();
        }
    }
}
