package glove.gateway;

/**
 * So many per second on average, and two seconds' worth at once. Confined to the gateway's thread.
 */
final class Bucket {
    private static final long SECOND = 1_000_000_000L;

    private final int perSecond;

    /** When it will be full again. */
    private long full;

    Bucket(int perSecond, long now) {
        this.perSecond = perSecond;
        this.full = now;
    }

    /** Takes one, if there is one. */
    boolean take(long now) {
        long cost = SECOND / perSecond;
        long from = full - now > 0 ? full : now;
        if (from + cost - now > 2 * SECOND) {
            return false;
        }
        full = from + cost;
        return true;
    }
}
