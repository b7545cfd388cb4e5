package glove.gateway;

import glove.sys.ErrnoException;
import glove.sys.Linux;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What all sessions of a gateway share. Confined to the gateway's thread. */
final class Hub implements AutoCloseable {
    /** Messages up to here find room as long as their receiver's own bound allows. */
    private static final int SMALL_BYTES = 64 << 10;

    /** Of one peer in a round, between two looks at the clock. */
    private static final int MESSAGES_UNTIMED = 2;

    final Linux linux;
    final String version;
    final GatewayPolicy policy;
    final GatewayLimits limits;
    final GatewayOwner owner;
    final PinStore pinStore;
    final Records records;
    final Watches watches;
    final Cursors cursors = new Cursors();
    final Catalogues catalogues = new Catalogues(this);
    final byte[] scratch = Peer.newScratch();
    final LargeFrames large = new LargeFrames();
    final HeldLines heldLines;
    final Told told;

    /** What may be recorded each of what agents do without effect. */
    final Bucket agentRecords;

    /** Of agents that have left. */
    final Refusals gone;

    private final NanoClock clock;
    private final Map<String, UpstreamSession> upstreams = new LinkedHashMap<>();
    private final List<AgentSession> agents = new ArrayList<>();
    private long now;
    private long turnEnd;
    private final Set<ListKind> changed = EnumSet.noneOf(ListKind.class);
    private boolean isSettledAnew;

    Hub(Linux linux, GatewaySetup setup) throws ErrnoException {
        this.linux = linux;
        this.version = setup.version();
        this.policy = setup.policy();
        this.limits = setup.limits();
        this.owner = setup.owner();
        this.pinStore = setup.pins();
        this.records = new Records(setup.audit());
        this.clock = setup.clock();
        this.now = clock.nanos();
        this.turnEnd = now + Long.MAX_VALUE / 2; // no turn has begun
        this.agentRecords = new Bucket(Refusals.PER_SECOND, now);
        this.gone = new Refusals(this, 0, "");
        this.heldLines = new HeldLines(limits.shares().lines());
        this.told = new Told(this, "names of upstreams");
        this.watches = new Watches(linux);
    }

    /** The time of this turn. */
    long now() {
        return now;
    }

    /** Looks at the clock. */
    long tick() {
        now = clock.nanos();
        return now;
    }

    Map<String, UpstreamSession> upstreams() {
        return upstreams;
    }

    List<AgentSession> agents() {
        return agents;
    }

    /** Whether every upstream has told what it has, or is given up for now. */
    boolean isSettled() {
        for (UpstreamSession upstream : upstreams.values()) {
            if (!upstream.isSettled()) {
                return false;
            }
        }
        return true;
    }

    /** One has told, or is given up for now. */
    void upstreamSettled() {
        isSettledAnew = true;
    }

    /** Something an upstream lists is not what it was. */
    void catalogueChanged(ListKind kind) {
        changed.add(kind);
    }

    /** Looks at the clock and tells what it says; the time of the turn stays. */
    long clock() {
        return clock.nanos();
    }

    /** From now on a turn should not last longer than until then. */
    void beginTurn(long until) {
        turnEnd = until;
    }

    /** Whether the turn should be over, for one who has been heard so often in this round. */
    boolean isLateAfter(int messages) {
        return messages > 0 && messages % MESSAGES_UNTIMED == 0 && clock.nanos() - turnEnd >= 0;
    }

    /** How many say something. */
    int speakers() {
        int count = 0;
        for (UpstreamSession upstream : upstreams.values()) {
            count += upstream.isSpeaking() ? 1 : 0;
        }
        for (AgentSession agent : agents) {
            count += agent.isSpeaking() ? 1 : 0;
        }
        return count;
    }

    /** Of what one upstream lists, as it was sent. */
    long listsBytesMax() {
        return limits.shares().listsOf(upstreams.size());
    }

    /** Whether so much more may wait for an upstream to read it, beside what waits for all. */
    boolean hasRoomFor(UpstreamSession upstream, int bytes) {
        if (bytes <= SMALL_BYTES) {
            return true;
        }
        long all = bytes;
        for (UpstreamSession one : upstreams.values()) {
            all += one.waitingBytes();
        }
        long share = limits.shares().queues() / Math.max(1, upstreams.size());
        return all <= limits.shares().queues()
                && (upstream.waitingBytes() == 0 || upstream.waitingBytes() + bytes <= share);
    }

    /** Whether so much more may wait for agents to read it, beside what waits for all. */
    boolean hasRoomForAgents(int bytes) {
        long all = bytes;
        for (AgentSession agent : agents) {
            all += agent.waitingBytes();
        }
        return bytes <= SMALL_BYTES || all <= (long) limits.agents() * limits.agentHoardBytes();
    }

    /** Whether {@link #publish} has something to tell. */
    boolean isPublishing() {
        return !changed.isEmpty() || (isSettledAnew && isSettled());
    }

    /** Tells agents of what has changed in this round, once. */
    void publish() {
        if (!changed.isEmpty()) {
            Set<ListKind> seen = catalogues.rebuild(changed, upstreams.values());
            changed.clear();
            for (AgentSession agent : agents) {
                agent.listsChanged(seen);
            }
        }
        if (isSettledAnew && isSettled()) {
            isSettledAnew = false;
            for (AgentSession agent : agents) {
                agent.upstreamsSettled();
            }
        }
    }

    /** The most verbose level an agent has asked for. */
    Optional<String> logLevel() {
        int least = Protocol.LEVELS.size();
        for (AgentSession agent : agents) {
            least = Math.min(least, agent.askedLevel());
        }
        return least == Protocol.LEVELS.size()
                ? Optional.empty()
                : Optional.of(Protocol.LEVELS.get(least));
    }

    /** An agent wants other log messages. */
    void levelChanged() {
        for (UpstreamSession upstream : upstreams.values()) {
            upstream.tellLevel();
        }
    }

    /**
     * The agent an upstream's question is for: the only one that has a request under way there and
     * can answer. An upstream nobody has asked anything has nothing to ask; among several agents
     * none can be told to be meant.
     */
    Optional<AgentSession> agentFor(UpstreamSession upstream, boolean isSampling) {
        Optional<AgentSession> found = Optional.empty();
        for (AgentSession agent : agents) {
            if (agent.isAble(isSampling) && agent.open().areAt(upstream)) {
                if (found.isPresent()) {
                    return Optional.empty();
                }
                found = Optional.of(agent);
            }
        }
        return found;
    }

    @Override
    public void close() {
        for (AgentSession agent : agents) {
            agent.close();
        }
        agents.clear();
        for (UpstreamSession upstream : upstreams.values()) {
            upstream.close();
        }
        watches.close();
    }
}
