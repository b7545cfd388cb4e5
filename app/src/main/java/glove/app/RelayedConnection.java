package glove.app;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;
import glove.sys.TransferBuffer;

import java.util.ArrayList;
import java.util.List;

/**
 * Two connected non-blocking streams whose bytes and ends pass from each to the other. Owns both.
 * Confined to one thread.
 */
final class RelayedConnection implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 10;
    private static final long REST_NANOS = 500_000_000;

    /** One direction. */
    private static final class Way {
        final OwnedFd from;
        final OwnedFd to;
        final TransferBuffer buffer;
        boolean ended;
        boolean over;
        int awaited = -1;

        Way(Linux linux, OwnedFd from, OwnedFd to) {
            this.from = from;
            this.to = to;
            this.buffer = new TransferBuffer(linux, BUFFER_BYTES);
        }
    }

    private final Linux linux;
    private final Way out;
    private final Way back;
    private long since = System.nanoTime();

    RelayedConnection(Linux linux, OwnedFd inside, OwnedFd outside) {
        this.linux = linux;
        this.out = new Way(linux, inside, outside);
        this.back = new Way(linux, outside, inside);
    }

    /** Adds what it waits for: each direction either for bytes or for room. */
    void await(List<PollFd> awaited) {
        int first = awaited.size();
        await(out, awaited, first);
        await(back, awaited, first);
    }

    private static void await(Way way, List<PollFd> awaited, int first) {
        way.awaited = -1;
        if (!way.over) {
            way.awaited = awaited.size() - first;
            awaited.add(
                    way.buffer.isEmpty()
                            ? new PollFd(way.from, PollFd.POLLIN)
                            : new PollFd(way.to, PollFd.POLLOUT));
        }
    }

    /**
     * Passes what can be passed.
     *
     * @return how many descriptors it had waited for
     */
    int pass(int[] happened, int from) throws ErrnoException {
        return pass(out, happened, from) + pass(back, happened, from);
    }

    private int pass(Way way, int[] happened, int from) throws ErrnoException {
        if (way.awaited < 0) {
            return 0;
        }
        if (happened[from + way.awaited] != 0) {
            try {
                move(way);
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EAGAIN) {
                    way.over = true; // EPIPE, ECONNRESET: one of them has gone
                    linux.endWriting(way.to);
                }
            }
        }
        return 1;
    }

    /** When it last did something, or began (System.nanoTime). */
    long idleSince() {
        return since;
    }

    private void move(Way way) throws ErrnoException {
        since = System.nanoTime();
        if (way.buffer.isEmpty()) {
            way.ended = way.buffer.fill(way.from) == 0;
        }
        if (!way.buffer.isEmpty()) {
            way.buffer.drain(way.to);
        }
        if (way.ended && way.buffer.isEmpty()) {
            way.over = true;
            linux.endWriting(way.to);
        }
    }

    /** What comes from inside has ended and is with its reader outside. */
    boolean isPassedOut() {
        return out.over;
    }

    /**
     * What the sandbox sent before it ended is still on the way: passes it, and waits a moment at
     * most for who does not take it. That moment may pass before this process has its turn: who
     * takes it is served all the same. No more comes.
     */
    static void passOutRest(Linux linux, List<RelayedConnection> connections)
            throws ErrnoException {
        long end = System.nanoTime() + REST_NANOS;
        for (; ; ) {
            List<PollFd> awaited = new ArrayList<>();
            boolean rest = false;
            for (RelayedConnection connection : connections) {
                connection.await(awaited);
                rest |= !connection.isPassedOut();
            }
            if (!rest) {
                return;
            }
            long millis = Math.max(0, (end - System.nanoTime()) / 1_000_000);
            int[] happened = poll(linux, awaited, millis);
            boolean passed = false;
            int at = 0;
            for (RelayedConnection connection : connections) {
                passed |= connection.isOutReady(happened, at);
                at += connection.pass(happened, at);
            }
            if (millis == 0 && !passed) {
                return;
            }
        }
    }

    private boolean isOutReady(int[] happened, int from) {
        return out.awaited >= 0 && happened[from + out.awaited] != 0;
    }

    /** {@link Linux#poll}, and nothing happened where a signal came. */
    static int[] poll(Linux linux, List<PollFd> awaited, long millis) throws ErrnoException {
        try {
            return linux.poll(awaited, millis);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EINTR) {
                return new int[awaited.size()];
            }
            throw e;
        }
    }

    /** Both directions have ended. */
    boolean isOver() {
        return out.over && back.over;
    }

    @Override
    public void close() {
        out.from.close();
        out.to.close();
    }
}
