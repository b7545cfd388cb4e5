package glove.gateway;

/**
 * When an upstream is started again: later each time, unless its last run was of use, and after
 * some that were not, no more. Confined to the gateway's thread.
 */
final class Restarts {
    private static final long MILLI = 1_000_000L;

    /** Runs in a row that ended before they were of use. */
    private static final int FAILURES_MAX = 8;

    private final Hub hub;
    private long since;
    private int failures;

    Restarts(Hub hub) {
        this.hub = hub;
        this.since = hub.now();
    }

    /** A run begins. */
    void begun() {
        since = hub.now();
    }

    /**
     * It has ended, or could not begin: how many milliseconds to wait before the next, or {@link
     * GatewayOwner#NEVER}.
     *
     * @param hasServed whether it came to serve
     */
    long next(boolean hasServed) {
        GatewayLimits.Times times = hub.limits.times();
        boolean wasOfUse = hasServed && hub.now() - since >= times.restartMost() * MILLI;
        failures = wasOfUse ? 1 : failures + 1;
        return failures > FAILURES_MAX
                ? GatewayOwner.NEVER
                : Math.min(times.restartFirst() << (failures - 1), times.restartMost());
    }
}
