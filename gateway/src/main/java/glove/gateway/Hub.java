package glove.gateway;

import glove.sys.ErrnoException;
import glove.sys.Linux;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What all sessions of a gateway share. Confined to the gateway's thread. */
final class Hub implements AutoCloseable {
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

    private final NanoClock clock;
    private final Map<String, UpstreamSession> upstreams = new LinkedHashMap<>();
    private final List<AgentSession> agents = new ArrayList<>();
    private long now;
    private boolean isChanged;
    private boolean isSettledAnew;

    Hub(Linux linux, GatewaySetup setup) throws ErrnoException {
        this.linux = linux;
        this.version = setup.version();
        this.policy = setup.policy();
        this.limits = setup.limits();
        this.owner = setup.owner();
        this.pinStore = setup.pins();
        this.records = new Records(setup.journal());
        this.clock = setup.clock();
        this.now = clock.nanos();
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
    void catalogueChanged() {
        isChanged = true;
    }

    /** Whether {@link #publish} has something to tell. */
    boolean isPublishing() {
        return isChanged || (isSettledAnew && isSettled());
    }

    /** Tells agents of what has changed in this round, once. */
    void publish() {
        if (isChanged) {
            isChanged = false;
            Set<ListKind> changed = catalogues.rebuild(upstreams.values());
            for (AgentSession agent : agents) {
                agent.listsChanged(changed);
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
     * The agent an upstream's question is for: the one that has asked it something, or the only
     * one; it must be able to answer. Among several none can be told to be meant.
     */
    Optional<AgentSession> agentFor(UpstreamSession upstream, boolean isSampling) {
        List<AgentSession> able = new ArrayList<>();
        List<AgentSession> asking = new ArrayList<>();
        for (AgentSession agent : agents) {
            if (agent.isAble(isSampling)) {
                able.add(agent);
                if (agent.isAsking(upstream)) {
                    asking.add(agent);
                }
            }
        }
        List<AgentSession> candidates = asking.isEmpty() ? able : asking;
        return candidates.size() == 1 ? Optional.of(candidates.get(0)) : Optional.empty();
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
