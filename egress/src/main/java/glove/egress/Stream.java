package glove.egress;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.IpEndpoint;
import glove.sys.Linux;
import glove.sys.OwnedFd;

/**
 * One TCP socket of a connection and what is known of it. It counts as readable from an event on
 * until a call said that nothing is there: see {@link WatchTable}. Owns the socket. Confined to
 * the thread of the proxy.
 */
final class Stream extends Watched implements AutoCloseable {
    private static final int GONE = Linux.EPOLLERR | Linux.EPOLLHUP;

    private final Hub hub;
    private final OwnedFd fd;
    private final Connection connection;
    private boolean readable;
    private boolean writable;
    private boolean ended;
    private boolean gone;
    private boolean urgent;

    private Stream(Hub hub, OwnedFd fd, Connection connection) {
        this.hub = hub;
        this.fd = fd;
        this.connection = connection;
    }

    /**
     * Watches a socket; its events wake the connection.
     *
     * @param fd owned from here on, also when this fails
     */
    static Stream of(Hub hub, OwnedFd fd, Connection connection) throws ErrnoException {
        Stream stream = new Stream(hub, fd, connection);
        boolean watched = false;
        try {
            hub.linux.sendAtOnce(fd);
            // Else splice(2) would stop for ever where urgent data was.
            hub.linux.setsockopt(fd, Linux.SOL_SOCKET, Linux.SO_OOBINLINE, 1);
            hub.watches.add(fd, stream);
            watched = true;
            return stream;
        } finally {
            if (!watched) {
                fd.close();
            }
        }
    }

    /** Starts a connection: an event tells how it went. */
    static Stream dial(Hub hub, IpEndpoint endpoint, Connection connection) throws ErrnoException {
        OwnedFd fd = hub.linux.tcpSocket(Linux.family(endpoint.address()));
        boolean dialled = false;
        try {
            hub.linux.setsockopt(fd, Linux.SOL_SOCKET, Linux.SO_KEEPALIVE, 1);
            hub.network.connect(fd, endpoint);
            dialled = true;
        } finally {
            if (!dialled) {
                fd.close();
            }
        }
        return of(hub, fd, connection);
    }

    @Override
    void happened(int events) {
        urgent |= (events & Linux.EPOLLPRI) != 0;
        gone |= (events & GONE) != 0;
        ended |= (events & (Linux.EPOLLRDHUP | GONE)) != 0;
        readable |= (events & (Linux.EPOLLIN | Linux.EPOLLRDHUP | GONE)) != 0;
        writable |= (events & (Linux.EPOLLOUT | GONE)) != 0;
        hub.wake(connection);
    }

    OwnedFd fd() {
        return fd;
    }

    boolean isReadable() {
        return readable;
    }

    boolean isWritable() {
        return writable;
    }

    /** Both directions are over, or the connection was reset. */
    boolean isGone() {
        return gone;
    }

    /** The peer will send no more than what is there. */
    boolean isEnded() {
        return ended;
    }

    /** There may be urgent data (tcp(7)), where peeks and splices stop: only a read passes it. */
    boolean isUrgent() {
        return urgent;
    }

    /**
     * Takes one byte, which may be urgent, into the scratch.
     *
     * @return 1; 0 at the end; {@link Linux#WOULD_BLOCK}
     */
    int takeUrgent() throws ErrnoException {
        int count = hub.linux.recv(fd, hub.scratch, 0, 1, 0);
        urgent = count > 0;
        return count;
    }

    /** Nothing is there to read until the next event. */
    void awaitBytes() {
        readable = false;
    }

    /** There is no room until the next event. */
    void awaitRoom() {
        writable = false;
    }

    /**
     * Looks at what is there without taking it, into the scratch.
     *
     * @return bytes; 0 at the end; {@link Linux#WOULD_BLOCK}
     */
    int peek(int max) throws ErrnoException {
        int count = hub.linux.recv(fd, hub.scratch, 0, max, Linux.MSG_PEEK);
        if (count == Linux.WOULD_BLOCK) {
            awaitBytes();
        }
        return count;
    }

    /** Takes so many of the bytes that were seen. */
    void skip(int count) throws ErrnoException {
        hub.linux.discardWhole(fd, count);
    }

    /** Sends a short answer; false when there is no room for it: the peer does not read. */
    boolean sendWhole(byte[] bytes) throws ErrnoException {
        return hub.linux.send(fd, bytes, 0, bytes.length) == bytes.length;
    }

    /** What became of a dial: 0, or an errno; only once it is {@linkplain #isWritable decided}. */
    int dialError() throws ErrnoException {
        return hub.linux.socketError(fd);
    }

    /** Ends our direction; the peer may be gone. */
    void endWriting() throws ErrnoException {
        try {
            hub.linux.endWriting(fd);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ECONNRESET && e.errno() != Errno.EPIPE) {
                throw e;
            }
        }
    }

    /** Closes it so that the peer sees a failure: what it got may be only a part. */
    void reset() {
        if (slot == NOWHERE) {
            return;
        }
        try {
            hub.linux.resetOnClose(fd);
        } catch (ErrnoException e) {
            // Then it sees an end: all that can still be done is to close it.
        }
        close();
    }

    @Override
    public void close() {
        hub.watches.remove(this);
        fd.close();
    }
}
