package glove.app;

import glove.sandbox.Exit;
import glove.sandbox.RunningSandbox;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Serves the sandbox's end of one {@linkplain glove.sandbox.AgentSocket socket}: each connection of
 * the agent gets one to the host's, made by this process. Bytes pass, descriptors do not (unix(7),
 * SCM_RIGHTS).
 *
 * <p>Owns its descriptors. Confined to the run's thread.
 */
final class SocketRelay implements Attendant, AutoCloseable {
    /** Of one connection. */
    private static final int DESCRIPTORS = 2;

    /** For whom the service lets wait when the run ends. */
    private static final long REST_NANOS = 500_000_000L;

    private final Linux linux;
    private final OwnedFd host;
    private final OwnedFd listener;
    private final List<RelayedConnection> connections = new ArrayList<>();
    private final Door door;

    SocketRelay(Linux linux, OwnedFd host, OwnedFd listener) {
        this.linux = linux;
        this.door = new Door(linux, listener);
        this.host = host;
        this.listener = listener;
    }

    /**
     * Serves.
     *
     * @param held owned from here on
     * @param number which of the profile's sockets it is
     * @param descriptors it may have open
     */
    static SocketRelay of(
            Linux linux, OwnedFd held, RunningSandbox sandbox, int number, int descriptors) {
        SocketRelay relay = new SocketRelay(linux, held, sandbox.takeSocket(number));
        relay.door.limit(descriptors / DESCRIPTORS);
        return relay;
    }

    /** Of the one that is idle longest; its number, or -1 without any. */
    static int longestIdle(List<RelayedConnection> connections) {
        int found = -1;
        for (int i = 0; i < connections.size(); i++) {
            if (found < 0
                    || connections.get(i).idleSince() - connections.get(found).idleSince() < 0) {
                found = i;
            }
        }
        return found;
    }

    private long idleSince() {
        int longest = longestIdle(connections);
        return longest < 0 ? System.nanoTime() : connections.get(longest).idleSince();
    }

    @Override
    public List<PollFd> awaited() {
        List<PollFd> awaited = new ArrayList<>();
        if (door.listens(connections.size(), idleSince())) {
            awaited.add(new PollFd(listener, PollFd.POLLIN));
        }
        for (RelayedConnection connection : connections) {
            connection.await(awaited);
        }
        return awaited;
    }

    @Override
    public long patience() {
        return door.patience(connections.size(), idleSince());
    }

    @Override
    public void attend(int[] happened, int from) throws ErrnoException {
        int at = from + (door.isListening() ? 1 : 0);
        for (int i = 0; i < connections.size(); i++) {
            at += connections.get(i).pass(happened, at);
        }
        for (int i = connections.size() - 1; i >= 0; i--) {
            if (connections.get(i).isOver()) {
                connections.remove(i).close();
            }
        }
        if (door.isListening() && happened[from] != 0) {
            accept();
        }
    }

    /**
     * Lets the one that waits in. The service is connected to first: while its own backlog is full
     * (connect(2): EAGAIN) or descriptors are short, who comes waits in ours as it would in that.
     *
     * @return false when it has to wait
     */
    private boolean accept() {
        Optional<OwnedFd> outside = Optional.empty();
        try {
            outside = Optional.of(linux.connectUnix(host));
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EAGAIN || Errno.isShortage(e.errno())) {
                door.pause();
                return false;
            }
        }
        Optional<OwnedFd> inside = door.accept();
        if (inside.isPresent() && outside.isPresent()) {
            if (door.isFull(connections.size())) {
                connections.remove(longestIdle(connections)).close();
            }
            connections.add(new RelayedConnection(linux, inside.get(), outside.get()));
        } else {
            outside.ifPresent(OwnedFd::close);
            inside.ifPresent(OwnedFd::close); // sees its end, as of a service that hangs up
        }
        return inside.isPresent();
    }

    /** Who connected, sent and ended may not have been let in yet. */
    @Override
    public void ended(Exit exit) throws ErrnoException {
        List<PollFd> waiting = List.of(new PollFd(listener, PollFd.POLLIN));
        long end = System.nanoTime() + REST_NANOS;
        while (!door.isFull(connections.size())
                && RelayedConnection.poll(linux, waiting, 0)[0] != 0) {
            if (!accept()) {
                if (System.nanoTime() - end >= 0) {
                    break;
                }
                RelayedConnection.poll(linux, List.of(), Door.PAUSE_MILLIS);
            }
        }
        RelayedConnection.passOutRest(linux, connections);
    }

    @Override
    public void close() {
        for (RelayedConnection connection : connections) {
            connection.close();
        }
        listener.close();
        host.close();
    }
}
