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
        String holder = note(linux, store, home).holder(linux);
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

    /** Removes the file of the lock that is held; whoever waits for it takes a new one. */
    void removeFile(Linux linux, Fd store, UnixPath home) throws ErrnoException {
        linux.unlinkat(store, fileName(home), 0);
    }

    /** Writes down who has it, and since when. */
    void write(Linux linux) throws ErrnoException {
        linux.ftruncate(file, 0);
        String text = linux.getpid() + " " + System.currentTimeMillis() / 1000 + "\n";
        linux.writeFully(file, text.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * What a lock file says; zeros when it says nothing.
     *
     * @param seconds since 1970
     */
    record Note(long pid, long seconds) {
        /** The process that took the lock last, while it lives; else empty. */
        String holder(Linux linux) throws ErrnoException {
            UnixPath proc = UnixPath.of("/proc/" + pid);
            return pid > 0 && linux.lstatIfPresent(proc).isPresent() ? Long.toString(pid) : "";
        }
    }

    static Note note(Linux linux, Fd store, UnixPath home) {
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;
        long[] numbers = new long[2];
        int at = 0;
        try (OwnedFd file = linux.openat(store, fileName(home), flags, 0)) {
            for (byte b : linux.read(file, TEXT_BYTES_MAX)) {
                if (b >= '0' && b <= '9') {
                    numbers[at] = numbers[at] * 10 + b - '0';
                } else if (++at == numbers.length) {
                    break;
                }
            }
        } catch (ErrnoException e) {
            return new Note(0, 0); // only a courtesy
        }
        return new Note(numbers[0], numbers[1]);
    }

    @Override
    public void close() {
        file.close();
    }
}
