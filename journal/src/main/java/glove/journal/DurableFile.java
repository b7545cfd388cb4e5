package glove.journal;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.Optional;

/**
 * A small owner-only file that is replaced whole: whenever the machine stops, it holds the old
 * content or the new. Written beside it, synced, renamed over it, and the directory synced. Who
 * replaces holds a lock on the directory, so that several processes take turns; who reads needs
 * none.
 *
 * <p>Borrows its directory. Confined to one thread.
 */
public final class DurableFile {
    private static final UnixPath HERE = UnixPath.of(".");
    private static final int OWNER_ONLY = 0600;
    private static final int OTHERS = 077;

    private final Linux linux;
    private final Fd directory;
    private final UnixPath name;
    private final int bytesMax;

    /** Makes the new content out of the old. */
    @FunctionalInterface
    public interface Change {
        /**
         * The new content.
         *
         * @param old empty when there was no file
         * @return empty to leave it as it is
         */
        Optional<byte[]> of(Optional<byte[]> old) throws DurableFileException;
    }

    /**
     * Touches nothing yet.
     *
     * @param directory nobody else may write in; an O_PATH descriptor will do
     * @param name a single one, without a leading dot
     * @param bytesMax more is neither read nor written
     */
    public DurableFile(Linux linux, Fd directory, UnixPath name, int bytesMax) {
        this.linux = linux;
        this.directory = directory;
        this.name = name;
        this.bytesMax = bytesMax;
    }

    /** What it holds; empty when there is no such file. */
    public Optional<byte[]> read() throws DurableFileException {
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;
        try (OwnedFd file = linux.openat(directory, name, flags, 0)) {
            check(linux.fstat(file));
            return Optional.of(linux.readAll(file, bytesMax));
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw failed("cannot be read", e);
        }
    }

    private void check(Stat stat) throws DurableFileException {
        if (!stat.isRegularFile()) {
            throw broken("is no regular file: move it away");
        }
        if (stat.uid() != linux.geteuid()) {
            throw broken("belongs to the user " + stat.uid() + ", not to you: move it away");
        }
        if ((stat.mode() & OTHERS) != 0) {
            throw broken("is not owner-only, others may have changed it: look at it, then chmod "
                    + "600 it");
        }
        if (stat.size() > bytesMax) {
            throw broken("has " + stat.size() + " bytes, more than " + bytesMax + ": move it away");
        }
    }

    /** Replaces it; when this returns, the new content is on disk. */
    public void replace(byte[] content) throws DurableFileException {
        change(old -> Optional.of(content));
    }

    /**
     * Reads it and replaces it, without anybody else doing so in between.
     *
     * @throws DurableFileException when that fails; the file then holds the old content or, when
     *     only the directory could not be synced, the new
     */
    public void change(Change change) throws DurableFileException {
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY;
        // A descriptor of its own: the lock ends with it, and O_PATH ones cannot be synced.
        try (OwnedFd here = linux.openat(directory, HERE, flags, 0)) {
            lock(here);
            Optional<byte[]> content = change.of(read());
            if (content.isPresent()) {
                write(here, content.get());
            }
        } catch (ErrnoException e) {
            throw failed("cannot be replaced", e);
        }
    }

    private void lock(OwnedFd here) throws ErrnoException, DurableFileException {
        if (!LockWait.take(linux, here, LockWait.Kind.EXCLUSIVE, LockWait.LONG_MILLIS)) {
            throw broken("is locked by another process: end it, and try again");
        }
    }

    private void write(OwnedFd here, byte[] content) throws ErrnoException, DurableFileException {
        if (content.length > bytesMax) {
            throw broken("takes no " + content.length + " bytes, at most " + bytesMax);
        }
        UnixPath beside = UnixPath.of("." + name + ".new");
        remove(here, beside); // what a crash has left
        boolean whole = false;
        try {
            int flags = OpenFlags.O_WRONLY
                    | OpenFlags.O_CREAT
                    | OpenFlags.O_EXCL
                    | OpenFlags.O_NOFOLLOW;
            try (OwnedFd file = linux.openat(here, beside, flags, OWNER_ONLY)) {
                linux.writeFully(file, content);
                linux.fsync(file);
            }
            linux.renameat2(here, beside, here, name, 0);
            whole = true;
        } finally {
            if (!whole) {
                removeQuietly(here, beside);
            }
        }
        linux.fsync(here);
    }

    private void remove(OwnedFd here, UnixPath file) throws ErrnoException {
        try {
            linux.unlinkat(here, file, 0);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
    }

    /** The failure before is the one to tell; the next to write removes what stays. */
    private void removeQuietly(OwnedFd here, UnixPath file) {
        try {
            linux.unlinkat(here, file, 0);
        } catch (ErrnoException e) {
            return;
        }
    }

    private DurableFileException failed(String what, ErrnoException e) {
        return broken(what + ": " + Errno.words(e.errno()));
    }

    private DurableFileException broken(String what) {
        return new DurableFileException("'" + shownPath() + "' " + what);
    }

    private UnixPath shownPath() {
        try {
            return linux.pathOf(directory).resolve(name);
        } catch (ErrnoException e) {
            return name;
        }
    }
}
