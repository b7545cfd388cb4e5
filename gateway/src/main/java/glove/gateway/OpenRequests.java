package glove.gateway;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one agent has asked and has no answer to, by its own ids, in its order. Confined to the
 * gateway's thread.
 */
final class OpenRequests {
    private final Map<MessageId, Open> all = new LinkedHashMap<>();

    int count() {
        return all.size();
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    boolean has(MessageId id) {
        return all.containsKey(id);
    }

    /** A request is under way from now on. */
    void add(MessageId id, Open request) {
        all.put(id, request);
    }

    /** A request waits until upstreams have told what they have. */
    void hold(Message request) {
        add(request.id(), new Held(request));
    }

    /** A request was answered, or is done otherwise; false when it was before. */
    boolean remove(MessageId id) {
        return all.remove(id) != null;
    }

    /** Those that wait for upstreams. */
    List<Message> held() {
        List<Message> held = new ArrayList<>();
        for (Open one : all.values()) {
            if (one instanceof Held waiting) {
                held.add(waiting.request());
            }
        }
        return held;
    }

    /** Of what waits for upstreams. */
    long heldBytes() {
        long bytes = 0;
        for (Message request : held()) {
            bytes += request.memoryBytes();
        }
        return bytes;
    }

    /** Whether one is under way at an upstream. */
    boolean areAt(UpstreamSession upstream) {
        for (Open one : all.values()) {
            if (one instanceof Call call && call.upstream() == upstream) {
                return true;
            }
        }
        return false;
    }

    /** The agent does not want an answer any more; nothing when there is no such request. */
    void cancel(MessageId id, String reason) {
        Open request = all.remove(id);
        if (request != null) {
            request.cancel(reason);
        }
    }

    /** The agent is gone. */
    void cancelAll(String reason) {
        List<Open> lost = new ArrayList<>(all.values());
        all.clear();
        lost.forEach(one -> one.cancel(reason));
    }
}
