package glove.host;

import glove.sys.BorrowedFd;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import java.util.Arrays;
import java.util.Optional;

/**
 * One client: a request comes in, a response goes out. Owns its descriptor. Confined to the
 * server's thread, always: other threads get the request's bytes, which nobody changes any more,
 * and give back an immutable result under the connection's {@linkplain #number number}.
 */
final class Connection {
    private static final byte[] NOTHING = {};
    private static final int BYTE_BITS = 8;
    private static final int BYTE_MASK = 0xff;

    private final OwnedFd socket;
    private final long number;
    private State state = State.RECEIVING;
    private long deadlineNanos;
    private Optional<ControlProtocol.Admission.Admitted> work = Optional.empty();
    private int watched;
    private int lengthBytes; // of the frame's length that have come
    private int length;
    private byte[] buffer = NOTHING; // content of the request, or the frame of the response
    private int filled;
    private int sent;
    private long heldBytes;

    /** How far it is. */
    enum State {
        /** Its request is not whole yet. */
        RECEIVING,
        /** Its request is whole, and large: a thread of its own reads it. */
        READING,
        /** Its request was admitted: a worker has it, or it waits for one. */
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
     * @param deadlineNanos of {@link System#nanoTime}, for the whole request
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

    /** Whether it is the client who must do something next. */
    boolean waitsForClient() {
        return state == State.RECEIVING || state == State.SENDING;
    }

    /** Whether it holds memory for something nobody has begun, or its client is waited for. */
    boolean holdsIdly() {
        return heldBytes > 0 && (waitsForClient() || state == State.READING);
    }

    /** Whether it has not even said how long its request is. */
    boolean isSilent() {
        return state == State.RECEIVING && lengthBytes < JsonFrame.LENGTH_BYTES;
    }

    /**
     * Of {@link System#nanoTime}: until then the client must go on, when it is its turn, or its
     * request is in time.
     */
    long deadlineNanos() {
        return state == State.READING ? Long.MAX_VALUE : deadlineNanos;
    }

    /** What epoll tells of it, {@code EPOLL*}; 0 for nothing. */
    int watched() {
        return watched;
    }

    void setWatched(int events) {
        watched = events;
    }

    BorrowedFd socket() {
        return socket.borrow();
    }

    /** What of its request or response is in memory here. */
    long heldBytes() {
        return heldBytes;
    }

    /**
     * Takes what has come, until the request is whole. What follows it is never read.
     *
     * @param scratch of the server, as large as one call moves
     */
    Progress receive(Linux linux, byte[] scratch) throws ErrnoException {
        for (; ; ) {
            int most = lengthBytes < JsonFrame.LENGTH_BYTES ? scratch.length : length - filled;
            int count = linux.recv(socket, scratch, 0, most, 0);
            if (count == Linux.WOULD_BLOCK) {
                return Progress.WAITING;
            }
            if (count == 0 || !take(scratch, count)) {
                return Progress.BROKEN;
            }
            if (lengthBytes == JsonFrame.LENGTH_BYTES && filled == length) {
                return Progress.DONE;
            }
        }
    }

    /** False when the length is none. */
    private boolean take(byte[] bytes, int count) {
        int at = 0;
        while (lengthBytes < JsonFrame.LENGTH_BYTES && at < count) {
            length = (length << BYTE_BITS) | (bytes[at++] & BYTE_MASK);
            lengthBytes++;
        }
        if (lengthBytes < JsonFrame.LENGTH_BYTES) {
            return true;
        }
        if (length < 1 || length > ControlProtocol.FRAME_BYTES_MAX) {
            return false;
        }
        append(bytes, at, Math.min(count - at, length - filled));
        return true;
    }

    /** Room grows with what has come, not with what was announced, and never beyond that. */
    private void append(byte[] bytes, int at, int count) {
        if (filled + count > buffer.length) {
            int room = Math.min(length, Math.max(filled + count, 2 * buffer.length));
            buffer = Arrays.copyOf(buffer, room);
            heldBytes = room;
        }
        System.arraycopy(bytes, at, buffer, filled, count);
        filled += count;
    }

    /** How long the whole request is. */
    int requestBytes() {
        return length;
    }

    /** The whole request, once: it is the caller's then, and counts there. */
    byte[] takeRequest() {
        byte[] request = buffer;
        buffer = NOTHING;
        heldBytes = 0;
        return request;
    }

    /** Another thread is to read its request. */
    void read() {
        state = State.READING;
    }

    /**
     * Its request is being carried out.
     *
     * @param untilNanos it is looked at again then
     */
    void work(ControlProtocol.Admission.Admitted admitted, long untilNanos) {
        work = Optional.of(admitted);
        deadlineNanos = untilNanos;
        state = State.WORKING;
    }

    /** What it wants, since {@link #work}. */
    Optional<ControlProtocol.Admission.Admitted> admitted() {
        return work;
    }

    /** Whether it is what may take long that is carried out for it. */
    boolean isLong() {
        return work.filter(admitted -> admitted.method().pace() == ControlMethod.Pace.LONG)
                .isPresent();
    }

    /** Nobody waits for its response any more, or not for one that takes long. */
    void giveUp() {
        work.ifPresent(admitted -> admitted.call().claim().giveUp());
    }

    /** It is looked at again only then. */
    void setDeadline(long nanos) {
        deadlineNanos = nanos;
    }

    /** Gives it its response, to be sent until then. */
    void respond(JsonFrame response, long untilNanos) {
        buffer = response.bytes();
        heldBytes = buffer.length;
        deadlineNanos = untilNanos;
        state = State.SENDING;
    }

    /** Sends what the socket takes. */
    Progress send(Linux linux) throws ErrnoException {
        while (sent < buffer.length) {
            int count = linux.send(socket, buffer, sent, buffer.length - sent);
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
        heldBytes = 0;
    }
}
