package glove.app;

import glove.sandbox.AskedSocket;
import glove.sandbox.Exit;
import glove.sandbox.Refusal;
import glove.sandbox.RunningSandbox;
import glove.sys.Bug;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code --publish}: a port of this machine's 127.0.0.1 that leads to one of the sandbox's own
 * loopback. For each connection process 1 makes a socket of its network namespace, which this
 * connects to 127.0.0.1 in there, or to ::1 where nothing listens on that; bytes and ends pass both
 * ways. Whoever may log in to this machine can connect, as to any server on its loopback.
 *
 * <p>Owns its descriptors. Confined to the run's thread.
 */
final class PublishedPort implements Attendant, AutoCloseable {
    /** Of one connection, and one more that comes from process 1 meanwhile. */
    private static final int DESCRIPTORS = 3;

    private static final int BACKLOG = 128;
    private static final int PORT_MAX = 65535;
    private static final int UNPRIVILEGED = 1024;

    /** In the order they are tried. */
    private static final IpAddress[] INSIDE = {IpAddress.LOOPBACK_V4, IpAddress.LOOPBACK_V6};

    /** A connection from outside on its way to the port inside. */
    private static final class Dial {
        final OwnedFd outside;
        final long since = System.nanoTime();
        int address;
        AskedSocket asked;

        @Nullable
        OwnedFd inside; // while it is being connected

        Dial(OwnedFd outside, AskedSocket asked) {
            this.outside = outside;
            this.asked = asked;
        }

        void close() {
            asked.close();
            if (inside != null) {
                inside.close();
            }
            outside.close();
        }
    }

    private final Linux linux;
    private final OwnedFd listener;
    private final int port;
    private final List<Dial> dials = new ArrayList<>();
    private final List<RelayedConnection> connections = new ArrayList<>();
    private @Nullable RunningSandbox sandbox; // until it serves
    private final Door door;

    private PublishedPort(Linux linux, OwnedFd listener, int port) {
        this.linux = linux;
        this.listener = listener;
        this.door = new Door(linux, listener);
        this.port = port;
    }

    /**
     * Takes the port of this machine; who connects waits for {@link #serve}.
     *
     * @param hostPort 1 to 65535, of 127.0.0.1 here
     * @param port 1 to 65535, inside
     */
    static PublishedPort of(Linux linux, int hostPort, int port) throws Refusal {
        IpEndpoint local = new IpEndpoint(IpAddress.LOOPBACK_V4, hostPort);
        try {
            return new PublishedPort(linux, linux.listenTcp(local, BACKLOG), port);
        } catch (ErrnoException e) {
            int other = hostPort < UNPRIVILEGED
                    ? 8000 + hostPort
                    : hostPort < PORT_MAX ? hostPort + 1 : hostPort - 1;
            throw new Refusal(
                    "--publish " + hostPort + ":" + port + ": cannot listen on " + local
                            + " of this machine: " + Errno.words(e.errno()),
                    "--publish " + other + ":" + port);
        }
    }

    /**
     * From now on connections are passed on, into a sandbox whose loopback publishes.
     *
     * @param descriptors it may have open
     */
    void serve(RunningSandbox running, int descriptors) {
        sandbox = running;
        door.limit(descriptors / DESCRIPTORS);
    }

    private int count() {
        return dials.size() + connections.size();
    }

    /** Of all there are, whose dials begin in the order of the list. */
    private long idleSince() {
        long oldest = System.nanoTime();
        int longest = SocketRelay.longestIdle(connections);
        if (longest >= 0) {
            oldest = connections.get(longest).idleSince();
        }
        if (!dials.isEmpty() && dials.get(0).since - oldest < 0) {
            oldest = dials.get(0).since;
        }
        return oldest;
    }

    private void closeLongestIdle() {
        int longest = SocketRelay.longestIdle(connections);
        boolean dial = longest < 0
                || (!dials.isEmpty()
                        && dials.get(0).since - connections.get(longest).idleSince() < 0);
        if (dial) {
            dials.remove(0).close();
        } else {
            connections.remove(longest).close();
        }
    }

    private RunningSandbox sandbox() {
        RunningSandbox running = sandbox;
        if (running == null) {
            throw new Bug("serves no sandbox yet");
        }
        return running;
    }

    @Override
    public List<PollFd> awaited() {
        List<PollFd> awaited = new ArrayList<>();
        if (door.listens(count(), idleSince())) {
            awaited.add(new PollFd(listener, PollFd.POLLIN));
        }
        for (RelayedConnection connection : connections) {
            connection.await(awaited);
        }
        for (Dial dial : dials) {
            if (dial.inside != null) {
                awaited.add(new PollFd(dial.inside, PollFd.POLLOUT));
            }
        }
        return awaited;
    }

    @Override
    public long patience() {
        return door.patience(count(), idleSince());
    }

    @Override
    public void attend(int[] happened, int from) throws ErrnoException {
        int at = from + (door.isListening() ? 1 : 0);
        for (RelayedConnection connection : connections) {
            at += connection.pass(happened, at);
        }
        for (int i = connections.size() - 1; i >= 0; i--) {
            if (connections.get(i).isOver()) {
                connections.remove(i).close();
            }
        }
        List<Dial> dialled = new ArrayList<>(dials);
        for (Dial dial : dialled) {
            if (dial.inside == null) {
                heed(dial);
            } else if (happened[at++] != 0) {
                finish(dial, dial.inside);
            }
        }
        if (door.isListening() && happened[from] != 0) {
            accept();
        }
    }

    private void accept() throws ErrnoException {
        Optional<OwnedFd> accepted = door.accept();
        if (accepted.isEmpty()) {
            return;
        }
        if (door.isFull(count())) {
            closeLongestIdle();
        }
        OwnedFd outside = accepted.get();
        boolean asked = false;
        try {
            dials.add(new Dial(outside, sandbox().askSocket(Linux.family(INSIDE[0]))));
            asked = true;
        } finally {
            if (!asked) {
                outside.close();
            }
        }
    }

    /** Process 1 may have answered. */
    private void heed(Dial dial) throws ErrnoException {
        if (!dial.asked.isAnswered()) {
            return;
        }
        if (dial.asked.errno() != 0) {
            tryNext(dial);
            return;
        }
        OwnedFd inside = dial.asked.take();
        dial.inside = inside;
        try {
            if (linux.connect(inside, new IpEndpoint(INSIDE[dial.address], port))) {
                pass(dial, inside);
            }
        } catch (ErrnoException e) {
            tryNext(dial);
        }
    }

    private void finish(Dial dial, OwnedFd inside) throws ErrnoException {
        if (linux.socketError(inside) == 0) {
            pass(dial, inside);
        } else {
            tryNext(dial);
        }
    }

    private void pass(Dial dial, OwnedFd inside) throws ErrnoException {
        // Answers to small questions would wait for the acknowledgement of what went before.
        linux.sendAtOnce(inside);
        linux.sendAtOnce(dial.outside);
        dials.remove(dial);
        connections.add(new RelayedConnection(linux, inside, dial.outside));
    }

    /** Nothing listens at the address tried last. */
    private void tryNext(Dial dial) throws ErrnoException {
        if (dial.inside != null) {
            dial.inside.close();
            dial.inside = null;
        }
        dial.address++;
        if (dial.address < INSIDE.length) {
            dial.asked = sandbox().askSocket(Linux.family(INSIDE[dial.address]));
            return;
        }
        dials.remove(dial);
        linux.resetOnClose(dial.outside); // as if the port here were closed
        dial.outside.close();
    }

    @Override
    public void ended(Exit exit) throws ErrnoException {
        try {
            // A server may answer and end: its last bytes are still on the way, and maybe all.
            for (Dial dial : List.copyOf(dials)) {
                OwnedFd inside = dial.inside;
                if (inside != null && linux.socketError(inside) == 0) {
                    pass(dial, inside);
                }
            }
            RelayedConnection.passOutRest(linux, connections);
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        for (Dial dial : dials) {
            dial.close();
        }
        dials.clear();
        for (RelayedConnection connection : connections) {
            connection.close();
        }
        connections.clear();
        listener.close();
    }
}
