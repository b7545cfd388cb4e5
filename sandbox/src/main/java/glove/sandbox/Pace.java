package glove.sandbox;

/** When to look again: as rarely as possible, as often as a limit needs. Stateless. */
final class Pace {
    static final long LEAST_MILLIS = 10;
    static final long MOST_MILLIS = 1000;

    /** What one processor can make of fresh memory at most, in bytes per millisecond. */
    private static final long FILLED_PER_MILLI = 4L << 20;

    private Pace() {}

    /**
     * The time after which all processors together could have used up what is left.
     *
     * @param leftMillis of processor time
     */
    static long untilPossible(long leftMillis, int processors) {
        return Math.clamp(leftMillis / Math.max(1, processors), LEAST_MILLIS, MOST_MILLIS);
    }

    /** The same for memory. */
    static long untilFilled(long leftBytes, int processors) {
        return untilPossible(leftBytes / FILLED_PER_MILLI, processors);
    }

    /** Never spends more than a fifth of a processor on looking. */
    static long affordable(long wantedMillis, long lastLookNanos) {
        return Math.max(wantedMillis, lastLookNanos / 1_000_000 * 4);
    }
}
