package glove.app;

import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import java.util.Optional;

/**
 * Whether one more connection is let in. When there are as many as may be, the one that has been
 * idle longest makes room, if that was long enough; till then who comes waits in the backlog. What
 * keeps this process from accepting, want of descriptors say, passes: it tries again soon. Confined
 * to the run's thread.
 */
final class Door {
    /** At the same time, where descriptors allow it. */
    static final int CONNECTIONS_MAX = 256;

    /** Who was silent for less keeps its connection. */
    private static final long IDLE_NANOS = 10_000_000_000L;

    /** Before the next try. */
    static final long PAUSE_MILLIS = 10;

    private static final long MILLI = 1_000_000L;

    private final Linux linux;
    private final Fd listener;
    private int most = CONNECTIONS_MAX;
    private long notBefore;
    private boolean pausing;
    private boolean listening;

    /** Borrows the listener. */
    Door(Linux linux, Fd listener) {
        this.linux = linux;
        this.listener = listener;
    }

    /** At most so many connections, at least one. */
    void limit(int connections) {
        most = Math.max(1, Math.min(CONNECTIONS_MAX, connections));
    }

    boolean isFull(int connections) {
        return connections >= most;
    }

    /**
     * Whether to wait for one more in this turn.
     *
     * @param connections there are
     * @param idleSince when the one that is idle longest last did something (System.nanoTime)
     */
    boolean listens(int connections, long idleSince) {
        listening = patience(connections, idleSince) == Attendant.UNLIMITED;
        return listening;
    }

    /** What {@link #listens} said last. */
    boolean isListening() {
        return listening;
    }

    /** Milliseconds until it listens again; {@link Attendant#UNLIMITED} while it does. */
    long patience(int connections, long idleSince) {
        long now = System.nanoTime();
        long wait = pausing ? notBefore - now : 0;
        if (isFull(connections)) {
            wait = Math.max(wait, idleSince + IDLE_NANOS - now);
        }
        return wait <= 0 ? Attendant.UNLIMITED : wait / MILLI + 1;
    }

    /** The one that waits; none where it has gone, or cannot be accepted now. */
    Optional<OwnedFd> accept() {
        pausing = false;
        try {
            return linux.accept(listener);
        } catch (ErrnoException e) {
            pause();
            return Optional.empty();
        }
    }

    /** Something is short: not the next for a moment. */
    void pause() {
        pausing = true;
        notBefore = System.nanoTime() + PAUSE_MILLIS * MILLI;
    }
}
