package glove.gateway;

import glove.gateway.GatewayEvent.Kind;
import glove.gateway.GatewayEvent.Subject;

/**
 * What one peer is refused, for the record: each as long as they are few, then their number. So
 * nobody fills the owner's disk by asking for nothing. Confined to the gateway's thread.
 */
final class Refusals {
    private static final int PER_SECOND = 100;

    private final Hub hub;
    private final int agent;
    private final String upstream;
    private final Bucket bucket;
    private int uncounted;

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
    }

    void add(GatewayEvent event) {
        if (bucket.take(hub.now())) {
            finish();
            hub.records.add(event);
        } else {
            uncounted++;
        }
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
