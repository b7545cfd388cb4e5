package glove.session.stage;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

/**
 * Opens what is in a stage, a name at a time. Where another file system is mounted, even a stat(2)
 * is answered by whoever serves that, who may never do it (fuse(4)); so the kernel is asked not to
 * go there (openat2(2)), before anything is looked at. Immutable.
 *
 * @param linux the kernel
 */
record StageDoor(Linux linux) {
    private static final long RESOLVE_NO_XDEV = 0x1;
    private static final long RESOLVE_NO_MAGICLINKS = 0x2;
    private static final long RESOLVE_NO_SYMLINKS = 0x4;
    private static final long RESOLVE_BENEATH = 0x8;
    private static final long RESOLVE =
            RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH;
    private static final int LOOK = OpenFlags.O_PATH | OpenFlags.O_NOFOLLOW;

    /** Opens a name in a directory; the caller closes it. */
    OwnedFd open(Fd directory, UnixPath name, int flags) throws ErrnoException, StageException {
        try {
            return linux.openat2(directory, name, flags, 0, RESOLVE);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EXDEV) {
                throw new StageException(
                        "something is mounted on '" + name + "' in the stage: unmount it");
            }
            throw e;
        }
    }

    /** What a name is, a link itself too. */
    Stat look(Fd directory, UnixPath name) throws ErrnoException, StageException {
        try (OwnedFd fd = open(directory, name, LOOK)) {
            return linux.fstat(fd);
        }
    }
}
