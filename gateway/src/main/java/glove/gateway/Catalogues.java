package glove.gateway;

import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * All lists as agents see them, and which state of each. Confined to the gateway's thread.
 */
final class Catalogues {
    private final Hub hub;
    private final Map<ListKind, Listing> listings = new EnumMap<>(ListKind.class);
    private final Map<ListKind, Integer> generations = new EnumMap<>(ListKind.class);

    Catalogues(Hub hub) {
        this.hub = hub;
    }

    Listing listing(ListKind kind) {
        return listings.getOrDefault(kind, Listing.EMPTY);
    }

    int generation(ListKind kind) {
        return generations.getOrDefault(kind, 0);
    }

    /** Looks at all upstreams anew; of these kinds, those of which an agent sees a difference. */
    Set<ListKind> rebuild(Set<ListKind> kinds, Iterable<UpstreamSession> upstreams) {
        Set<ListKind> changed = new LinkedHashSet<>();
        for (ListKind kind : kinds) {
            Listing next = Listing.of(kind, upstreams);
            boolean same = next.looksLike(listing(kind));
            listings.put(kind, next);
            if (!same) {
                generations.merge(kind, 1, Integer::sum);
                changed.add(kind);
            }
            for (Map.Entry<String, String> one : next.collisions().entrySet()) {
                hub.told.report(
                        kind + " " + one.getValue(),
                        one.getValue() + ", " + Answers.shown(one.getKey())
                                + "; where none is closer to its own name, none is shown");
            }
        }
        return changed;
    }
}
