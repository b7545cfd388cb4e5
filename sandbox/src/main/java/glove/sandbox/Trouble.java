package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.List;

/**
 * Tells a machine in trouble (no descriptor, no memory, a dying disk, a forbidden call) from an
 * answer about a file. Who looks for something may take the answer "not there" for what it is; but
 * trouble taken for it would run another program than the one meant, or show less than was granted.
 * Stateless.
 */
public final class Trouble {
    /** Glove could not look: not the input is to blame. */
    private static final int EXIT_HOST = 125;

    private Trouble() {}

    /** Whether an errno speaks of the machine. */
    public static boolean is(int errno) {
        return Errno.isShortage(errno) || errno == Errno.EIO || errno == Errno.ENOSYS;
    }

    /**
     * Refuses with the status of Glove's own failures when the machine is in trouble; else returns,
     * and the caller knows what the answer means.
     *
     * @param doing what failed, such as {@code cannot look for 'sh'}
     */
    public static void refuse(String doing, ErrnoException e) throws Refusal {
        if (is(e.errno())) {
            throw refusal(doing, e);
        }
    }

    /** Whether this process may execute a file: what cannot be told is no "no". */
    static boolean isExecutable(Linux linux, UnixPath path) throws Refusal {
        int errno = linux.accessErrno(path, Linux.X_OK);
        if (is(errno)) {
            throw refusal("cannot tell whether '" + path + "' is executable", errno);
        }
        return errno == 0;
    }

    private static Refusal refusal(String doing, int errno) {
        return new Refusal(EXIT_HOST, doing + ": " + Errno.words(errno), List.of());
    }

    /** The refusal of a failure that cannot be an answer. */
    public static Refusal refusal(String doing, ErrnoException e) {
        return new Refusal(EXIT_HOST, doing + ": " + e.getMessage() + HostHint.of(e), List.of());
    }
}
