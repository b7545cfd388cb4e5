package glove.egress;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Pipe;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * One direction of a connection: first what is {@linkplain #send given}, then as many bytes of the
 * source as are {@linkplain #allow allowed}, by splice(2). Confined to the thread of the proxy.
 */
final class Way {
    /** Of {@link #allow}: all there are, and then the end. */
    static final long ALL = Long.MAX_VALUE;

    /** Splices and writes in a row before others have their turn. */
    private static final int ROUNDS = 16;

    private static final byte[] NOTHING = {};

    private final Hub hub;
    private final Stream from;
    private final Stream to;
    private final Passage passage;
    private final boolean out;
    private byte[] given = NOTHING;
    private int givenAt;
    private int uncounted;
    private @Nullable Pipe pipe; // null while nothing is stuck
    private int stuck;
    private long allowance;
    private boolean ended;
    private boolean over;
    private boolean broken;

    /**
     * A way.
     *
     * @param out whether it leads out of the run
     */
    Way(Hub hub, Stream from, Stream to, Passage passage, boolean out) {
        this.hub = hub;
        this.from = from;
        this.to = to;
        this.passage = passage;
        this.out = out;
    }

    /** The same of what the proxy says itself: it counts for nobody. */
    void greet(byte[] bytes) {
        send(bytes);
        uncounted = bytes.length;
    }

    /** These bytes next, before what is allowed from now on; nothing may be stuck before them. */
    void send(byte[] bytes) {
        if (stuck > 0) {
            throw new IllegalStateException("bytes are stuck before what is to be sent");
        }
        if (givenAt == given.length) {
            given = bytes;
        } else {
            byte[] both = Arrays.copyOfRange(given, givenAt, given.length + bytes.length);
            System.arraycopy(bytes, 0, both, given.length - givenAt, bytes.length);
            given = both;
        }
        givenAt = 0;
    }

    /** So many bytes more, or {@link #ALL}. */
    void allow(long bytes) {
        allowance = bytes == ALL ? ALL : allowance + bytes;
    }

    /** Nothing more of the source, until more is allowed. */
    void hold() {
        allowance = 0;
    }

    long allowance() {
        return allowance;
    }

    /** Nothing that was taken from the source or given waits. */
    boolean isDrained() {
        return stuck == 0 && givenAt == given.length;
    }

    /** Some of what was given has still to be sent. */
    boolean owesGiven() {
        return givenAt < given.length;
    }

    /** The source has ended, though there may be bytes on the way. */
    boolean isEnded() {
        return ended;
    }

    /** Nothing will pass any more. */
    boolean isOver() {
        return over;
    }

    /** It is over because the receiver is gone. */
    boolean isBroken() {
        return broken;
    }

    /**
     * Moves what can be moved.
     *
     * @return true when there may be more that could be moved at once
     * @throws ErrnoException when the source is broken
     */
    boolean advance() throws ErrnoException {
        for (int i = 0; i < ROUNDS; i++) {
            if (over) {
                return false;
            }
            if (!isDrained()) {
                if (!drain()) {
                    return false;
                }
            } else if (allowance == 0 || ended || !from.isReadable() || !fill()) {
                return false;
            }
        }
        return true;
    }

    /** Writes some of what waits; false when nothing went. */
    private boolean drain() throws ErrnoException {
        if (!to.isWritable()) {
            return false;
        }
        int count;
        try {
            count = write();
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EPIPE && e.errno() != Errno.ECONNRESET) {
                throw e;
            }
            broken = true;
            finish();
            return false;
        }
        if (count == Linux.WOULD_BLOCK) {
            to.awaitRoom();
            return false;
        }
        count(count);
        return true;
    }

    private int write() throws ErrnoException {
        if (givenAt < given.length) {
            int count = hub.linux.send(to.fd(), given, givenAt, given.length - givenAt);
            if (count > 0) {
                givenAt += count;
                if (givenAt == given.length) {
                    given = NOTHING;
                    givenAt = 0;
                }
            }
            return count;
        }
        Pipe full = pipe;
        if (full == null) {
            throw new IllegalStateException(stuck + " bytes are stuck nowhere");
        }
        int count = hub.linux.splice(full.read(), to.fd(), stuck);
        if (count > 0) {
            stuck -= count;
            if (stuck == 0) {
                pipe = null;
                hub.pipes.give(full);
            }
        }
        return count;
    }

    private void count(int bytes) {
        int ours = Math.min(bytes, uncounted);
        uncounted -= ours;
        if (out) {
            passage.sent(bytes - ours);
        } else {
            passage.received(bytes - ours);
        }
    }

    /** Takes from the source; false when nothing was there. */
    private boolean fill() throws ErrnoException {
        long most = Math.min(allowance, PipePool.PIPE_BYTES);
        if (out) {
            most = Math.min(most, passage.remaining());
            if (most == 0) {
                return askForMore();
            }
        }
        Pipe empty = hub.pipes.take();
        int count = Linux.WOULD_BLOCK;
        try {
            count = hub.linux.splice(from.fd(), empty.write(), (int) most);
        } finally {
            if (count <= 0) {
                hub.pipes.give(empty);
            }
        }
        if (count == 0 || (count < 0 && from.isUrgent())) {
            return fillUrgent();
        }
        if (count < 0) {
            from.awaitBytes();
            return false;
        }
        pipe = empty;
        stuck = count;
        took(count);
        return true;
    }

    /**
     * A splice stops in front of an urgent byte, and says that nothing is there, or that it is the
     * end when the source has sent that: only a read tells.
     */
    private boolean fillUrgent() throws ErrnoException {
        int count = from.takeUrgent();
        if (count == Linux.WOULD_BLOCK) {
            from.awaitBytes();
            return false;
        }
        if (count == 0) {
            end();
            return false;
        }
        send(new byte[] {hub.scratch[0]});
        took(count);
        return true;
    }

    private void took(int count) {
        if (allowance != ALL) {
            allowance -= count;
        }
        if (out) {
            passage.taken(count);
        }
    }

    /** The limit is reached: that matters only when there is more than the end. */
    private boolean askForMore() throws ErrnoException {
        int count = from.peek(1);
        if (count == 0) {
            end();
        } else if (count > 0) {
            passage.exceed();
        }
        return false;
    }

    private void end() throws ErrnoException {
        ended = true;
        if (allowance == ALL) {
            to.endWriting();
            finish();
        }
    }

    private void finish() {
        over = true;
        close();
    }

    /** Forgets what waits. */
    void close() {
        given = NOTHING;
        givenAt = 0;
        stuck = 0;
        if (pipe != null) {
            hub.pipes.drop(pipe);
            pipe = null;
        }
    }
}
