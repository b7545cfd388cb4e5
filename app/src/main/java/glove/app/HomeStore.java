package glove.app;

import glove.sandbox.Refusal;
import glove.sys.DirEntry;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The directory of kept homes, {@code glove/homes} in the owner's state directory: for each home a
 * directory NAME and a lock file {@code .NAME.lock}. Nothing in a home is ever read to decide
 * anything: agents write there. Owns a descriptor; confined to one thread.
 */
final class HomeStore implements AutoCloseable {
    private static final byte[] HOME = "HOME".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] XDG = "XDG_STATE_HOME".getBytes(StandardCharsets.US_ASCII);
    private static final UnixPath ROOT = UnixPath.of("/");
    private static final int NAME_BYTES_MAX = 64;
    private static final int PRIVATE = 0700;
    private static final int OTHERS_WRITE = 022;

    private final Linux linux;
    private final OwnedFd directory;

    private HomeStore(Linux linux, OwnedFd directory) {
        this.linux = linux;
        this.directory = directory;
    }

    /** Opens it, and makes what is missing of it. */
    static HomeStore open(Linux linux, Invocation invocation) throws Refusal {
        UnixPath state = stateDirectory(invocation);
        try (OwnedFd base = openOrMake(linux, state);
                OwnedFd glove = ownDirectory(linux, base, "glove", true).orElseThrow()) {
            return new HomeStore(
                    linux, ownDirectory(linux, glove, "homes", true).orElseThrow());
        } catch (ErrnoException e) {
            throw unusable(state, e);
        }
    }

    /** Opens it if there is one; makes nothing. */
    static Optional<HomeStore> openIfPresent(Linux linux, Invocation invocation) throws Refusal {
        UnixPath state = stateDirectory(invocation);
        try (OwnedFd base = linux.open(state, OpenFlags.O_PATH | OpenFlags.O_DIRECTORY, 0)) {
            Optional<OwnedFd> glove = ownDirectory(linux, base, "glove", false);
            if (glove.isEmpty()) {
                return Optional.empty();
            }
            try (OwnedFd parent = glove.get()) {
                Optional<OwnedFd> homes = ownDirectory(linux, parent, "homes", false);
                return homes.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new HomeStore(linux, homes.get()));
            }
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw unusable(state, e);
        }
    }

    /** By the XDG base directory specification; sheet 80 §1.5. */
    private static UnixPath stateDirectory(Invocation invocation) throws Refusal {
        Optional<UnixPath> home = directoryIn(invocation, HOME, "HOME");
        if (home.isEmpty()) {
            throw new Refusal(
                    "HOME is not set: kept homes live below it", "HOME=/home/you glove ...");
        }
        return directoryIn(invocation, XDG, "XDG_STATE_HOME")
                .orElse(home.get().resolve(".local/state"));
    }

    private static Optional<UnixPath> directoryIn(Invocation invocation, byte[] name, String shown)
            throws Refusal {
        Optional<byte[]> value = invocation.variable(name);
        if (value.isEmpty() || value.get().length == 0) {
            return Optional.empty();
        }
        UnixPath path = UnixPath.of(value.get()).normalize();
        if (!path.isAbsolute() || path.equals(ROOT)) {
            throw new Refusal(
                    shown + " is '" + path + "': kept homes want an absolute path other than /",
                    "set " + shown + " to a directory of your own");
        }
        return Optional.of(path);
    }

    private static Refusal unusable(UnixPath state, ErrnoException e) {
        return new Refusal(
                "cannot use '" + state + "/glove/homes': " + e.getMessage(),
                "check the permissions along the path, or set XDG_STATE_HOME to a directory of "
                        + "your own");
    }

    private static OwnedFd openOrMake(Linux linux, UnixPath path) throws ErrnoException {
        int flags = OpenFlags.O_PATH | OpenFlags.O_DIRECTORY;
        try {
            return linux.open(path, flags, 0);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOENT || path.equals(ROOT)) {
                throw e;
            }
        }
        try (OwnedFd parent = openOrMake(linux, path.parent())) {
            makeDirectory(linux, parent, path.name(), PRIVATE);
        }
        return linux.open(path, flags, 0);
    }

    private static void makeDirectory(Linux linux, Fd parent, UnixPath name, int mode)
            throws ErrnoException {
        try {
            linux.mkdirat(parent, name, mode);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EEXIST) {
                throw e;
            }
        }
    }

    /** A directory nobody but this user can put anything into. */
    private static Optional<OwnedFd> ownDirectory(
            Linux linux, Fd parent, String name, boolean making) throws ErrnoException, Refusal {
        Optional<OwnedFd> opened = openDirectory(linux, parent, UnixPath.of(name), making);
        if (opened.isPresent() && (linux.fstat(opened.get()).mode() & OTHERS_WRITE) != 0) {
            UnixPath path = linux.pathOf(opened.get());
            opened.get().close();
            throw new Refusal(
                    "'" + path + "' can be written by others", "chmod 700 '" + path + "'");
        }
        return opened;
    }

    /** A directory of this user's, not through a link. */
    private static Optional<OwnedFd> openDirectory(
            Linux linux, Fd parent, UnixPath name, boolean making) throws ErrnoException, Refusal {
        if (making) {
            makeDirectory(linux, parent, name, PRIVATE);
        }
        OwnedFd opened;
        try {
            opened = linux.openat(
                    parent,
                    name,
                    OpenFlags.O_PATH | OpenFlags.O_DIRECTORY | OpenFlags.O_NOFOLLOW,
                    0);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw new Refusal(
                    "'" + linux.pathOf(parent).resolve(name) + "': "
                            + (e.errno() == Errno.ENOTDIR
                                    ? "is a link, or no directory"
                                    : Errno.words(e.errno())),
                    "move it away");
        }
        if (linux.fstat(opened).uid() != linux.geteuid()) {
            UnixPath path = linux.pathOf(opened);
            opened.close();
            throw new Refusal(
                    "'" + path + "' belongs to another user",
                    "set XDG_STATE_HOME to a directory of your own");
        }
        return Optional.of(opened);
    }

    /** A name that can stand in this directory beside the lock files. */
    static void checkName(UnixPath name, String option) throws Refusal {
        byte[] bytes = name.bytes();
        boolean good = bytes.length > 0 && bytes.length <= NAME_BYTES_MAX && bytes[0] != '.';
        for (byte b : bytes) {
            good &= (b >= 'a' && b <= 'z')
                    || (b >= 'A' && b <= 'Z')
                    || (b >= '0' && b <= '9')
                    || b == '.'
                    || b == '_'
                    || b == '-';
        }
        if (!good) {
            throw new Refusal(
                    option + " '" + name + "': a name has 1 to " + NAME_BYTES_MAX
                            + " letters, digits, '.', '_' or '-', the first no '.'",
                    option + " dev");
        }
    }

    /** The directory of a home; made when asked for. */
    Optional<OwnedFd> home(UnixPath name, boolean making) throws ErrnoException, Refusal {
        return openDirectory(linux, directory, name, making);
    }

    /** The store itself. */
    Fd directory() {
        return directory;
    }

    /** Path of the store, for people. */
    UnixPath path() throws ErrnoException {
        return linux.pathOf(directory);
    }

    /** A lock on a name, held as long as it is open: the kernel frees it when this process ends. */
    HomeLock lock(UnixPath name, HomeLock.Sharing sharing) throws ErrnoException, Refusal {
        return HomeLock.take(linux, directory, name, sharing);
    }

    /** Names of all homes, sorted. */
    List<UnixPath> names() throws ErrnoException {
        try (OwnedFd listed = linux.openat(
                directory, UnixPath.of("."), OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY, 0)) {
            List<UnixPath> names = new ArrayList<>();
            for (DirEntry entry : linux.listDirectory(listed)) {
                if (entry.name().bytes()[0] != '.' && isDirectory(entry.name())) {
                    names.add(entry.name());
                }
            }
            Collections.sort(names);
            return names;
        }
    }

    private boolean isDirectory(UnixPath name) {
        try {
            Stat stat = linux.lstatat(directory, name);
            return stat.isDirectory();
        } catch (ErrnoException e) {
            return false; // gone meanwhile
        }
    }

    @Override
    public void close() {
        directory.close();
    }
}
