package glove.gateway;

import java.util.ArrayList;
import java.util.List;

/**
 * The events of a turn, until they are recorded together. Refusals that are equal are counted
 * instead of repeated: an agent that asks for the same in vain a thousand times costs one line.
 * Confined to the gateway's thread.
 */
final class Records {
    private final GatewayAudit audit;
    private final List<GatewayEvent> events = new ArrayList<>();
    private long calls;
    private boolean isUnsettled;

    Records(GatewayAudit audit) {
        this.audit = audit;
    }

    /** The number of the next call. */
    long nextCall() {
        return ++calls;
    }

    void add(GatewayEvent event) {
        for (int i = events.size() - 1; i >= 0 && event.isCounted(); i--) {
            GatewayEvent before = events.get(i);
            if (before.isLike(event)) {
                events.set(i, before.times(before.times() + event.times()));
                return;
            }
        }
        events.add(event);
    }

    /** Records them; when it returns they are durable. */
    void commit() throws GatewayAuditException {
        if (!events.isEmpty()) {
            List<GatewayEvent> all = List.copyOf(events);
            events.clear();
            audit.record(all);
            isUnsettled = true;
        }
    }

    /** What they allow has left: nobody waits for what is still to be done about them. */
    void settle() {
        if (isUnsettled) {
            isUnsettled = false;
            audit.settle();
        }
    }
}
