package glove.journal;

import glove.journal.AppendLogException.Fault;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.Optional;

/**
 * Where a log lies: an open directory and a name in it. Opens or makes the file, so that nobody
 * else can have it or have written it.
 *
 * <p>Owns the descriptor of the directory. Immutable otherwise.
 */
final class AppendPlace implements AutoCloseable {
    private static final int OWNER_ONLY = 0600;
    private static final int PERMISSIONS = 07777;
    private static final int OWNER_ONLY_DIRECTORY = 0700;
    private static final int DIRECTORY_PERMISSIONS = 0777;

    private final Linux linux;
    private final AppendLayout layout;
    private final UnixPath path;
    private final UnixPath name;
    private final OwnedFd directory;

    private AppendPlace(Linux linux, AppendLayout layout, UnixPath path, OwnedFd directory) {
        this.linux = linux;
        this.layout = layout;
        this.path = path;
        this.name = path.name();
        this.directory = directory;
    }

    /** Opens the directory of a path, whose last name no link may be. */
    static AppendPlace open(Linux linux, AppendLayout layout, UnixPath path)
            throws AppendLogException {
        UnixPath name = path.name();
        boolean named = name.length() > 0
                && !name.equals(UnixPath.of("."))
                && !name.equals(UnixPath.of(".."))
                && path.bytes()[path.length() - 1] != '/';
        if (!named) {
            String words = layout.name() + " '" + path + "' is no name of a file: name one";
            throw new AppendLogException(Fault.UNSAFE, words);
        }
        UnixPath parent = path.parent().length() == 0 ? UnixPath.of(".") : path.parent();
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY | OpenFlags.O_NOFOLLOW;
        OwnedFd directory;
        try {
            directory = linux.open(parent, flags, 0);
        } catch (ErrnoException e) {
            String words = layout.name() + " '" + path + "' cannot be opened: its directory: "
                    + Errno.words(e.errno());
            throw new AppendLogException(Fault.SYSTEM, words);
        }
        AppendPlace place = new AppendPlace(linux, layout, path, directory);
        boolean usable = false;
        try {
            place.checkDirectory();
            usable = true;
            return place;
        } finally {
            if (!usable) {
                directory.close();
            }
        }
    }

    private void checkDirectory() throws AppendLogException {
        if (layout.parent() == AppendLayout.Parent.ANY) {
            return;
        }
        try {
            Stat stat = linux.fstat(directory);
            boolean own = stat.uid() == linux.geteuid()
                    && (stat.mode() & DIRECTORY_PERMISSIONS) == OWNER_ONLY_DIRECTORY;
            if (!own) {
                throw exception(
                        Fault.UNSAFE,
                        "lies in a directory that is not yours alone: chown it to you and chmod "
                                + "700 it");
            }
        } catch (ErrnoException e) {
            throw failed("cannot be opened", e);
        }
    }

    AppendLayout layout() {
        return layout;
    }

    UnixPath path() {
        return path;
    }

    /** Another file beside it. */
    DurableFile beside(UnixPath other, int bytesMax) {
        return new DurableFile(linux, directory, other, bytesMax);
    }

    /** The existing file, locked; empty when there is none. */
    Optional<OwnedFd> openExisting() throws AppendLogException {
        // Not to wait for the other end of a pipe.
        int flags = OpenFlags.O_RDWR | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;
        OwnedFd fd;
        try {
            fd = linux.openat(directory, name, flags, 0);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            if (e.errno() == Errno.ELOOP) {
                throw exception(Fault.UNSAFE, "is a symbolic link: name the file itself");
            }
            throw failed("cannot be opened", e);
        }
        boolean usable = false;
        try {
            lock(fd);
            Stat stat = linux.fstat(fd);
            Optional<String> complaint = complaint(stat);
            if (complaint.isPresent()) {
                throw exception(Fault.UNSAFE, complaint.get());
            }
            usable = true;
            return Optional.of(fd);
        } catch (ErrnoException e) {
            throw failed("cannot be opened", e);
        } finally {
            if (!usable) {
                fd.close();
            }
        }
    }

    private void lock(OwnedFd fd) throws ErrnoException, AppendLogException {
        try {
            linux.lock(fd);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EAGAIN) {
                throw exception(Fault.IN_USE, "is in use by another process: end that first");
            }
            throw e;
        }
    }

    /** Why others may have written a file, or why it is not the one at this place any more. */
    Optional<String> complaint(Stat own) throws ErrnoException {
        Optional<String> unsafe = unsafe(own);
        if (unsafe.isPresent()) {
            return unsafe;
        }
        try {
            Stat there = linux.lstatat(directory, name);
            return there.isSameFileAs(own)
                    ? Optional.empty()
                    : Optional.of("was replaced by another file");
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.of("was moved or removed");
            }
            throw e;
        }
    }

    private Optional<String> unsafe(Stat stat) {
        if (!stat.isRegularFile()) {
            return Optional.of("is no regular file: name another");
        }
        if (stat.uid() != linux.geteuid()) {
            return Optional.of("belongs to the user " + stat.uid() + ", not to you: name another");
        }
        if (stat.nlink() > 1) {
            return Optional.of("has another name elsewhere (a hard link): remove that");
        }
        if ((stat.mode() & PERMISSIONS) != OWNER_ONLY) {
            return Optional.of("is not owner-only, so others may have changed it: look at it, "
                    + "then chmod 600 it");
        }
        return Optional.empty();
    }

    /**
     * A new file with nothing but a header, locked. It gets its name when it is whole and on disk,
     * so that there is never a half one.
     */
    OwnedFd create() throws AppendLogException {
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY;
        // A descriptor of its own: the lock ends with it.
        try (OwnedFd here = linux.openat(directory, UnixPath.of("."), flags, 0)) {
            lockDirectory(here);
            return createLocked();
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EEXIST) {
                throw exception(Fault.EXISTS, "exists already: name another");
            }
            throw failed("cannot be made", e);
        }
    }

    /** Who makes one removes what an earlier crash left of the same name. */
    private void lockDirectory(OwnedFd here) throws ErrnoException, AppendLogException {
        if (!LockWait.take(linux, here, LockWait.Kind.EXCLUSIVE, LockWait.LONG_MILLIS)) {
            throw exception(Fault.IN_USE, "lies in a directory that another process keeps locked");
        }
    }

    private OwnedFd createLocked() throws ErrnoException, AppendLogException {
        UnixPath beside = UnixPath.of("." + name + ".new");
        unlinkIfPresent(beside);
        int flags = OpenFlags.O_RDWR | OpenFlags.O_CREAT | OpenFlags.O_EXCL | OpenFlags.O_NOFOLLOW;
        OwnedFd fd = linux.openat(directory, beside, flags, OWNER_ONLY);
        UnixPath made = beside;
        boolean whole = false;
        try {
            lock(fd);
            linux.pwriteFully(fd, layout.headerBytes(), 0);
            linux.fsync(fd);
            linux.renameat2(directory, beside, directory, name, Linux.RENAME_NOREPLACE);
            made = name;
            linux.fsync(directory);
            whole = true;
            return fd;
        } finally {
            if (!whole) {
                removeQuietly(made);
                fd.close();
            }
        }
    }

    private void unlinkIfPresent(UnixPath file) throws ErrnoException {
        try {
            linux.unlinkat(directory, file, 0);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
    }

    /** The failure before is the one to tell; what stays is a whole log without records. */
    private void removeQuietly(UnixPath file) {
        try {
            linux.unlinkat(directory, file, 0);
            linux.fsync(directory);
        } catch (ErrnoException e) {
            return;
        }
    }

    AppendLogException failed(String what, ErrnoException e) {
        return exception(Fault.SYSTEM, what + ": " + Errno.words(e.errno()));
    }

    AppendLogException exception(Fault fault, String what) {
        return new AppendLogException(fault, layout.name() + " '" + path + "' " + what);
    }

    @Override
    public void close() {
        directory.close();
    }
}
