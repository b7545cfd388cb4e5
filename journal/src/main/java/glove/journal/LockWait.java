package glove.journal;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import java.util.List;

/** Takes a lock that nobody holds for longer than it takes to write. Stateless. */
final class LockWait {
    /** Somebody may hold up the disk. */
    static final int LONG_MILLIS = 10_000;

    private static final int RETRY_MILLIS = 2;

    /** How others may hold it meanwhile; see flock(2). */
    enum Kind {
        EXCLUSIVE,
        SHARED
    }

    private LockWait() {}

    /**
     * Waits for it.
     *
     * @param patienceMillis about how long
     * @return whether it was taken; the caller, or the end of {@code fd}, gives it back
     * @throws ErrnoException anything but that another process has it
     */
    static boolean take(Linux linux, OwnedFd fd, Kind kind, int patienceMillis)
            throws ErrnoException {
        for (int i = 0; i < patienceMillis / RETRY_MILLIS; i++) {
            try {
                if (kind == Kind.SHARED) {
                    linux.lockShared(fd);
                } else {
                    linux.lock(fd);
                }
                return true;
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EAGAIN) {
                    throw e;
                }
            }
            linux.poll(List.of(), RETRY_MILLIS);
        }
        return false;
    }
}
