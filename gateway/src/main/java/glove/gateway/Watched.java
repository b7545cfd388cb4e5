package glove.gateway;

import glove.sys.Linux;

/** A descriptor in {@link Watches}, and what is known of it. Confined to the gateway's thread. */
final class Watched {
    private static final int NOWHERE = -1;

    /** Its slot, which {@link Watches} alone writes. */
    int slot = NOWHERE;

    /** Whether {@link Watches} is told of room to write. */
    boolean tellsOfRoom;

    /** Reading may give something: it has not said otherwise since the last event. */
    private boolean readable = true;

    /** Likewise of writing. */
    private boolean writable = true;

    /** The other side will say no more. */
    private boolean isLast;

    /** Nobody is at the other end any more. */
    private boolean hungUp;

    /** Something has: {@code EPOLL*}. */
    void happened(int events) {
        boolean hup = (events & (Linux.EPOLLHUP | Linux.EPOLLERR)) != 0;
        isLast |= hup || (events & Linux.EPOLLRDHUP) != 0;
        readable |= isLast || (events & Linux.EPOLLIN) != 0;
        writable |= hup || (events & Linux.EPOLLOUT) != 0;
        hungUp |= hup;
    }

    /**
     * Less was read than there was room for: of a stream that was all, and the next bytes or its
     * end make an event of their own (epoll(7)), unless the end has been told already.
     */
    void readAll() {
        readable = isLast;
    }

    boolean isWatched() {
        return slot != NOWHERE;
    }

    void unwatched() {
        slot = NOWHERE;
    }

    boolean isReadable() {
        return readable;
    }

    void nothingToRead() {
        readable = false;
    }

    boolean isWritable() {
        return writable;
    }

    void noRoomToWrite() {
        writable = false;
    }

    boolean isHungUp() {
        return hungUp;
    }
}
