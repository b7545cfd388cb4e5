package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Pipe;
import glove.sys.SocketPair;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A gateway with a clock of the test's, between peers the test plays. Nothing here waits. */
final class Room implements AutoCloseable {
    /** What to begin with. */
    static final class Plan {
        final TestLimits limits = new TestLimits();
        ToolRules tools = new TestRules("files.*", "web.*", "u.*");
        List<ResourceRule> resources = List.of();
        List<PromptRule> prompts = List.of();
        Set<String> completion = Set.of();
        Set<String> sampling = Set.of();
        Set<String> elicitation = Set.of();
        List<Root> roots = List.of();
        Set<String> withoutRoots = Set.of();
        boolean isPinRequired;
        boolean recordsArguments;
        Map<String, byte[]> pins = new HashMap<>();

        GatewayPolicy policy() {
            return new GatewayPolicy(
                    tools,
                    resources,
                    prompts,
                    completion,
                    sampling,
                    elicitation,
                    roots,
                    withoutRoots,
                    isPinRequired,
                    recordsArguments);
        }
    }

    final List<GatewayEvent> events = new ArrayList<>();
    final List<Integer> batches = new ArrayList<>();
    final List<String> reports = new ArrayList<>();
    final List<String> diagnostics = new ArrayList<>();
    final List<String> ended = new ArrayList<>();
    final Map<String, byte[]> pins;
    final Gateway gateway;
    final GatewayPolicy policy;
    boolean isJournalBroken;
    boolean isPinStoreBroken;
    boolean isPinStoreFull;
    long nanosOfLook;

    /** Looks at what has left when events are recorded. */
    Runnable onRecord = () -> {};

    private final List<TestPeer> peers = new ArrayList<>();
    private long nanos = 1_000_000_000_000L;

    Room() {
        this(new Plan());
    }

    Room(Plan plan) {
        this(plan, Linux.host());
    }

    /** Over another kernel, on the gateway's side. */
    Room(Plan plan, Linux linux) {
        pins = plan.pins;
        policy = plan.policy();
        try {
            gateway = Gateway.open(
                    linux,
                    new GatewaySetup(
                            policy,
                            plan.limits.made(),
                            this::record,
                            new Store(),
                            new Owner(),
                            this::look,
                            "1.2.3"));
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
    }

    private void record(List<GatewayEvent> batch) throws GatewayAuditException {
        if (isJournalBroken) {
            throw new GatewayAuditException("disk full", new IllegalStateException());
        }
        onRecord.run();
        events.addAll(batch);
        batches.add(batch.size());
    }

    private final class Store implements PinStore {
        @Override
        public Optional<byte[]> read(String key) throws PinException {
            if (isPinStoreBroken) {
                throw new PinException("no such disk");
            }
            return Optional.ofNullable(pins.get(key));
        }

        @Override
        public void write(String key, byte[] content) throws PinException {
            if (isPinStoreBroken || isPinStoreFull) {
                throw new PinException("no such disk");
            }
            pins.put(key, content);
        }
    }

    private final class Owner implements GatewayOwner {
        @Override
        public void report(String sentence) {
            reports.add(sentence);
        }

        @Override
        public void diagnostics(String upstream, String line) {
            diagnostics.add(upstream + ": " + line);
        }

        @Override
        public void upstreamEnded(String upstream, String reason, long waitMillis) {
            ended.add(upstream + " " + waitMillis + " " + reason);
        }

        @Override
        public void agentEnded(int agent, String reason) {
            ended.add("agent " + agent + " " + reason);
        }
    }

    private long look() {
        nanos += nanosOfLook;
        return nanos;
    }

    /** One turn. */
    void turn() {
        try {
            gateway.turn();
        } catch (ErrnoException | GatewayAuditException e) {
            throw new AssertionError(e);
        }
    }

    /** One round of a turn. */
    void round() {
        try {
            gateway.round(true);
        } catch (ErrnoException | GatewayAuditException e) {
            throw new AssertionError(e);
        }
    }

    /** As many as it wants; then it waits for somebody. */
    void turns() {
        if (isJournalBroken) {
            return;
        }
        int turns = 0;
        do {
            turn();
            assertThat(++turns).as("turns without end").isLessThan(5000);
        } while (gateway.patience() == 0);
    }

    /** Time passes. */
    void pass(long millis) {
        nanos += millis * 1_000_000L;
        turns();
    }

    /** A new end for a peer of the gateway's; the other end is the test's. */
    TestPeer peer(List<Channel> channels) {
        try (SocketPair pair = Linux.host().socketpair(Linux.SOCK_STREAM)) {
            for (OwnedFd end : List.of(pair.first(), pair.second())) {
                Linux.host().fcntl(end, Linux.F_SETFL, OpenFlags.O_RDWR | OpenFlags.O_NONBLOCK);
            }
            channels.add(Channel.of(pair.first().release()));
            OwnedFd end = pair.second().release();
            TestPeer peer = new TestPeer(this, end, end);
            peers.add(peer);
            return peer;
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
    }

    /** A run of an upstream that was named before. */
    TestPeer connect(String name) {
        List<Channel> channels = new ArrayList<>();
        TestPeer peer = peer(channels);
        try {
            gateway.connect(name, channels.get(0));
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
        return peer;
    }

    /** A channel nobody is at the other end of for long. */
    Channel channel() {
        List<Channel> channels = new ArrayList<>();
        peer(channels);
        return channels.get(0);
    }

    /** An upstream, by what it writes to its standard error. */
    TestPeer connectWithDiagnostics(String name) {
        gateway.addUpstream(UpstreamSpec.of(name, "command of " + name));
        List<Channel> channels = new ArrayList<>();
        peer(channels);
        TestPeer said = peer(channels);
        Channel both = Channel.of(
                channels.get(0).in(), dup(channels.get(0).in()), channels.get(1).in());
        try {
            gateway.connect(name, both);
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
        return said;
    }

    private static OwnedFd dup(OwnedFd fd) {
        try {
            return Linux.host().dup(fd);
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
    }

    /** An upstream behind two pipes, as programs are. */
    TestPeer upstreamOfPipes(String name) {
        return upstreamOfPipes(name, 65536);
    }

    /** The same; a pipe holds so many bytes. */
    TestPeer upstreamOfPipes(String name, int pipeBytes) {
        gateway.addUpstream(UpstreamSpec.of(name, "command of " + name));
        try (Pipe to = Linux.host().nonBlockingPipe(pipeBytes);
                Pipe from = Linux.host().nonBlockingPipe(pipeBytes)) {
            TestPeer peer = new TestPeer(this, to.read().release(), from.write().release());
            peers.add(peer);
            gateway.connect(name, Channel.of(from.read().release(), to.write().release()));
            return peer;
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
    }

    TestPeer upstream(String name) {
        gateway.addUpstream(UpstreamSpec.of(name, "command of " + name));
        return connect(name);
    }

    TestPeer agent() {
        List<Channel> channels = new ArrayList<>();
        TestPeer peer = peer(channels);
        try {
            gateway.addAgent(channels.get(0));
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
        return peer;
    }

    /** What was reported that does not hold some words. */
    List<String> reportsBut(String words) {
        return reports.stream().filter(said -> !said.contains(words)).toList();
    }

    /** What was recorded of that kind. */
    List<GatewayEvent> events(GatewayEvent.Kind kind) {
        return events.stream().filter(event -> event.kind() == kind).toList();
    }

    @Override
    public void close() {
        gateway.close();
        peers.forEach(TestPeer::close);
    }
}
