package glove.gateway;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Large messages, which take long to read: one of all peers in a round, in the order they came, so
 * that what the others say never waits for more than one. Confined to the gateway's thread.
 */
final class LargeFrames {
    /** Of smaller ones a peer's share of a round holds several. */
    static final int LARGE_BYTES = 1 << 20;

    private final Set<Peer> waiting = new LinkedHashSet<>(); // peers that are open
    private final Set<Peer> asked = new HashSet<>(); // likewise
    private boolean isTaken;

    /** A new round: who did not ask in the last, paused or gone, has lost its place. */
    void beginRound() {
        waiting.retainAll(asked);
        asked.clear();
        isTaken = false;
    }

    /** Whether a peer may take a message of that size now. */
    boolean take(Peer peer, int bytes) {
        if (bytes < LARGE_BYTES) {
            return true;
        }
        asked.add(peer);
        waiting.add(peer);
        if (isTaken || waiting.iterator().next() != peer) {
            return false;
        }
        waiting.remove(peer);
        isTaken = true;
        return true;
    }
}
