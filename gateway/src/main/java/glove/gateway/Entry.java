package glove.gateway;

import java.util.Arrays;

/**
 * Something agents see. Immutable.
 *
 * @param upstream whose it is
 * @param item what it is
 */
record Entry(UpstreamSession upstream, Item item) {
    /** Whether an agent would see any difference. */
    boolean looksLike(Entry other) {
        return upstream == other.upstream
                && item.agentName().equals(other.item.agentName())
                && item.name().equals(other.item.name())
                && Arrays.equals(item.definition(), other.item.definition());
    }
}
