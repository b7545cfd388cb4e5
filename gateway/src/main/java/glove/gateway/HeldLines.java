package glove.gateway;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The lines of all peers whose end has not come, which are held in memory. When they are too much
 * together, whoever holds the most of it is ended: others need little. The agents count as one, so
 * that several cannot have an upstream ended that sends less than they. Confined to the gateway's
 * thread.
 */
final class HeldLines {
    /** Whose a line is. */
    enum Side {
        AGENT,
        UPSTREAM
    }

    private final long bytesMax;
    private final Map<Peer, Side> peers = new HashMap<>(); // those that are open
    private long bytes;

    HeldLines(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    void add(Peer peer, Side side) {
        peers.put(peer, side);
    }

    void remove(Peer peer, int held) {
        if (peers.remove(peer) != null) {
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
        long ofAgents = 0;
        for (Map.Entry<Peer, Side> one : peers.entrySet()) {
            ofAgents += one.getValue() == Side.AGENT ? one.getKey().heldBytes() : 0;
        }
        Optional<Peer> upstream = most(Side.UPSTREAM);
        boolean isAgents = upstream.isEmpty() || upstream.get().heldBytes() <= ofAgents;
        return isAgents ? most(Side.AGENT) : upstream;
    }

    private Optional<Peer> most(Side side) {
        Peer most = null;
        for (Map.Entry<Peer, Side> one : peers.entrySet()) {
            boolean isMore = most == null || one.getKey().heldBytes() > most.heldBytes();
            if (one.getValue() == side && isMore) {
                most = one.getKey();
            }
        }
        return Optional.ofNullable(most);
    }
}
