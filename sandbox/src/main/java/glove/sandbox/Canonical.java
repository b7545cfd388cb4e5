package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.Optional;

/**
 * Where a path leads once every symbolic link is followed, and which file that is. One open, so
 * both speak of the same file.
 */
public record Canonical(UnixPath path, Stat stat) {
    private static final long RESOLVE_NO_SYMLINKS = 4; // and no magic links either

    /** Relative paths count from this process's working directory. */
    static Canonical of(Linux linux, UnixPath path) throws ErrnoException {
        if (path.isNormal()) {
            try (OwnedFd fd = linux.openat2(path, OpenFlags.O_PATH, 0, RESOLVE_NO_SYMLINKS)) {
                return new Canonical(path, linux.fstat(fd)); // most paths are canonical as they are
            } catch (ErrnoException e) {
                // A link on the way, or no openat2 here: the slower way tells, or fails properly.
            }
        }
        try (OwnedFd fd = linux.open(path, OpenFlags.O_PATH, 0)) {
            return new Canonical(linux.pathOf(fd), linux.fstat(fd));
        }
    }

    static Optional<Canonical> ofIfPresent(Linux linux, UnixPath path) throws ErrnoException {
        try {
            return Optional.of(of(linux, path));
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT
                    || e.errno() == Errno.EACCES
                    || e.errno() == Errno.ENOTDIR
                    || e.errno() == Errno.ELOOP) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** The same as execvp(3) sees it: what cannot be looked at is not found. */
    static Optional<Canonical> lookFor(Linux linux, UnixPath path) throws Refusal {
        try {
            return ofIfPresent(linux, path);
        } catch (ErrnoException e) {
            Trouble.refuse("cannot look for '" + path + "'", e);
            return Optional.empty();
        }
    }

    /**
     * Whether this process may execute it.
     *
     * @param found the path that led here
     */
    boolean isExecutable(Linux linux, UnixPath found) throws Refusal {
        return stat.isRegularFile() && Trouble.isExecutable(linux, found);
    }

    /**
     * Where a file is or would be made: its directory exists and is canonical, its name is kept.
     *
     * @param option for the refusal when there is no such directory
     */
    public static UnixPath ofNewFile(Linux linux, UnixPath path, String option) throws Refusal {
        try {
            Optional<Canonical> existing = ofIfPresent(linux, path);
            if (existing.isPresent()) {
                return existing.get().path();
            }
            UnixPath absolute = linux.absolute(path);
            return of(linux, absolute.parent()).path().resolve(absolute.name());
        } catch (ErrnoException e) {
            Trouble.refuse(option + " '" + path + "'", e);
            throw new Refusal(
                    option + " '" + path + "': " + Errno.words(e.errno()),
                    "name a file in an existing directory");
        }
    }
}
