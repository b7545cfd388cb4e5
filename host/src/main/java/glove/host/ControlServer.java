package glove.host;

import glove.host.Connection.Progress;
import glove.host.Connection.State;
import glove.host.ControlMethod.Pace;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Serves clients, many at once: one thread moves all bytes and answers what is {@linkplain
 * ControlMethod.Pace#QUICK quick}, the {@link Crew} does the rest. A client has a deadline for its
 * whole request and one for taking the response; who misses it, breaks the protocol or is another
 * user loses its own connection and nothing else. So does one whose handling fails in whatever way.
 * When there are too many, or they hold too much, one that is waited for has to go: honest ones
 * take milliseconds.
 *
 * <p>All connections and their states are this thread's alone. Confined to it; borrows its
 * descriptors and the crew.
 */
final class ControlServer implements AutoCloseable {
    private static final long FOREVER = -1;
    private static final int ACCEPTED_AT_ONCE = 64;
    private static final int SCRATCH_BYTES = 64 << 10;
    private static final long NANOS = 1_000_000;

    private final Linux linux;
    private final Doors doors;
    private final ControlProtocol protocol;
    private final ServerBounds bounds;
    private final DaemonLog log;
    private final DropReport drops;
    private final ServerEvents events;
    private final Crew crew;
    private final Entrance entrance;
    private final Connections connections;
    private final Overdue overdue;
    private final LargeRequests large = new LargeRequests(this::read);
    private final byte[] scratch = new byte[SCRATCH_BYTES];
    private boolean stopping;
    private long stopNanos;

    /**
     * Where clients, signals and results come from; borrowed.
     *
     * @param socket to accept from; closed when a signal comes
     * @param signals a byte for each
     * @param crew for this server alone
     */
    record Doors(ControlSocket socket, Fd signals, Crew crew) {}

    ControlServer(
            Linux linux, Doors doors, ControlProtocol protocol, ServerBounds bounds, DaemonLog log)
            throws ErrnoException {
        this.linux = linux;
        this.doors = doors;
        this.protocol = protocol;
        this.bounds = bounds;
        this.log = log;
        this.drops = new DropReport(log);
        this.crew = doors.crew();
        this.connections = new Connections(drops);
        this.overdue = new Overdue(log, crew.inspectors());
        this.events = new ServerEvents(linux, doors);
        this.entrance = new Entrance(linux, doors.socket(), events::watchListener, drops);
    }

    /**
     * Serves until a signal comes; then finishes what it has begun, in a bounded time.
     *
     * @param onStop run when the signal has come
     */
    void serve(Runnable onStop) throws ErrnoException {
        while (!stopping || (connections.count() > 0 && System.nanoTime() < stopNanos)) {
            boolean before = stopping;
            Optional<Throwable> fault = Isolated.run(this::turn);
            if (fault.isPresent()) { // nobody's in particular, such as no memory for a moment
                log.fault("serving", fault.get());
                connections.freeMemory();
                if (!stopping) {
                    entrance.pause();
                }
            }
            if (stopping && !before) {
                onStop.run();
            }
        }
    }

    private void turn() throws ErrnoException {
        int count = events.await(patienceMillis(System.nanoTime()));
        boolean awaited = false;
        for (int i = 0; i < count; i++) {
            if (events.source(i) == ServerEvents.LISTENER) {
                awaited = true;
            } else {
                attend(events.source(i), events.happened(i));
            }
        }
        if (awaited) {
            accept(); // after all that have spoken were heard: none of them goes as a silent one
        }
        long now = System.nanoTime();
        if (count < ServerEvents.AT_ONCE) {
            connections.expire(
                    now, this::lookAtDeadline); // of whom nothing has come that could be read
        }
        if (!stopping) {
            entrance.open(now);
        }
        drops.tellNow(now);
        overdue.tellNow(now);
    }

    private long patienceMillis(long now) {
        long next = stopping ? stopNanos : entrance.openAgainNanos();
        next = Math.min(next, connections.earliestNanos());
        next = Math.min(next, drops.tellNanos());
        next = Math.min(next, overdue.nextNanos());
        return next == Long.MAX_VALUE ? FOREVER : Math.max(0, (next - now) / NANOS + 1);
    }

    private void attend(long source, int happened) throws ErrnoException {
        if (source == ServerEvents.SIGNALS) {
            stop();
        } else if (source == ServerEvents.READERS) {
            takeRead();
        } else if (source == ServerEvents.WORKERS) {
            takeAnswers(Pace.SLOW);
        } else if (source == ServerEvents.INSPECTORS) {
            takeAnswers(Pace.LONG);
        } else {
            Optional<Connection> connection = connections.find(source);
            connection.ifPresent(one -> guard(one, () -> goOn(one, happened)));
        }
    }

    /** Something that is done for one connection. */
    private interface Turn {
        void take() throws ErrnoException;
    }

    /** Whatever goes wrong with one connection costs that one. */
    private void guard(Connection connection, Turn turn) {
        try {
            Optional<Throwable> fault = Isolated.run(turn::take);
            if (fault.isPresent()) {
                connections.drop(connection, DropReport.Reason.FAULT);
                log.fault("connection", fault.get());
            }
        } catch (ErrnoException e) {
            connections.drop(connection, DropReport.Reason.SHORTAGE);
        }
    }

    private void goOn(Connection connection, int happened) throws ErrnoException {
        switch (connection.state()) {
            case RECEIVING -> receive(connection);
            case SENDING -> send(connection);
            case READING, WORKING -> {
                // One that only sends nothing more still reads.
                if ((happened & (Linux.EPOLLHUP | Linux.EPOLLERR)) != 0) {
                    abandon(connection, DropReport.Reason.GONE);
                }
            }
        }
    }

    /**
     * Nobody waits for it: what was not begun is not, what takes long ends soon, and what changes
     * something is finished.
     */
    private void abandon(Connection connection, DropReport.Reason reason) {
        forget(connection);
        connections.drop(connection, reason);
    }

    /** Has nobody begin its request; one that takes long and was begun is expected to end soon. */
    private void forget(Connection connection) {
        connection.giveUp();
        if (crew.forget(connection.number())) {
            large.ended(connection.number());
        } else if (connection.isLong()) {
            overdue.expect(connection.number(), System.nanoTime());
        }
    }

    /**
     * A request whose time is over is not begun any more. One that was begun is finished, unless it
     * may take long: that changes nothing, and its thread may hang.
     */
    private void lookAtDeadline(Connection connection) {
        guard(connection, () -> {
            ControlProtocol.Admission.Admitted admitted = connection.admitted().orElseThrow();
            long left = millisLeft(connection, admitted);
            if (left > 0) {
                connection.setDeadline(System.nanoTime() + left * NANOS);
            } else if (connection.isLong() || crew.isWaiting(connection.number())) {
                forget(connection);
                respond(connection, new JsonFrame(protocol.late(admitted)));
            } else {
                connection.setDeadline(Long.MAX_VALUE);
            }
        });
    }

    /** Until then it must not be looked at again. */
    private long millisLeft(Connection connection, ControlProtocol.Admission.Admitted admitted) {
        long left = admitted.call().claim().millisLeft();
        if (!connection.isLong()) {
            return left;
        }
        OptionalLong begun = crew.of(Pace.LONG).begunNanos(connection.number());
        long most = bounds.lastingMillis(); // what is begun meanwhile ends no sooner
        if (begun.isPresent()) {
            most -= (System.nanoTime() - begun.getAsLong()) / NANOS;
        } else if (overdue.isAll()) {
            most = 0;
        }
        return Math.max(0, Math.min(left, most));
    }

    /** Gives up one whose request nobody has begun, the oldest; false when there is none. */
    private boolean giveUpWaiting() {
        Optional<Connection> oldest = connections.oldest(one -> crew.isWaiting(one.number()));
        oldest.ifPresent(one -> abandon(one, DropReport.Reason.TOO_MANY));
        return oldest.isPresent();
    }

    private void accept() throws ErrnoException {
        for (int i = 0; i < ACCEPTED_AT_ONCE && entrance.isOpen() && !stopping; i++) {
            boolean full = connections.count() >= bounds.connectionsMax();
            if (full && (i > 0 || !entrance.isAwaited())) {
                return; // one has to go for the next: first those here are heard
            }
            boolean room =
                    !full || connections.makeRoom(bounds.connectionsMax()) || giveUpWaiting();
            if (!room) {
                entrance.pause();
                return;
            }
            Optional<OwnedFd> socket = entrance.next();
            if (socket.isEmpty()) {
                return;
            }
            welcome(socket.get());
        }
    }

    private void welcome(OwnedFd socket) {
        long deadline = System.nanoTime() + bounds.receiveMillis() * NANOS;
        Connection connection = new Connection(socket, connections.nextNumber(), deadline);
        connections.add(connection);
        guard(connection, () -> {
            if (entrance.isOwner(socket)) {
                receive(connection); // most requests have come already
            } else {
                connections.drop(connection, DropReport.Reason.ANOTHER_USER);
            }
        });
    }

    private void receive(Connection connection) throws ErrnoException {
        Progress progress;
        try {
            progress = connections.take(connection, () -> connection.receive(linux, scratch));
        } catch (ErrnoException e) {
            progress = Progress.BROKEN; // reset by the peer
        }
        switch (progress) {
            case BROKEN -> connections.drop(connection, DropReport.Reason.BROKEN);
            case WAITING -> await(connection);
            case DONE -> begin(connection);
        }
    }

    /** Whether all together hold no more than they may, for which others, or this one, may go. */
    private boolean isWithinMemory(Connection connection) {
        while (connections.heldBytes() > bounds.heldBytesMax() && connections.has(connection)) {
            if (!connections.freeMemory()) {
                connections.drop(connection, DropReport.Reason.TOO_MUCH);
            }
        }
        return connections.has(connection);
    }

    /** Waits for the other side. */
    private void await(Connection connection) throws ErrnoException {
        if (isWithinMemory(connection) && connection.watched() != ServerEvents.ANYTHING) {
            events.watch(connection, ServerEvents.ANYTHING);
        }
    }

    private void begin(Connection connection) throws ErrnoException {
        if (connection.requestBytes() <= LargeRequests.SMALL_BYTES) {
            decide(connection, protocol.admit(take(connection)));
            return;
        }
        connection.read();
        if (isWithinMemory(connection)) {
            events.watch(connection, ServerEvents.HANGUP);
            if (large.waiting() >= bounds.connectionsMax()) {
                large.keep(number -> connections.find(number).isPresent());
            }
            large.add(connection.number());
        }
    }

    private byte[] take(Connection connection) throws ErrnoException {
        return connections.take(connection, connection::takeRequest);
    }

    /** Has a large request read; false when that cannot be, or its client has gone. */
    private boolean read(long number) {
        Optional<Connection> next = connections.find(number);
        next.ifPresent(connection -> guard(connection, () -> {
            byte[] request = take(connection);
            crew.readers().begin(number, () -> protocol.admit(request));
        }));
        return next.isPresent() && connections.has(next.get());
    }

    private void takeRead() throws ErrnoException {
        crew.readers().takeWake();
        for (; ; ) {
            Optional<Workers.Done<ControlProtocol.Admission>> done =
                    crew.readers().takeDone();
            if (done.isEmpty()) {
                return;
            }
            finish(done.get(), this::decide);
        }
    }

    private void takeAnswers(Pace pace) throws ErrnoException {
        crew.of(pace).takeWake();
        for (; ; ) {
            Optional<Workers.Done<JsonFrame>> done = crew.of(pace).takeDone();
            if (done.isEmpty()) {
                return;
            }
            overdue.back(done.get().connection());
            finish(done.get(), this::respond);
        }
    }

    /** What is done with a result. */
    private interface Next<T> {
        void take(Connection connection, T result) throws ErrnoException;
    }

    private <T> void finish(Workers.Done<T> done, Next<T> next) {
        Optional<Connection> found = connections
                .find(done.connection())
                .filter(connection -> !connection.waitsForClient()); // not answered yet
        found.ifPresent(connection -> guard(connection, () -> {
            if (done.result().isPresent()) {
                next.take(connection, done.result().get());
            } else {
                connections.drop(connection, DropReport.Reason.FAULT);
            }
        }));
        boolean goesOn = found.isPresent()
                && connections.has(found.get())
                && found.get().state() == State.WORKING;
        if (!goesOn) {
            large.ended(done.connection());
        }
    }

    private void decide(Connection connection, ControlProtocol.Admission admission)
            throws ErrnoException {
        switch (admission) {
            case ControlProtocol.Admission.Refused refused ->
                respond(connection, new JsonFrame(protocol.refuse(refused)));
            case ControlProtocol.Admission.Admitted admitted -> {
                if (admitted.method().pace() == ControlMethod.Pace.QUICK) {
                    respond(connection, new JsonFrame(protocol.answer(admitted)));
                } else {
                    work(connection, admitted);
                }
            }
        }
    }

    private void work(Connection connection, ControlProtocol.Admission.Admitted admitted)
            throws ErrnoException {
        long left = Math.max(1, admitted.call().claim().millisLeft());
        boolean lasting = admitted.method().pace() == Pace.LONG;
        if (lasting && stopping) {
            respond(connection, new JsonFrame(protocol.ending(admitted)));
            return;
        }
        left = lasting ? Math.min(left, bounds.lastingMillis()) : left;
        long until = System.nanoTime() + left * NANOS;
        connections.update(connection, () -> connection.work(admitted, until));
        events.watch(
                connection,
                ServerEvents.HANGUP); // before: nobody works for one that cannot be watched
        crew.of(admitted.method().pace())
                .begin(connection.number(), () -> new JsonFrame(protocol.answer(admitted)));
    }

    private void respond(Connection connection, JsonFrame response) throws ErrnoException {
        long until = System.nanoTime() + bounds.sendMillis() * NANOS;
        connections.update(connection, () -> connection.respond(response, until));
        send(connection);
    }

    private void send(Connection connection) throws ErrnoException {
        Progress progress;
        try {
            progress = connection.send(linux);
        } catch (ErrnoException e) {
            progress = Progress.BROKEN;
        }
        switch (progress) {
            case BROKEN -> connections.drop(connection, DropReport.Reason.GONE);
            case WAITING -> await(connection);
            case DONE -> connections.remove(connection);
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
        entrance.close();
        connections.removeReceiving();
        connections.working().forEach(connection -> {
            if (connection.isLong()) {
                guard(connection, () -> {
                    forget(connection);
                    respond(
                            connection,
                            new JsonFrame(protocol.ending(connection.admitted().orElseThrow())));
                });
            }
        });
    }

    /** Drops what is left. */
    @Override
    public void close() {
        connections.removeAll();
        drops.tell();
        events.close();
    }
}
