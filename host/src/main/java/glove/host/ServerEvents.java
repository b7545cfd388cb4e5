package glove.host;

import glove.sys.EpollEvents;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;

/**
 * What the serving thread waits for, as epoll(7) tells it: clients, signals, and what others have
 * done for it. Owns the descriptor of epoll and borrows those that are watched. Confined to the
 * server's thread.
 */
final class ServerEvents implements AutoCloseable {
    private static final int DOORS = 5;

    /** So many are told at once: all there are, of the usual bound; those beyond the next time. */
    static final int AT_ONCE = ServerBounds.USUAL.connectionsMax() + DOORS;

    /** Sources that are no connection: those have positive numbers. */
    static final long LISTENER = -1;

    static final long SIGNALS = -2;
    static final long READERS = -3;
    static final long WORKERS = -4;
    static final long INSPECTORS = -5;

    /** By edges, so that one that hangs up does not wake us for ever. */
    static final int HANGUP = Linux.EPOLLRDHUP | Linux.EPOLLET;

    /** That it can be read or written, or has hung up. */
    static final int ANYTHING = HANGUP | Linux.EPOLLIN | Linux.EPOLLOUT;

    private final Linux linux;
    private final ControlServer.Doors doors;
    private final OwnedFd epoll;
    private final EpollEvents events = new EpollEvents(AT_ONCE);

    /** Of all doors, and of no connection yet. */
    ServerEvents(Linux linux, ControlServer.Doors doors) throws ErrnoException {
        this.linux = linux;
        this.doors = doors;
        this.epoll = linux.epollCreate();
        boolean watching = false;
        try {
            Crew crew = doors.crew();
            linux.epollAdd(epoll, doors.signals(), Linux.EPOLLIN, SIGNALS);
            linux.epollAdd(epoll, crew.readers().wake(), Linux.EPOLLIN, READERS);
            linux.epollAdd(epoll, crew.of(ControlMethod.Pace.SLOW).wake(), Linux.EPOLLIN, WORKERS);
            linux.epollAdd(
                    epoll, crew.of(ControlMethod.Pace.LONG).wake(), Linux.EPOLLIN, INSPECTORS);
            linux.epollAdd(epoll, doors.socket().listener(), Linux.EPOLLIN, LISTENER);
            watching = true;
        } finally {
            if (!watching) {
                epoll.close();
            }
        }
    }

    /** Tells, or not, that somebody waits to come in. */
    void watchListener(boolean on) throws ErrnoException {
        int wanted = on ? Linux.EPOLLIN : 0;
        linux.epollModify(epoll, doors.socket().listener(), wanted, LISTENER);
    }

    /** Tells of a connection, also of what has happened already: that was maybe told before. */
    void watch(Connection connection, int wanted) throws ErrnoException {
        boolean anew = connection.watched() == 0;
        connection.setWatched(wanted);
        if (anew) {
            linux.epollAdd(epoll, connection.socket(), wanted, connection.number());
        } else {
            linux.epollModify(epoll, connection.socket(), wanted, connection.number());
        }
    }

    /**
     * Waits.
     *
     * @param millis at most; negative: without limit
     * @return how many events there are; 0 when the time is over
     */
    int await(long millis) throws ErrnoException {
        return events.await(linux, epoll, millis);
    }

    /** Where an event comes from: one of the constants, or the number of a connection. */
    long source(int index) {
        return events.data(index);
    }

    /** What it is, {@code EPOLL*}. */
    int happened(int index) {
        return events.events(index);
    }

    @Override
    public void close() {
        epoll.close();
    }
}
