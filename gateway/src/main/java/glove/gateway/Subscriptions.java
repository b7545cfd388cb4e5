package glove.gateway;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which agents want to know of which resources of an upstream, which is told of each once.
 * Confined to the gateway's thread.
 */
final class Subscriptions {
    /** Of one upstream. */
    static final int URIS_MAX = 1024;

    /** Of all of them together. */
    private static final int CHARACTERS_MAX = 256 << 10;

    private final Map<String, Set<AgentSession>> byUri = new LinkedHashMap<>();

    /** Whether some agent has it already. */
    boolean isHeld(String uri) {
        return byUri.containsKey(uri);
    }

    boolean holds(String uri, AgentSession agent) {
        return byUri.getOrDefault(uri, Set.of()).contains(agent);
    }

    /** Whether there is no room for one more. */
    boolean isFull(String uri) {
        long characters = uri.length();
        for (String held : byUri.keySet()) {
            characters += held.length();
        }
        return byUri.size() >= URIS_MAX || characters > CHARACTERS_MAX;
    }

    void add(String uri, AgentSession agent) {
        byUri.computeIfAbsent(uri, none -> new LinkedHashSet<>()).add(agent);
    }

    /** Whether it was the last one that wanted it. */
    boolean remove(String uri, AgentSession agent) {
        Set<AgentSession> agents = byUri.get(uri);
        if (agents == null || !agents.remove(agent) || !agents.isEmpty()) {
            return false;
        }
        byUri.remove(uri);
        return true;
    }

    /** Takes an agent from all; those that nobody wants any more. */
    List<String> removeAll(AgentSession agent) {
        List<String> over = new ArrayList<>();
        for (String uri : uris()) {
            if (remove(uri, agent)) {
                over.add(uri);
            }
        }
        return over;
    }

    List<String> uris() {
        return List.copyOf(byUri.keySet());
    }

    /** Who wants to know of it, or of something it lies in. */
    Set<AgentSession> concerned(String uri) {
        Set<AgentSession> agents = new LinkedHashSet<>();
        for (Map.Entry<String, Set<AgentSession>> entry : byUri.entrySet()) {
            if (ResourceUris.isUnder(uri, entry.getKey())) {
                agents.addAll(entry.getValue());
            }
        }
        return agents;
    }
}
