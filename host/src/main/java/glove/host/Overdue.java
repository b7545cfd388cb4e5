package glove.host;

import java.util.HashMap;
import java.util.Map;

/**
 * What takes long, is given up, and does not come back all the same: its thread hangs in the
 * kernel, and its place with it, mostly in a file system whose server does not answer. Told once,
 * after a while; confined to the server's thread.
 */
final class Overdue {
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private final DaemonLog log;
    private final int places;
    private final Map<Long, Long> tellNanos = new HashMap<>();
    private int told;

    /**
     * Of none yet.
     *
     * @param places for what takes long
     */
    Overdue(DaemonLog log, int places) {
        this.log = log;
        this.places = places;
    }

    /** A thread has something nobody waits for any more. */
    void expect(long connection, long nowNanos) {
        tellNanos.putIfAbsent(connection, nowNanos + PATIENCE_NANOS);
    }

    /** It has come back, maybe late. */
    void back(long connection) {
        Long until = tellNanos.remove(connection);
        if (until != null && until == Long.MAX_VALUE) {
            told--;
        }
    }

    /** Whether nothing that takes long can be begun. */
    boolean isAll() {
        return told >= places;
    }

    /** When there is something to tell, of {@link System#nanoTime}. */
    long nextNanos() {
        return tellNanos.values().stream().min(Long::compare).orElse(Long.MAX_VALUE);
    }

    /** Tells it. */
    void tellNow(long nowNanos) {
        for (Map.Entry<Long, Long> one : tellNanos.entrySet()) {
            if (one.getValue() <= nowNanos) {
                one.setValue(Long.MAX_VALUE);
                told++;
                log.error(
                        "inspection_hangs",
                        "hanging",
                        Integer.toString(told),
                        "places",
                        Integer.toString(places),
                        "advice",
                        "a file system below materialization_root does not answer: repair or "
                                + "unmount it (umount -l), or restart gloved");
            }
        }
    }
}
