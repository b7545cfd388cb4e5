package glove.sys;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Finds descriptors that were never closed: tests switch it on, and then see the stack that opened
 * each. Off, it costs one read of a static. Thread-safe: guarded by the class.
 */
public final class FdLeaks {
    private static volatile boolean watching;
    private static final IdentityHashMap<OwnedFd, Throwable> OPEN = new IdentityHashMap<>();

    private FdLeaks() {}

    /** Forgets what is open and watches from now on. */
    public static void watch() {
        synchronized (FdLeaks.class) {
            OPEN.clear();
            watching = true;
        }
    }

    /** Stops watching; the stacks of those still open, opened since {@link #watch}. */
    public static List<Throwable> stop() {
        synchronized (FdLeaks.class) {
            watching = false;
            List<Throwable> leaked = new ArrayList<>(OPEN.values());
            OPEN.clear();
            return leaked;
        }
    }

    /**
     * {@link #stop}, and a {@link Bug} when something is still open: the stack of its opening is
     * the cause, those of the others are suppressed.
     */
    public static void assertNone() {
        List<Throwable> leaked = stop();
        if (!leaked.isEmpty()) {
            Bug bug = new Bug(leaked.size() + " descriptors were never closed", leaked.get(0));
            for (int i = 1; i < leaked.size(); i++) {
                bug.addSuppressed(leaked.get(i));
            }
            throw bug;
        }
    }

    static void opened(OwnedFd fd) {
        if (watching) {
            synchronized (FdLeaks.class) {
                OPEN.put(fd, new Throwable("opened here and never closed"));
            }
        }
    }

    static void closed(OwnedFd fd) {
        if (watching) {
            synchronized (FdLeaks.class) {
                OPEN.remove(fd);
            }
        }
    }
}
