package glove.gateway;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One list as agents see it: of all upstreams, in their order, and by name within each, so that it
 * is the same whatever order they list things in. Immutable once made.
 */
final class Listing {
    static final Listing EMPTY = new Listing(List.of(), Map.of(), Map.of(), Map.of());

    private final List<Entry> entries;
    private final Map<String, Entry> byName;
    private final Map<String, String> hidden;
    private final Map<String, String> collisions;

    private Listing(
            List<Entry> entries,
            Map<String, Entry> byName,
            Map<String, String> hidden,
            Map<String, String> collisions) {
        this.entries = entries;
        this.byName = byName;
        this.hidden = hidden;
        this.collisions = collisions;
    }

    /**
     * Makes one. A name that several things want goes to the one that is nearest to its own name;
     * when several are as near, to none: whoever came first could hide another's.
     */
    static Listing of(ListKind kind, Iterable<UpstreamSession> upstreams) {
        Map<String, List<Entry>> wanted = new HashMap<>();
        Map<String, String> hidden = new HashMap<>();
        List<Entry> order = new ArrayList<>();
        for (UpstreamSession upstream : upstreams) {
            TreeMap<String, List<Entry>> sorted = new TreeMap<>();
            for (Item item : upstream.catalogue().items(kind)) {
                if (item.isShown()) {
                    Entry entry = new Entry(upstream, item);
                    sorted.computeIfAbsent(item.agentName(), none -> new ArrayList<>())
                            .add(entry);
                } else {
                    hidden.put(item.agentName(), item.hidden());
                }
            }
            for (Map.Entry<String, List<Entry>> same : sorted.entrySet()) {
                wanted.computeIfAbsent(same.getKey(), none -> new ArrayList<>())
                        .addAll(same.getValue());
                order.addAll(same.getValue());
            }
        }
        return choose(order, wanted, hidden);
    }

    private static Listing choose(
            List<Entry> order, Map<String, List<Entry>> wanted, Map<String, String> hidden) {
        List<Entry> entries = new ArrayList<>();
        Map<String, Entry> byName = new HashMap<>();
        for (Entry entry : order) {
            String name = entry.item().agentName();
            if (isChosen(entry, wanted.getOrDefault(name, List.of()))) {
                entries.add(entry);
                byName.put(name, entry);
            }
        }
        Map<String, String> collisions = new TreeMap<>();
        for (Map.Entry<String, List<Entry>> same : wanted.entrySet()) {
            if (same.getValue().size() > 1) {
                collisions.put(same.getKey(), collision(same.getValue()));
            }
        }
        hidden.putAll(collisions);
        return new Listing(entries, byName, hidden, collisions);
    }

    private static boolean isChosen(Entry entry, List<Entry> rivals) {
        int asNear = 0; // itself among them
        for (Entry rival : rivals) {
            asNear += distance(rival) <= distance(entry) ? 1 : 0;
        }
        return asNear == 1;
    }

    private static int distance(Entry entry) {
        UpstreamSpec spec = entry.upstream().spec();
        Item item = entry.item();
        int bare = spec.isBare() ? 2 : 0;
        return bare + (AgentNames.isChanged(spec, item.name(), item.agentName()) ? 1 : 0);
    }

    private static String collision(List<Entry> rivals) {
        StringBuilder words = new StringBuilder();
        for (Entry rival : rivals) {
            words.append(words.isEmpty() ? "" : " and ");
            words.append(rival.upstream().spec().name()).append('.');
            words.append(Answers.shown(rival.item().name()));
        }
        return words.append(" would have the same name for the agent").toString();
    }

    /** What agents see. */
    List<Entry> entries() {
        return entries;
    }

    /** What an agent means by a name. */
    Optional<Entry> find(String agentName) {
        return Optional.ofNullable(byName.get(agentName));
    }

    /** Why nothing is seen under a name, when something is there. */
    Optional<String> hiddenReason(String agentName) {
        return Optional.ofNullable(hidden.get(agentName));
    }

    /** Names that several things want, with what to say of each. */
    Map<String, String> collisions() {
        return collisions;
    }

    /** Whether an agent would see any difference. */
    boolean looksLike(Listing other) {
        if (entries.size() != other.entries.size()) {
            return false;
        }
        for (int i = 0; i < entries.size(); i++) {
            if (!entries.get(i).looksLike(other.entries.get(i))) {
                return false;
            }
        }
        return true;
    }
}
