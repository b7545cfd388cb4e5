package glove.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What is left of the rates of one run's rules. A rule for all tools of an upstream has one bucket
 * for all of them. Confined to one thread.
 */
public final class CallRates {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /**
     * Filled evenly and emptied by whole calls, in integers: a call costs the nanoseconds of the
     * rate's period, and each nanosecond brings as many as the rate has calls.
     */
    private static final class Bucket {
        private final long cost;
        private final int calls;
        private long level;
        private long filledNanos;

        Bucket(Rate rate, long now) {
            cost = rate.seconds() * NANOS_PER_SECOND;
            calls = rate.calls();
            level = cost * calls; // fits, see Rate
            filledNanos = now;
        }

        boolean take(long now) {
            long elapsed = Math.clamp(now - filledNanos, 0, cost);
            long room = cost * calls - level;
            level += Math.min(room, elapsed * calls);
            filledNanos = now;
            if (level < cost) {
                return false;
            }
            level -= cost;
            return true;
        }
    }

    private final LongSupplier nanoClock;
    private final Map<ToolRule, Bucket> buckets = new HashMap<>();

    /**
     * All buckets full.
     *
     * @param nanoClock monotonic, of any origin
     */
    public CallRates(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Takes one call out of the rule's bucket, if one is left. */
    boolean take(ToolRule rule) {
        Optional<Rate> limit = rule.bounds().rate();
        if (limit.isEmpty()) {
            return true;
        }
        long now = nanoClock.getAsLong();
        Rate rate = limit.get();
        return buckets.computeIfAbsent(rule, fresh -> new Bucket(rate, now)).take(now);
    }
}
