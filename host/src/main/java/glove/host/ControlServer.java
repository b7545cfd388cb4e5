package glove.host;

import glove.host.Connection.Progress;
import glove.host.Connection.State;
import glove.sys.EpollEvents;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Serves clients, many at once: one thread moves all bytes and answers what is {@linkplain
 * ControlMethod.Pace#QUICK quick}, workers do the rest. A client has a deadline for its whole
 * request and one for taking the response; who misses it, breaks the protocol or is another user
 * loses its own connection and nothing else. When there are too many, or they hold too much, the
 * one that has not finished its request for longest has to go: honest ones take milliseconds.
 *
 * <p>Confined to the thread that serves, but for {@link Workers}. Borrows its descriptors.
 */
final class ControlServer implements AutoCloseable {
    private static final long LISTENER = -1;
    private static final long SIGNALS = -2;
    private static final long WORKERS = -3;
    private static final long FOREVER = -1;
    private static final int EVENTS_AT_ONCE = 64;
    private static final int ACCEPTED_AT_ONCE = 64;
    private static final int SCRATCH_BYTES = 64 << 10;
    private static final long NANOS = 1_000_000;

    /** What is read and answered on the serving thread; longer requests take too long to read. */
    private static final int SMALL_REQUEST_BYTES = 8 << 10;

    /** Between two attempts to accept when this process has no descriptor left. */
    private static final long SHORTAGE_MILLIS = 50;

    private final Linux linux;
    private final Doors doors;
    private final ControlProtocol protocol;
    private final Bounds bounds;
    private final DropReport drops;
    private final OwnedFd epoll;
    private final Workers workers;
    private final int user;
    private final Map<Long, Connection> connections = new HashMap<>();
    private final byte[] scratch = new byte[SCRATCH_BYTES];
    private final EpollEvents events = new EpollEvents(EVENTS_AT_ONCE);
    private long accepted;
    private long bufferedBytes;
    private boolean listening;
    private long listenAgainNanos;
    private boolean stopping;
    private long stopNanos;

    /**
     * Where clients and signals come from; borrowed.
     *
     * @param socket to accept from; closed when a signal comes
     * @param signals a byte for each
     */
    record Doors(ControlSocket socket, Fd signals) {}

    /**
     * How much at once. Immutable.
     *
     * @param connectionsMax clients
     * @param bufferedBytesMax of unfinished requests and responses together
     * @param receiveMillis from the accept to the end of a request
     * @param sendMillis from the response to its end
     * @param stopMillis from the signal until all is dropped
     */
    record Bounds(
            int connectionsMax,
            int bufferedBytesMax,
            long receiveMillis,
            long sendMillis,
            long stopMillis) {
        /** The usual ones. */
        static final Bounds USUAL = new Bounds(256, 16 << 20, 5000, 5000, 5000);
    }

    ControlServer(Linux linux, Doors doors, ControlProtocol protocol, Bounds bounds, DaemonLog log)
            throws ErrnoException {
        this.linux = linux;
        this.doors = doors;
        this.protocol = protocol;
        this.bounds = bounds;
        this.drops = new DropReport(log);
        this.epoll = linux.epollCreate();
        this.workers = new Workers(linux, log);
        this.user = linux.geteuid();
        linux.epollAdd(epoll, doors.signals(), Linux.EPOLLIN, SIGNALS);
        linux.epollAdd(epoll, workers.wake(), Linux.EPOLLIN, WORKERS);
        linux.epollAdd(epoll, doors.socket().listener(), Linux.EPOLLIN, LISTENER);
        listening = true;
    }

    /**
     * Serves until a signal comes; then finishes what it has begun, in a bounded time.
     *
     * @param onStop run when the signal has come
     */
    void serve(Runnable onStop) throws ErrnoException {
        while (!stopping || (!connections.isEmpty() && System.nanoTime() < stopNanos)) {
            boolean before = stopping;
            int count = events.await(linux, epoll, patienceMillis(System.nanoTime()));
            for (int i = 0; i < count; i++) {
                attend(events.data(i));
            }
            if (stopping && !before) {
                onStop.run();
            }
            expire(System.nanoTime());
            drops.tellNow(System.nanoTime());
        }
    }

    private void attend(long source) throws ErrnoException {
        if (source == LISTENER) {
            accept();
        } else if (source == SIGNALS) {
            stop();
        } else if (source == WORKERS) {
            for (Connection done : workers.takeDone()) {
                bufferedBytes += done.bufferedBytes();
                send(done);
            }
        } else {
            Connection connection = connections.get(source); // it may have gone meanwhile
            if (connection != null && connection.state() == State.RECEIVING) {
                receive(connection);
            } else if (connection != null && connection.state() == State.SENDING) {
                send(connection);
            }
        }
    }

    private long patienceMillis(long now) {
        long next = stopping ? stopNanos : Long.MAX_VALUE;
        for (Connection connection : connections.values()) {
            if (connection.state() != State.WORKING) {
                next = Math.min(next, connection.deadlineNanos());
            }
        }
        if (!listening && !stopping) {
            next = Math.min(next, listenAgainNanos);
        }
        next = Math.min(next, drops.tellNanos());
        return next == Long.MAX_VALUE ? FOREVER : Math.max(0, (next - now) / NANOS + 1);
    }

    private void expire(long now) throws ErrnoException {
        for (Connection connection : List.copyOf(connections.values())) {
            if (connection.state() != State.WORKING && connection.deadlineNanos() <= now) {
                drop(connection, DropReport.Reason.TOO_SLOW);
            }
        }
        if (!listening && !stopping && listenAgainNanos <= now) {
            listen(true);
        }
    }

    private void listen(boolean on) throws ErrnoException {
        listening = on;
        int events = on ? Linux.EPOLLIN : 0;
        linux.epollModify(epoll, doors.socket().listener(), events, LISTENER);
    }

    private void accept() throws ErrnoException {
        for (int i = 0; i < ACCEPTED_AT_ONCE && listening && !stopping; i++) {
            if (connections.size() >= bounds.connectionsMax() && !makeRoom()) {
                pause();
                return;
            }
            Optional<OwnedFd> socket;
            try {
                socket = linux.accept(doors.socket().listener());
            } catch (ErrnoException e) {
                if (!Errno.isShortage(e.errno())) {
                    throw e;
                }
                drops.count(DropReport.Reason.NO_DESCRIPTOR);
                if (!makeRoom()) {
                    pause();
                }
                return;
            }
            if (socket.isEmpty()) {
                return;
            }
            welcome(socket.get());
        }
    }

    private void pause() throws ErrnoException {
        listenAgainNanos = System.nanoTime() + SHORTAGE_MILLIS * NANOS;
        listen(false);
    }

    private void welcome(OwnedFd socket) throws ErrnoException {
        Linux.Peer peer = linux.peer(socket);
        if (peer.uid() != user || peer.pid() <= 0) {
            socket.close();
            drops.count(DropReport.Reason.ANOTHER_USER);
            return;
        }
        accepted++;
        long deadline = System.nanoTime() + bounds.receiveMillis() * NANOS;
        Connection connection = new Connection(socket, accepted, deadline);
        connections.put(accepted, connection);
        receive(connection); // most requests have come already
    }

    private void receive(Connection connection) throws ErrnoException {
        int before = connection.bufferedBytes();
        Progress progress;
        try {
            progress = connection.receive(linux, scratch);
        } catch (ErrnoException e) {
            progress = Progress.BROKEN; // reset by the peer
        }
        bufferedBytes += connection.bufferedBytes() - before;
        switch (progress) {
            case BROKEN -> drop(connection, DropReport.Reason.BROKEN);
            case WAITING -> await(connection);
            case DONE -> begin(connection);
        }
    }

    /** Waits for the other side; by edges, so that one that hangs up does not wake us for ever. */
    private void await(Connection connection) throws ErrnoException {
        while (bufferedBytes > bounds.bufferedBytesMax()) {
            if (!makeRoom()) {
                drop(connection, DropReport.Reason.TOO_MUCH);
                return;
            }
        }
        if (!connection.isWatched() && connections.containsKey(connection.number())) {
            connection.setWatched();
            int both = Linux.EPOLLIN | Linux.EPOLLOUT | Linux.EPOLLRDHUP | Linux.EPOLLET;
            linux.epollAdd(epoll, connection.socket(), both, connection.number());
        }
    }

    private void begin(Connection connection) throws ErrnoException {
        byte[] request = connection.request();
        if (request.length > SMALL_REQUEST_BYTES) {
            hand(connection, () -> protocol.respond(request));
            return;
        }
        ControlProtocol.Admission admission = protocol.admit(request);
        switch (admission) {
            case ControlProtocol.Admission.Refused refused ->
                respond(connection, protocol.refuse(refused));
            case ControlProtocol.Admission.Admitted admitted -> {
                if (admitted.method().pace() == ControlMethod.Pace.QUICK) {
                    respond(connection, protocol.answer(admitted));
                } else {
                    hand(connection, () -> protocol.answer(admitted));
                }
            }
        }
    }

    private void hand(Connection connection, Workers.Work work) {
        bufferedBytes -= connection.bufferedBytes(); // the worker's from now on
        connection.work();
        workers.begin(connection, work, bounds.sendMillis() * NANOS);
    }

    private void respond(Connection connection, byte[] response) throws ErrnoException {
        bufferedBytes -= connection.bufferedBytes();
        connection.respond(response, System.nanoTime() + bounds.sendMillis() * NANOS);
        bufferedBytes += connection.bufferedBytes();
        send(connection);
    }

    private void send(Connection connection) throws ErrnoException {
        if (connection.state() == State.WORKING) {
            drop(connection, DropReport.Reason.FAULT);
            return;
        }
        Progress progress;
        try {
            progress = connection.send(linux);
        } catch (ErrnoException e) {
            progress = Progress.BROKEN;
        }
        switch (progress) {
            case BROKEN -> drop(connection, DropReport.Reason.GONE);
            case WAITING -> await(connection);
            case DONE -> remove(connection);
        }
    }

    /** Drops the connection that has waited for its client the longest. */
    private boolean makeRoom() {
        Optional<Connection> oldest = Optional.empty();
        for (Connection connection : connections.values()) {
            if (connection.state() != State.WORKING
                    && (oldest.isEmpty() || connection.number() < oldest.get().number())) {
                oldest = Optional.of(connection);
            }
        }
        oldest.ifPresent(connection -> drop(connection, DropReport.Reason.TOO_MANY));
        return oldest.isPresent();
    }

    private void drop(Connection connection, DropReport.Reason reason) {
        drops.count(reason);
        remove(connection);
    }

    private void remove(Connection connection) {
        if (connections.remove(connection.number()) != null) {
            bufferedBytes -= connection.bufferedBytes();
            connection.close(); // which takes it out of epoll
        }
    }

    /** The first signal ends what nobody works on; a second one the rest. */
    private void stop() throws ErrnoException {
        linux.read(doors.signals(), 1);
        long now = System.nanoTime();
        if (stopping) {
            stopNanos = now;
            return;
        }
        stopping = true;
        stopNanos = now + bounds.stopMillis() * NANOS;
        doors.socket().close();
        for (Connection connection : new ArrayList<>(connections.values())) {
            if (connection.state() == State.RECEIVING) {
                remove(connection);
            }
        }
    }

    /** Drops what is left. */
    @Override
    public void close() {
        workers.close();
        for (Connection connection : new ArrayList<>(connections.values())) {
            remove(connection);
        }
        drops.tell();
        epoll.close();
    }
}
