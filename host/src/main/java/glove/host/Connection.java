package glove.host;

import glove.sys.BorrowedFd;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import java.util.Arrays;

/**
 * One client: a request comes in, a response goes out. Owns its descriptor. Confined to the
 * server's thread, but for the time it is worked on, when it is the worker's.
 */
final class Connection {
    /** Before the content of a frame: its length, big-endian. */
    static final int LENGTH_BYTES = 4;

    private static final byte[] NOTHING = {};

    private final OwnedFd socket;
    private final long number;
    private State state = State.RECEIVING;
    private long deadlineNanos;
    private boolean watched;
    private byte[] buffer = NOTHING; // with the length; of the request, then of the response
    private int filled;
    private int sent;

    /** How far it is. */
    enum State {
        /** Its request is not whole yet. */
        RECEIVING,
        /** A worker has it. */
        WORKING,
        /** Its response is not sent yet. */
        SENDING
    }

    /** What became of an attempt. */
    enum Progress {
        /** All is there, or gone. */
        DONE,
        /** The other side must do something first. */
        WAITING,
        /** It broke the protocol, or is gone. */
        BROKEN
    }

    /**
     * One that was just accepted.
     *
     * @param number larger than those before
     */
    Connection(OwnedFd socket, long number, long deadlineNanos) {
        this.socket = socket;
        this.number = number;
        this.deadlineNanos = deadlineNanos;
    }

    long number() {
        return number;
    }

    State state() {
        return state;
    }

    /** Of {@link System#nanoTime}: until then it must go on. */
    long deadlineNanos() {
        return deadlineNanos;
    }

    /** Whether epoll tells of it. */
    boolean isWatched() {
        return watched;
    }

    void setWatched() {
        watched = true;
    }

    BorrowedFd socket() {
        return socket.borrow();
    }

    /** What it takes in memory. */
    int bufferedBytes() {
        return buffer.length;
    }

    /**
     * Takes what has come, until the request is whole. What follows it is never read.
     *
     * @param scratch of the server, as large as one call moves
     */
    Progress receive(Linux linux, byte[] scratch) throws ErrnoException {
        for (; ; ) {
            int most = filled < LENGTH_BYTES ? scratch.length : frameBytes() - filled;
            int count = linux.recv(socket, scratch, 0, most, 0);
            if (count == Linux.WOULD_BLOCK) {
                return Progress.WAITING;
            }
            if (count == 0) {
                return Progress.BROKEN;
            }
            append(scratch, count);
            if (filled >= LENGTH_BYTES) {
                int length = contentBytes();
                if (length < 1 || length > ControlProtocol.FRAME_BYTES_MAX) {
                    return Progress.BROKEN;
                }
                if (filled >= frameBytes()) {
                    return Progress.DONE;
                }
            }
        }
    }

    /** Room grows with what has come, not with what was announced. */
    private void append(byte[] bytes, int count) {
        if (filled + count > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(filled + count, 2 * buffer.length));
        }
        System.arraycopy(bytes, 0, buffer, filled, count);
        filled += count;
    }

    private int contentBytes() {
        return JsonFrame.length(buffer);
    }

    private int frameBytes() {
        return LENGTH_BYTES + contentBytes();
    }

    /** The content of the whole request. */
    byte[] request() {
        return Arrays.copyOfRange(buffer, LENGTH_BYTES, frameBytes());
    }

    /** From now on it is a worker's. */
    void work() {
        state = State.WORKING;
    }

    /** Gives it its response, to be sent until then. */
    void respond(byte[] response, long until) {
        byte[] frame = new JsonFrame(response).bytes();
        buffer = frame;
        filled = frame.length;
        deadlineNanos = until;
        state = State.SENDING;
    }

    /** Sends what the socket takes. */
    Progress send(Linux linux) throws ErrnoException {
        while (sent < filled) {
            int count = linux.send(socket, buffer, sent, filled - sent);
            if (count == Linux.WOULD_BLOCK) {
                return Progress.WAITING;
            }
            sent += count;
        }
        return Progress.DONE;
    }

    void close() {
        socket.close();
        buffer = NOTHING;
    }
}
