package glove.gateway;

import glove.gateway.GatewayEvent.Kind;
import glove.gateway.GatewayEvent.Subject;

/**
 * What one peer is refused, or is told by the gateway itself, for the record: each as long as they
 * are few, then their number. So nobody fills the owner's disk by asking for nothing. Of an agent
 * each second some are recorded each, of an upstream some of the whole run. Confined to the
 * gateway's thread.
 */
final class Refusals {
    private static final int PER_SECOND = 100;
    private static final long SECOND = 1_000_000_000L;

    private final Hub hub;
    private final int agent;
    private final String upstream;
    private final Bucket bucket;
    private int each;
    private int uncounted;
    private long due;

    /**
     * None yet.
     *
     * @param agent its number; 0 for an upstream
     * @param upstream its name; empty for an agent
     */
    Refusals(Hub hub, int agent, String upstream) {
        this.hub = hub;
        this.agent = agent;
        this.upstream = upstream;
        this.bucket = new Bucket(PER_SECOND, hub.now());
        this.due = hub.now();
    }

    void add(GatewayEvent event) {
        if (isEach()) {
            finish();
            hub.records.add(event);
        } else {
            uncounted++;
        }
    }

    private boolean isEach() {
        if (upstream.isEmpty()) {
            return bucket.take(hub.now());
        }
        each = Math.min(each + 1, Told.EACH_MAX + 1);
        return each <= Told.EACH_MAX;
    }

    /** Records how many there were that were not recorded each, when it is time. */
    void expire(long now) {
        if (uncounted > 0 && due - now <= 0) {
            due = now + SECOND;
            finish();
        }
    }

    /** The earliest moment something is due, or the given one when that is earlier. */
    long earliest(long other) {
        return uncounted > 0 && due - other < 0 ? due : other;
    }

    /** Records how many there were that were not recorded each. */
    void finish() {
        if (uncounted > 0) {
            GatewayEvent event =
                    GatewayEvent.of(Kind.REFUSED, agent, new Subject("", upstream, ""));
            hub.records.add(event.because("more than could be recorded each").times(uncounted));
            uncounted = 0;
        }
    }
}
