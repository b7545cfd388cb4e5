package glove.app;

import glove.sandbox.Refusal;
import glove.sys.DirEntry;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

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
    static final String HOMES = "homes";
    private static final int NAME_BYTES_MAX = 64;

    private final Linux linux;
    private final OwnedFd directory;

    private HomeStore(Linux linux, OwnedFd directory) {
        this.linux = linux;
        this.directory = directory;
    }

    /** Opens it, and makes what is missing of it. */
    static HomeStore open(Linux linux, Invocation invocation) throws Refusal {
        return new HomeStore(linux, StateDirectory.open(linux, invocation, HOMES));
    }

    /** Opens it if there is one; makes nothing. */
    static Optional<HomeStore> openIfPresent(Linux linux, Invocation invocation) throws Refusal {
        Optional<OwnedFd> found = StateDirectory.openIfPresent(linux, invocation, HOMES);
        return found.isEmpty() ? Optional.empty() : Optional.of(new HomeStore(linux, found.get()));
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
        return StateDirectory.openDirectory(linux, directory, name, making);
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
