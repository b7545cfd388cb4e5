package glove.app;

import glove.sandbox.Refusal;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * flock(2) on {@code .NAME.lock} beside a kept home. The file says who took it last, for error
 * texts only. Owns the descriptor; closing it frees the lock, and so does the end of the process.
 */
final class HomeLock implements AutoCloseable {
    /** Whether others may have the home at the same time. */
    enum Sharing {
        ALONE,
        SHARED
    }

    /** {@code glove home list} looks at a lock by taking it for a moment. */
    private static final int TRIES = 5;

    private static final int PAUSE_MILLIS = 10;
    private static final int TEXT_BYTES_MAX = 32;

    private final OwnedFd file;

    private HomeLock(OwnedFd file) {
        this.file = file;
    }

    static UnixPath fileName(UnixPath home) {
        return UnixPath.of("." + home + ".lock");
    }

    /** Takes it, or refuses because somebody else has the home. */
    static HomeLock take(Linux linux, Fd store, UnixPath home, Sharing sharing)
            throws ErrnoException, Refusal {
        for (int i = 0; i < TRIES; i++) {
            Optional<HomeLock> lock = tryOnce(linux, store, home, sharing);
            if (lock.isPresent()) {
                return lock.get();
            }
            linux.poll(List.of(), PAUSE_MILLIS);
        }
        String holder = holder(linux, store, home);
        throw new Refusal(
                ExecVerb.EXIT_CANNOT_LAUNCH,
                "home '" + home + "' is in use" + (holder.isEmpty() ? "" : " by process " + holder),
                List.of(
                        "another name: the home stays as it is until that run ends",
                        "--home-shared in every run that is to use it at the same time"));
    }

    /** Empty when somebody else has it, or it was removed while we took it. */
    static Optional<HomeLock> tryOnce(Linux linux, Fd store, UnixPath home, Sharing sharing)
            throws ErrnoException, Refusal {
        UnixPath name = fileName(home);
        int flags =
                OpenFlags.O_RDWR | OpenFlags.O_CREAT | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;
        OwnedFd file = linux.openat(store, name, flags, 0600);
        try {
            Stat stat = linux.fstat(file);
            if (!stat.isRegularFile() || stat.uid() != linux.geteuid()) {
                throw new Refusal(
                        "'" + linux.pathOf(file) + "' is no file of yours", "move it away");
            }
            if (isTaken(linux, file, sharing) && isStill(linux, store, name, stat)) {
                return Optional.of(new HomeLock(file.release()));
            }
            return Optional.empty();
        } finally {
            file.close();
        }
    }

    private static boolean isTaken(Linux linux, OwnedFd file, Sharing sharing)
            throws ErrnoException {
        try {
            if (sharing == Sharing.SHARED) {
                linux.lockShared(file);
            } else {
                linux.lock(file);
            }
            return true;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EAGAIN) {
                return false;
            }
            throw e;
        }
    }

    /** A lock on a file that has no name any more locks nothing. */
    private static boolean isStill(Linux linux, Fd store, UnixPath name, Stat stat)
            throws ErrnoException {
        try {
            return linux.lstatat(store, name).isSameFileAs(stat);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw e;
        }
    }

    /** Writes down who has it; also the time of the last use. */
    void note(Linux linux) throws ErrnoException {
        linux.ftruncate(file, 0);
        String text = linux.getpid() + "\n";
        linux.writeFully(file, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Process id of who took it last, while that process lives; else empty. */
    static String holder(Linux linux, Fd store, UnixPath home) {
        try (OwnedFd file = linux.openat(
                store,
                fileName(home),
                OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK,
                0)) {
            byte[] text = linux.read(file, TEXT_BYTES_MAX);
            int length = 0;
            while (length < text.length && text[length] >= '0' && text[length] <= '9') {
                length++;
            }
            String pid = new String(text, 0, length, StandardCharsets.US_ASCII);
            boolean lives = length > 0
                    && linux.lstatIfPresent(UnixPath.of("/proc/" + pid)).isPresent();
            return lives ? pid : "";
        } catch (ErrnoException e) {
            return ""; // only a courtesy
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
