package glove.gateway;

import glove.gateway.GatewayEvent.Kind;
import glove.gateway.GatewayEvent.Subject;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The only way from agents to their tools. All on one thread, which waits for one descriptor:
 * {@link #awaited} when it has to wait, at most {@link #patience}, and then takes a {@link #turn}.
 * A peer that fails costs itself and what waits for it; any other failure closes everything.
 *
 * <p>In each turn all that peers say is read and decided first, then recorded by one call, and only
 * then does anything leave: so nothing happens that is not recorded, and one sync serves all.
 *
 * <p>Owns its channels. Confined to the thread that opened it.
 */
public final class Gateway implements AutoCloseable {
    /** Of {@link #patience}: no moment of its own. */
    public static final long UNLIMITED = -1;

    private static final long MILLI = 1_000_000L;

    /** Of one peer, before the others have their turn. */
    private static final int FRAMES_AT_ONCE = 32;

    private static final int ROUNDS = 16;

    /** After this long the caller has its turn. */
    private static final long TURN_NANOS = 10 * MILLI;

    private static final long FAR = Long.MAX_VALUE / 4;

    private final Hub hub;
    private int lastAgent;
    private boolean isClosed;

    private Gateway(Hub hub) {
        this.hub = hub;
    }

    /** A gateway between nobody and nobody. */
    public static Gateway open(Linux linux, GatewaySetup setup) throws ErrnoException {
        return new Gateway(new Hub(linux, setup));
    }

    /**
     * Names an upstream. Agents are answered once all that are named have told what they have:
     * each needs a {@link #connect} or a {@link #failed}.
     *
     * @throws IllegalArgumentException when another has that name, or is bare, too, or has
     *     another separator
     */
    public void addUpstream(UpstreamSpec spec) {
        for (UpstreamSession other : hub.upstreams().values()) {
            if (other.spec().name().equals(spec.name())) {
                throw new IllegalArgumentException("two upstreams are named " + spec.name());
            }
            if (other.spec().isBare() && spec.isBare()) {
                throw new IllegalArgumentException("two upstreams without prefix: "
                        + other.spec().name() + " and " + spec.name());
            }
            if (other.spec().separator() != spec.separator()) {
                throw new IllegalArgumentException(
                        "two separators: of " + other.spec().name() + " and of " + spec.name());
            }
        }
        hub.tick();
        hub.upstreams().put(spec.name(), new UpstreamSession(hub, spec));
    }

    /**
     * Begins to speak with an upstream, for the first time or after it has ended.
     *
     * @param channel owned from here on, also when this fails
     */
    public void connect(String upstream, Channel channel) throws ErrnoException {
        hub.tick();
        find(upstream).connect(channel);
    }

    /** An upstream could not be started; the owner is told when to try again. */
    public void failed(String upstream, String reason) {
        hub.tick();
        find(upstream).failed(reason);
    }

    private UpstreamSession find(String upstream) {
        UpstreamSession found = hub.upstreams().get(upstream);
        if (found == null) {
            throw new IllegalArgumentException("no upstream is named " + upstream);
        }
        return found;
    }

    /**
     * Serves an agent.
     *
     * @param channel owned from here on, also when this fails
     * @return its number; empty when there are too many: the channel is closed
     */
    public Optional<Integer> addAgent(Channel channel) throws ErrnoException {
        hub.tick();
        if (isClosed || hub.agents().size() >= hub.limits.agents()) {
            channel.close();
            return Optional.empty();
        }
        Peer peer = Peer.open(hub, channel, hub.limits.frameBytes(), HeldLines.Side.AGENT);
        lastAgent++;
        hub.agents().add(new AgentSession(hub, lastAgent, peer));
        return Optional.of(lastAgent);
    }

    /** How many agents are connected. */
    int agents() {
        return hub.agents().size();
    }

    /** How many bytes wait to be read by agents: the memory slow ones cost. */
    long waitingBytes() {
        long bytes = 0;
        for (AgentSession agent : hub.agents()) {
            bytes += agent.waitingBytes();
        }
        return bytes;
    }

    /** Readable when there is something to do: an epoll(7) descriptor. */
    public Fd awaited() {
        return hub.watches.epoll();
    }

    /** Milliseconds after which it wants a turn in any case; {@link #UNLIMITED}. */
    public long patience() {
        if (isClosed) {
            return UNLIMITED;
        }
        if (hasWork()) {
            return 0;
        }
        long now = hub.tick();
        long earliest = hub.gone.earliest(hub.told.earliest(now + FAR));
        for (UpstreamSession upstream : hub.upstreams().values()) {
            earliest = upstream.earliest(earliest);
        }
        for (AgentSession agent : hub.agents()) {
            earliest = agent.earliest(earliest);
        }
        if (earliest == now + FAR) {
            return UNLIMITED;
        }
        return earliest - now <= 0 ? 0 : (earliest - now + MILLI - 1) / MILLI;
    }

    private boolean hasWork() {
        for (UpstreamSession upstream : hub.upstreams().values()) {
            if (upstream.hasWork()) {
                return true;
            }
        }
        for (AgentSession agent : hub.agents()) {
            if (agent.hasWork()) {
                return true;
            }
        }
        return hub.isPublishing();
    }

    /**
     * Does what can be done without waiting, for a few milliseconds at most.
     *
     * @throws GatewayAuditException when it could not be recorded; everything is closed
     * @throws ErrnoException when the kernel no longer tells what happens; everything is closed
     */
    public void turn() throws ErrnoException, GatewayAuditException {
        boolean isDone = false;
        try {
            long until = hub.tick() + TURN_NANOS;
            hub.beginTurn(until);
            boolean more = true;
            for (int i = 0; i < ROUNDS && more && hub.now() - until < 0; i++) {
                more = round(i == 0);
                hub.tick();
            }
            isDone = true;
        } finally {
            if (!isDone) {
                close();
            }
        }
    }

    /** Whether there may be more to do at once. */
    boolean round(boolean isFirst) throws ErrnoException, GatewayAuditException {
        int told = hub.watches.tell();
        if (!isFirst && told == 0 && !hasWork()) {
            return false;
        }
        hub.large.beginRound();
        hub.told.expire(hub.now());
        hub.gone.expire(hub.now());
        List<UpstreamSession> upstreams = new ArrayList<>(hub.upstreams().values());
        for (UpstreamSession upstream : upstreams) {
            upstream.expire(hub.now());
            upstream.work(FRAMES_AT_ONCE);
        }
        // What they have told in this round is there for whoever asks in it.
        hub.publish();
        for (AgentSession agent : new ArrayList<>(hub.agents())) {
            agent.expire(hub.now());
            agent.work(FRAMES_AT_ONCE);
        }
        hub.publish();
        hub.records.commit();
        for (UpstreamSession upstream : upstreams) {
            upstream.flush();
        }
        for (AgentSession agent : hub.agents()) {
            agent.flush();
        }
        hub.records.settle();
        return told > 0 || hasWork();
    }

    /**
     * Ends all sessions, records how, and closes everything: the run is over.
     *
     * @throws GatewayAuditException when that could not be recorded; everything is closed
     */
    public void finish() throws GatewayAuditException {
        if (isClosed) {
            return;
        }
        try {
            hub.tick();
            for (AgentSession agent : new ArrayList<>(hub.agents())) {
                agent.end("the run is over");
            }
            hub.gone.finish();
            for (UpstreamSession upstream : hub.upstreams().values()) {
                upstream.finishRefusals();
                if (upstream.isReady()) {
                    Subject subject = new Subject("", upstream.spec().name(), "");
                    hub.records.add(GatewayEvent.of(Kind.UPSTREAM_ENDED, 0, subject)
                            .because("the run is over"));
                }
            }
            hub.records.commit();
        } finally {
            close();
        }
    }

    /** Closes everything at once; nothing is recorded any more. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            hub.close();
        }
    }
}
