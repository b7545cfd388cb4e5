package glove.gateway;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of a turn, until they are recorded together. Equal ones are counted instead of
 * repeated: an agent that asks for the same in vain a thousand times costs one line. Confined to
 * the gateway's thread.
 */
final class Records {
    private final GatewayJournal journal;
    private final Map<GatewayEvent, Integer> events = new LinkedHashMap<>();
    private long calls;

    Records(GatewayJournal journal) {
        this.journal = journal;
    }

    /** The number of the next call. */
    long nextCall() {
        return ++calls;
    }

    void add(GatewayEvent event) {
        events.merge(event, 1, Integer::sum);
    }

    /** Records them; when it returns they are durable. */
    void commit() throws GatewayJournalException {
        if (events.isEmpty()) {
            return;
        }
        List<GatewayEvent> all = new ArrayList<>(events.size());
        for (Map.Entry<GatewayEvent, Integer> entry : events.entrySet()) {
            all.add(entry.getKey().times(entry.getValue()));
        }
        events.clear();
        journal.record(List.copyOf(all));
    }
}
