package glove.host;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Counts connections that were dropped and tells of them now and then: a client that floods the
 * daemon does not flood its log. Confined to the server's thread.
 */
final class DropReport {
    private static final long PAUSE_NANOS = 10_000_000_000L;

    private final DaemonLog log;
    private final Map<Reason, Integer> counts = new EnumMap<>(Reason.class);
    private long tellNanos = Long.MAX_VALUE;
    private long toldNanos;

    /** Why. */
    enum Reason {
        /** It closed in the middle of a request, or the length was none. */
        BROKEN,
        /** It closed without taking its response. */
        GONE,
        /** Its deadline passed. */
        TOO_SLOW,
        /** Others needed its place. */
        TOO_MANY,
        /** All requests together were too large. */
        TOO_MUCH,
        /** It was somebody else's. */
        ANOTHER_USER,
        /** This process or machine had too little of something for it. */
        SHORTAGE,
        /** A bug, which the log tells of. */
        FAULT
    }

    DropReport(DaemonLog log) {
        this.log = log;
        this.toldNanos = System.nanoTime() - PAUSE_NANOS;
    }

    void count(Reason reason) {
        counts.merge(reason, 1, Integer::sum);
        tellNanos = toldNanos + PAUSE_NANOS;
    }

    /** When there is something to tell. */
    long tellNanos() {
        return tellNanos;
    }

    /** Tells when it is time to. */
    void tellNow(long now) {
        if (tellNanos <= now) {
            tell();
            toldNanos = now;
        }
    }

    /** Tells. */
    void tell() {
        counts.forEach((reason, count) -> log.warning(
                "connections_dropped",
                "reason",
                reason.name().toLowerCase(Locale.ROOT),
                "count",
                count.toString()));
        counts.clear();
        tellNanos = Long.MAX_VALUE;
    }
}
