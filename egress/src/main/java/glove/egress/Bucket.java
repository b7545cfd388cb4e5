package glove.egress;

/**
 * How fast connections of a run are accepted: each is a line on a disk, which an agent must not
 * fill in no time. So many at once, and then so many a second; who finds none waits in the backlog
 * of the listener. Confined to the thread of the proxy.
 */
final class Bucket {
    static final int AT_ONCE = 2000;
    static final int A_SECOND = 200;

    private static final long EACH_NANOS = 1_000_000_000L / A_SECOND;

    private long left = AT_ONCE;
    private long since;

    Bucket(long now) {
        this.since = now;
    }

    /** Whether one may be accepted now. */
    boolean mayTake(long now) {
        long more = (now - since) / EACH_NANOS;
        left = Math.min(AT_ONCE, left + more);
        since += more * EACH_NANOS;
        return left > 0;
    }

    /** One was accepted. */
    void take() {
        left--;
    }

    /** When the next may be, after one that may not. */
    long next() {
        return since + EACH_NANOS;
    }
}
