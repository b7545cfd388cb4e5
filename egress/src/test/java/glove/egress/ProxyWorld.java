package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A proxy with clients on one side and servers on the other, all on loopback and on the test's
 * thread. Servers stand in for public addresses; the clock is the test's; names are resolved from
 * a table. Confined to the test's thread.
 */
final class ProxyWorld implements AutoCloseable, Resolver, NanoClock, Network, EgressAudit {
    private static final long PATIENCE_NANOS = 300_000_000_000L;
    /** Of more than these only the awaited one reads. */
    private static final int FEW = 64;

    private static final int STEP_MILLIS = 2;
    private static final IpEndpoint ANY_PORT = new IpEndpoint(IpAddress.LOOPBACK_V4, 0);
    private static final IpEndpoint ANY_PORT_V6 = new IpEndpoint(IpAddress.LOOPBACK_V6, 0);

    /** Somebody who listens in place of a public address. */
    record Server(OwnedFd listener) implements AutoCloseable {
        @Override
        public void close() {
            listener.close();
        }
    }

    final Linux linux = Linux.host();
    final Credential credential;
    final List<EgressEvent> events = new ArrayList<>();
    final List<String> dialled = new ArrayList<>();
    private final List<String> allowed = new ArrayList<>();
    final List<String> own = new ArrayList<>();
    final Map<String, List<List<IpAddress>>> names = new HashMap<>();
    private final List<OwnedFd> owned = new ArrayList<>();
    private final List<Socket> unheard = new ArrayList<>();
    private final List<Peer> peers = new ArrayList<>();
    private final Map<String, IpEndpoint> standIns = new HashMap<>();
    private final EgressProxy proxy;
    private final IpEndpoint authenticated;
    private final IpEndpoint vouched;
    private long millis = 1_000_000;
    private int records;
    private int failingRecord = -1;

    ProxyWorld(List<String> allow, List<String> allowPrivate)
            throws ErrnoException, EgressException {
        this(allow, allowPrivate, EgressLimits.standard());
    }

    ProxyWorld(List<String> allow, List<String> allowPrivate, EgressLimits limits)
            throws ErrnoException, EgressException {
        this(
                Linux.host(),
                EgressRules.parse(allow, allowPrivate, new NoRegistries()),
                limits,
                null);
    }

    /** One with a resolver of its own instead of the table. */
    ProxyWorld(List<String> allow, List<String> allowPrivate, Resolver resolver)
            throws ErrnoException, EgressException {
        this(
                Linux.host(),
                EgressRules.parse(allow, allowPrivate, new NoRegistries()),
                EgressLimits.standard(),
                resolver);
    }

    /**
     * A world.
     *
     * @param proxies what the proxy calls the kernel through
     * @param resolver null for the table
     */
    ProxyWorld(Linux proxies, EgressRules rules, EgressLimits limits, @Nullable Resolver resolver)
            throws ErrnoException {
        credential = Credential.random(linux);
        proxy = EgressProxy.open(new Hub.Parts(
                proxies,
                new EgressPolicy(rules, limits),
                credential,
                this,
                new Hub.Seams(resolver == null ? this : resolver, this, this)));
        boolean served = false;
        try {
            authenticated = serve(Entry.AUTHENTICATED);
            vouched = serve(Entry.VOUCHED);
            served = true;
        } finally {
            if (!served) {
                proxy.close();
            }
        }
    }

    /** One more listener; where it is. */
    IpEndpoint serve(Entry entry) throws ErrnoException {
        OwnedFd listener = linux.listenTcp(ANY_PORT, 4096);
        IpEndpoint place = linux.localEndpoint(listener).orElseThrow();
        proxy.serve(listener, entry);
        return place;
    }

    EgressProxy proxy() {
        return proxy;
    }

    // What the proxy sees.

    @Override
    public synchronized List<IpAddress> resolve(HostName name) {
        List<List<IpAddress>> answers = names.getOrDefault(name.toString(), List.of());
        if (answers.isEmpty()) {
            return List.of();
        }
        return answers.size() > 1 ? answers.remove(0) : answers.get(0);
    }

    @Override
    public long nanos() {
        return millis * 1_000_000;
    }

    @Override
    public void connect(OwnedFd socket, IpEndpoint endpoint) throws ErrnoException {
        assertThat(allowed)
                .as("the decision is recorded before " + endpoint + " is dialled")
                .contains(endpoint.toString());
        dialled.add(endpoint.toString());
        IpEndpoint there = standIns.getOrDefault(endpoint.toString(), endpoint);
        linux.connect(socket, there);
    }

    @Override
    public boolean isOwn(IpAddress address) {
        return own.contains(address.toString());
    }

    @Override
    public void record(List<EgressEvent> recorded) throws EgressAuditException {
        records++;
        if (records == failingRecord) {
            throw new EgressAuditException("the disk is full", new AssertionError("on purpose"));
        }
        for (EgressEvent event : recorded) {
            events.add(event);
            if (event.kind() == Kind.ALLOWED) {
                allowed.addAll(List.of(event.address().split(" ")));
            }
        }
    }

    /** The n-th call from now on fails. */
    void failRecord(int nth) {
        failingRecord = records + nth;
    }

    // What the test does.

    /** A name has these addresses; called again, it answers so the next time. */
    synchronized void name(String name, String... addresses) {
        List<IpAddress> list = new ArrayList<>();
        for (String address : addresses) {
            list.add(IpAddress.parse(address).orElseThrow());
        }
        names.computeIfAbsent(name, key -> new ArrayList<>()).add(list);
    }

    /** Somebody listens at a public address. */
    Server server(String address, int port) throws ErrnoException {
        Server server = new Server(standIn(address, port, 4096));
        owned.add(server.listener());
        return server;
    }

    /** The listener that stands in for an address. */
    private OwnedFd standIn(String address, int port, int backlog) throws ErrnoException {
        IpEndpoint endpoint = new IpEndpoint(IpAddress.parse(address).orElseThrow(), port);
        boolean v4 = endpoint.address().isV4();
        OwnedFd listener = linux.listenTcp(v4 ? ANY_PORT : ANY_PORT_V6, backlog);
        standIns.put(endpoint.toString(), linux.localEndpoint(listener).orElseThrow());
        return listener;
    }

    /** Nobody answers there: packets to it get lost, as it were. */
    void silent(String address, int port) throws ErrnoException {
        OwnedFd full = standIn(address, port, 0);
        owned.add(full);
        connect(linux.localEndpoint(full).orElseThrow()); // a backlog of 0 takes one; others hang
        awaitReadable(full);
    }

    /** Nobody listens there, nor can anybody else on this machine begin to. */
    void closed(String address, int port) throws IOException {
        IpEndpoint endpoint = new IpEndpoint(IpAddress.parse(address).orElseThrow(), port);
        IpAddress here = endpoint.address().isV4() ? IpAddress.LOOPBACK_V4 : IpAddress.LOOPBACK_V6;
        Socket bound = new Socket();
        unheard.add(bound);
        bound.bind(new InetSocketAddress(InetAddress.getByAddress(here.bytes()), 0));
        standIns.put(endpoint.toString(), new IpEndpoint(here, bound.getLocalPort()));
    }

    Peer client() throws ErrnoException {
        return connect(authenticated);
    }

    Peer vouchedClient() throws ErrnoException {
        return connect(vouched);
    }

    Peer connect(IpEndpoint place) throws ErrnoException {
        OwnedFd fd = linux.tcpSocket(Linux.AF_INET);
        Peer peer = new Peer(fd);
        owned.add(peer.fd());
        peers.add(peer);
        linux.connect(fd, place);
        peer.awaitConnected();
        return peer;
    }

    /** The next connection to a server. */
    Peer accept(Server server) {
        List<Peer> accepted = new ArrayList<>();
        until("the server is reached", () -> {
            acceptIfThere(server).ifPresent(accepted::add);
            return !accepted.isEmpty();
        });
        return accepted.get(0);
    }

    /** The next connection to a server, if there is one. */
    Optional<Peer> acceptIfThere(Server server) {
        try {
            Optional<Peer> accepted = linux.accept(server.listener()).map(Peer::new);
            accepted.ifPresent(peer -> owned.add(peer.fd()));
            accepted.ifPresent(peers::add);
            return accepted;
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
    }

    /** Turns until a client has its whole answer. */
    void settleFor(Peer client) {
        awaitOver(client);
        peers.remove(client);
    }

    /** Whether nobody has connected to a server. */
    boolean isUntouched(Server server) throws ErrnoException {
        var accepted = linux.accept(server.listener());
        accepted.ifPresent(OwnedFd::close);
        return accepted.isEmpty();
    }

    /** Lets time pass. */
    void pass(long by) throws ErrnoException, EgressAuditException {
        skip(by);
        turn();
    }

    /** The same without a turn. */
    void skip(long by) {
        millis += by;
    }

    void turn() throws ErrnoException, EgressAuditException {
        proxy.turn();
        if (peers.size() <= FEW) {
            pump();
        }
    }

    /** Turns until something holds; in real time this takes as long as the kernel does. */
    void until(String reason, BooleanSupplier holds) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < PATIENCE_NANOS) {
            if (holds.getAsBoolean()) {
                return;
            }
            step();
        }
        throw new AssertionError("never: " + reason + "; " + events + "; dialled " + dialled);
    }

    private void step() {
        try {
            await();
            turn();
        } catch (ErrnoException | EgressAuditException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits as the run's loop does, but shortly. */
    void await() throws ErrnoException {
        Fd epoll = proxy.awaited();
        if (proxy.patience() != 0) {
            linux.poll(List.of(new PollFd(epoll, PollFd.POLLIN)), STEP_MILLIS);
        }
    }

    /** Waits for something to happen to the proxy, and gives it no turn. */
    void awaitEvent() throws ErrnoException {
        awaitReadable(proxy.awaited());
    }

    private void awaitReadable(Fd fd) throws ErrnoException {
        int[] happened =
                linux.poll(List.of(new PollFd(fd, PollFd.POLLIN)), PATIENCE_NANOS / 1_000_000);
        assertThat(happened[0]).as("something happens").isNotZero();
    }

    /** Turns until the proxy fails and has closed everything; what it threw. */
    Exception failure() {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < PATIENCE_NANOS) {
            try {
                await();
                turn();
            } catch (ErrnoException | EgressAuditException | IllegalStateException e) {
                assertThat(proxy.isClosed()).isTrue();
                return e;
            }
        }
        throw new AssertionError("it never fails; " + events);
    }

    /** What the clients and servers see without a turn of the proxy. */
    void pump() {
        for (Peer peer : peers) {
            peer.pump();
        }
    }

    /** Turns until nothing happens for a moment: more may still be on its way. */
    void settle() throws ErrnoException, EgressAuditException {
        int quiet = 0;
        while (quiet < 3) {
            int[] happened =
                    linux.poll(List.of(new PollFd(proxy.awaited(), PollFd.POLLIN)), STEP_MILLIS);
            quiet = happened[0] == 0 && proxy.patience() != 0 ? quiet + 1 : 0;
            turn();
        }
    }

    void awaitText(Peer peer, String part) {
        until("'" + part + "' arrives", () -> {
            peer.pump();
            return peer.text().contains(part);
        });
    }

    void awaitOver(Peer peer) {
        until("the connection is over", () -> {
            peer.pump();
            return peer.isOver();
        });
    }

    /** All of a kind; ends are recorded a little later than they happen. */
    List<EgressEvent> events(Kind kind) {
        if (kind == Kind.ENDED && !proxy.isClosed()) {
            skip(Decisions.ENDS_WAIT / 1_000_000);
            step();
        }
        List<EgressEvent> found = new ArrayList<>();
        for (EgressEvent event : events) {
            if (event.kind() == kind) {
                found.add(event);
            }
        }
        return found;
    }

    /** The only event of a kind. */
    EgressEvent event(Kind kind) {
        assertThat(events(kind)).as("events of kind %s", kind).hasSize(1);
        return events(kind).get(0);
    }

    /** The value of Proxy-Authorization. */
    String basic() {
        String text = credential.user() + ":" + credential.password();
        return "Basic "
                + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** A vouched client with an open CONNECT tunnel. */
    Peer tunnel(String destination) throws ErrnoException {
        Peer client = vouchedClient();
        client.send("CONNECT " + destination + " HTTP/1.1\r\nHost: " + destination + "\r\n\r\n");
        awaitText(client, "HTTP/1.1 200 Connection Established\r\n\r\n");
        client.forget();
        return client;
    }

    @Override
    public void close() {
        proxy.close();
        for (OwnedFd fd : owned) {
            fd.close();
        }
        try {
            for (Socket socket : unheard) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
