package glove.host;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Requests that take too long to read for the serving thread, and of which nobody knows yet whether
 * they have the secret: few at once are read and carried out, the others wait for their turn. By
 * the numbers of their connections. Confined to the server's thread.
 */
final class LargeRequests {
    /** What is read and answered on the serving thread; a longer request is a large one. */
    static final int SMALL_BYTES = 8 << 10;

    /** So many are read or carried out at once. */
    static final int AT_ONCE = 4;

    private final LongPredicate reading;
    private final Queue<Long> waiting = new ArrayDeque<>();
    private final Set<Long> underWay = new HashSet<>();

    /**
     * None yet.
     *
     * @param reading has one read; false when that does not begin
     */
    LargeRequests(LongPredicate reading) {
        this.reading = reading;
    }

    /** How many wait, those included whose client has gone since. */
    int waiting() {
        return waiting.size();
    }

    /** Forgets those that wait in vain. */
    void keep(LongPredicate there) {
        waiting.removeIf(number -> !there.test(number));
    }

    /** Another one has come. */
    void add(long number) {
        waiting.add(number);
        begin();
    }

    /** It was answered, or given up; nothing when it is not one of these. */
    void ended(long number) {
        if (underWay.remove(number)) {
            begin();
        }
    }

    private void begin() {
        while (underWay.size() < AT_ONCE && !waiting.isEmpty()) {
            long number = waiting.remove();
            if (reading.test(number)) {
                underWay.add(number);
            }
        }
    }
}
