package glove.app;

import glove.sandbox.Refusal;
import glove.sys.ErrnoException;
import glove.sys.Linux;

/**
 * How the descriptors this process may have are shared between what of a run opens as many as
 * others want. Some are kept for Glove itself, which fails in strange ways without any: not even
 * classes can be loaded then. Stateless.
 */
final class OpenFiles {
    /** For Glove itself. */
    static final int RESERVED = 64;

    /** Less is of no use to a program. */
    static final int EACH_MIN = 96;

    private static final int EACH_MAX = 1 << 20;

    private OpenFiles() {}

    /**
     * Descriptors each may have open; none of it is left out of the limit.
     *
     * @param users what accepts connections: the way out, ports, sockets
     */
    static int each(Linux linux, int users) throws Refusal, ErrnoException {
        return users == 0 ? 0 : each(linux.openFileLimit().hard(), users);
    }

    /** The same with a limit, negative for none. */
    static int each(long hard, int users) throws Refusal {
        long each = hard < 0 ? EACH_MAX : (hard - RESERVED) / users;
        if (each < EACH_MIN) {
            long needed = RESERVED + (long) users * EACH_MIN;
            throw new Refusal(
                    "only " + hard + " files may be open at once (ulimit -Hn), and a run with "
                            + users + (users == 1 ? " way" : " ways") + " in or out needs "
                            + needed,
                    "ulimit -n " + needed + ", where that is allowed");
        }
        return (int) Math.min(EACH_MAX, each);
    }
}
