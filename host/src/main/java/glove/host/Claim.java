package glove.host;

import glove.wire.U64;

import java.util.function.LongSupplier;

/**
 * For how long an answer is waited for: until its deadline is over, its client has hung up, or the
 * daemon ends. What takes long looks at {@link #isWanted} meanwhile; what changes something is only
 * begun, and only written, before the deadline. Thread-safe.
 */
final class Claim {
    private static final long MILLIS_MAX = 3_600_000;

    private final LongSupplier clock;
    private final long admittedMs;
    private final long deadlineMs;
    private volatile boolean givenUp;

    /**
     * From now on.
     *
     * @param clock milliseconds since 1970
     * @param admittedMs when it was asked
     * @param deadlineMs in time until then; u64
     */
    Claim(LongSupplier clock, long admittedMs, long deadlineMs) {
        this.clock = clock;
        this.admittedMs = admittedMs;
        this.deadlineMs = deadlineMs;
    }

    /** Milliseconds since 1970, when it was asked. */
    long admittedMs() {
        return admittedMs;
    }

    /** Whether its deadline is over. */
    boolean isLate() {
        return isLate(clock.getAsLong());
    }

    private boolean isLate(long nowMs) {
        return U64.isLess(deadlineMs, nowMs);
    }

    /** How long it will be in time, at most an hour; then ask again. */
    long millisLeft() {
        long nowMs = clock.getAsLong(); // once: between two looks it may have become late
        if (isLate(nowMs)) {
            return 0;
        }
        long left = deadlineMs - nowMs;
        return U64.isLess(MILLIS_MAX, left) ? MILLIS_MAX : left;
    }

    /** Nobody waits any more, or not for what can be asked for again. */
    void giveUp() {
        givenUp = true;
    }

    /** Whether what takes long, and changes nothing, is to go on. */
    boolean isWanted() {
        return !givenUp && !isLate();
    }

    /** For what was given up meanwhile: why. */
    void requireWanted() throws ControlException {
        requireInTime();
        if (givenUp) {
            throw ControlException.ending(); // to others nothing is told any more
        }
    }

    /** For what is about to be done. */
    void requireInTime() throws ControlException {
        if (isLate()) {
            throw ControlException.late();
        }
    }
}
