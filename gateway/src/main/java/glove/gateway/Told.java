package glove.gateway;

import java.util.HashSet;
import java.util.Set;

/**
 * What the owner is told about one upstream: each thing once, one by one while they are few, then
 * their number, once a second. So nobody fills the owner's screen, nor the memory of what was told.
 * Confined to the gateway's thread.
 */
final class Told {
    /** Of a run of the gateway. */
    static final int EACH_MAX = 100;

    private static final long SECOND = 1_000_000_000L;

    private final Hub hub;
    private final String about;
    private final Set<String> keys = new HashSet<>(); // digests, at most EACH_MAX
    private long more;
    private String last = "";
    private long due;

    /**
     * Nothing yet.
     *
     * @param about the upstream, or what else begins the sentence that gathers the others
     */
    Told(Hub hub, String about) {
        this.hub = hub;
        this.about = about;
        this.due = hub.now();
    }

    /**
     * Tells something, unless it was told.
     *
     * @param key the same for the same thing
     * @return whether it is news, or may be
     */
    boolean report(String key, String sentence) {
        String digest = Digests.hex(key);
        if (keys.contains(digest)) {
            return false;
        }
        if (keys.size() < EACH_MAX) {
            keys.add(digest);
            hub.owner.report(sentence);
        } else {
            more++;
            last = sentence;
            expire(hub.now());
        }
        return true;
    }

    /** Tells how many there were since, when it is time. */
    void expire(long now) {
        if (more > 0 && due - now <= 0) {
            due = now + SECOND;
            hub.owner.report(about + ": " + more + " more reports; the last is: " + last);
            more = 0;
        }
    }

    /** The earliest moment something is due, or the given one when that is earlier. */
    long earliest(long other) {
        return more > 0 && due - other < 0 ? due : other;
    }
}
