package glove.gateway;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The lines of all peers whose end has not come, which are held in memory. When they are too much
 * together, whoever holds the most of it is ended: others need little. Confined to the gateway's
 * thread.
 */
final class HeldLines {
    private final long bytesMax;
    private final Set<Peer> peers = new HashSet<>(); // those that are open
    private long bytes;

    HeldLines(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    void add(Peer peer) {
        peers.add(peer);
    }

    void remove(Peer peer, int held) {
        if (peers.remove(peer)) {
            bytes -= held;
        }
    }

    /** So many more are held, or less. */
    void changed(int by) {
        bytes += by;
    }

    long bytesMax() {
        return bytesMax;
    }

    /** Who is to be ended, because all is too much. */
    Optional<Peer> tooMuch() {
        if (bytes <= bytesMax) {
            return Optional.empty();
        }
        Peer most = null;
        for (Peer peer : peers) {
            if (most == null || peer.heldBytes() > most.heldBytes()) {
                most = peer;
            }
        }
        return Optional.ofNullable(most);
    }
}
