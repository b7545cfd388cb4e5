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

/**
 * Serves the sandbox's end of one {@linkplain glove.sandbox.AgentSocket socket}: each connection of
 * the agent gets one to the host's, made by this process. Bytes pass, descriptors do not (unix(7),
 * SCM_RIGHTS).
 *
 * <p>Owns its descriptors. Confined to the run's thread.
 */
final class SocketRelay implements Attendant, AutoCloseable {
    /** Each costs two descriptors; who wants more waits. */
    private static final int CONNECTIONS_MAX = 64;

    private final Linux linux;
    private final OwnedFd host;
    private final OwnedFd listener;
    private final List<RelayedConnection> connections = new ArrayList<>();
    private boolean listening;

    private SocketRelay(Linux linux, OwnedFd host, OwnedFd listener) {
        this.linux = linux;
        this.host = host;
        this.listener = listener;
    }

    /**
     * Serves.
     *
     * @param held owned from here on
     * @param number which of the profile's sockets it is
     */
    static SocketRelay of(Linux linux, OwnedFd held, RunningSandbox sandbox, int number) {
        return new SocketRelay(linux, held, sandbox.takeSocket(number));
    }

    @Override
    public List<PollFd> awaited() {
        List<PollFd> awaited = new ArrayList<>();
        listening = connections.size() < CONNECTIONS_MAX;
        if (listening) {
            awaited.add(new PollFd(listener, PollFd.POLLIN));
        }
        for (RelayedConnection connection : connections) {
            connection.await(awaited);
        }
        return awaited;
    }

    @Override
    public long patience() {
        return UNLIMITED;
    }

    @Override
    public void attend(int[] happened, int from) throws ErrnoException {
        int at = from + (listening ? 1 : 0);
        for (int i = 0; i < connections.size(); i++) {
            at += connections.get(i).pass(happened, at);
        }
        for (int i = connections.size() - 1; i >= 0; i--) {
            if (connections.get(i).isOver()) {
                connections.remove(i).close();
            }
        }
        if (listening && happened[from] != 0) {
            accept();
        }
    }

    private void accept() throws ErrnoException {
        var accepted = linux.accept(listener);
        if (accepted.isEmpty()) {
            return;
        }
        OwnedFd inside = accepted.get();
        try {
            connections.add(new RelayedConnection(linux, inside, linux.connectUnix(host)));
        } catch (ErrnoException e) {
            inside.close(); // the agent sees the end at once, as of a service that hangs up
            if (e.errno() == Errno.EMFILE) {
                throw e;
            }
        }
    }

    @Override
    public void ended(Exit exit) throws ErrnoException {
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
