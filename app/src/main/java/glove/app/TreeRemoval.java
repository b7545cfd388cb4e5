package glove.app;

import glove.sys.DirEntry;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

/**
 * Removes a tree an agent made: of any depth, with directories it closed to everybody, full of
 * links. Descends by descriptor, never through a link or a mount, and holds {@value #DEPTH_MAX}
 * directories open at most: what lies deeper is first moved up. What is interrupted can be done
 * again. Confined to one thread.
 */
final class TreeRemoval {
    private static final long RESOLVE_NO_XDEV = 0x1;
    private static final long RESOLVE_NO_SYMLINKS = 0x4;
    private static final long RESOLVE_BENEATH = 0x8;
    private static final int DEPTH_MAX = 64;
    private static final int PERMISSIONS = 07777;
    private static final int OWNER_ALL = 0700;

    /** Moved-up directories are so named, and a number; a home has no such name of its own. */
    private static final String MOVED = ".glove-removing-";

    private final Linux linux;
    private long removed;
    private long moved;

    TreeRemoval(Linux linux) {
        this.linux = linux;
    }

    /**
     * Removes a directory and everything in it.
     *
     * @return how many names were removed
     */
    long remove(Fd parent, UnixPath name) throws ErrnoException {
        try (OwnedFd top = open(parent, name)) {
            boolean again;
            do {
                // What lay too deep has come to the top. A listing begins where the last ended.
                try (OwnedFd listed = open(top, UnixPath.of("."))) {
                    again = removeContents(top, listed, 0);
                }
            } while (again);
        }
        linux.unlinkat(parent, name, Linux.AT_REMOVEDIR);
        return removed + 1;
    }

    /** A directory, opened for its owner even if the mode says that nobody may. */
    private OwnedFd open(Fd parent, UnixPath name) throws ErrnoException {
        long resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH;
        int path = OpenFlags.O_PATH | OpenFlags.O_DIRECTORY;
        try (OwnedFd found = linux.openat2(parent, name, path, 0, resolve)) {
            int mode = linux.fstat(found).mode() & PERMISSIONS;
            if ((mode & OWNER_ALL) != OWNER_ALL) {
                linux.chmodOpened(found, mode | OWNER_ALL);
            }
        }
        int reading = OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY;
        return linux.openat2(parent, name, reading, 0, resolve);
    }

    /** Empties a directory; true when something was moved to the top instead. */
    private boolean removeContents(Fd top, Fd directory, int depth) throws ErrnoException {
        boolean again = false;
        for (DirEntry entry : linux.listDirectory(directory)) {
            if (entry.isDirectory() || isDirectory(directory, entry)) {
                again |= removeDirectory(top, directory, entry.name(), depth);
            } else {
                linux.unlinkat(directory, entry.name(), 0);
                removed++;
            }
        }
        return again;
    }

    private boolean removeDirectory(Fd top, Fd parent, UnixPath name, int depth)
            throws ErrnoException {
        if (depth == DEPTH_MAX) {
            moveUp(top, parent, name);
            return true;
        }
        boolean again;
        try (OwnedFd directory = open(parent, name)) {
            again = removeContents(top, directory, depth + 1);
        }
        linux.unlinkat(parent, name, Linux.AT_REMOVEDIR);
        removed++;
        return again;
    }

    private void moveUp(Fd top, Fd parent, UnixPath name) throws ErrnoException {
        // Renaming a directory changes its "..", which its own mode can forbid.
        open(parent, name).close();
        for (; ; ) {
            UnixPath free = UnixPath.of(MOVED + moved++);
            try {
                linux.renameat2(parent, name, top, free, Linux.RENAME_NOREPLACE);
                return;
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EEXIST) {
                    throw e;
                }
            }
        }
    }

    /** Where the filesystem does not tell the type in its listing. */
    private boolean isDirectory(Fd directory, DirEntry entry) throws ErrnoException {
        return entry.type() == 0 && linux.lstatat(directory, entry.name()).isDirectory();
    }
}
