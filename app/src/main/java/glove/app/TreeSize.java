package glove.app;

import glove.sys.DirEntry;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

/**
 * How much a tree holds, as far as its directories can be read: an agent may have closed some, and
 * {@value #DEPTH_MAX} levels are enough for a number people look at. Follows no link.
 */
final class TreeSize {
    private static final int DEPTH_MAX = 200;

    private TreeSize() {}

    /** Bytes in the regular files below a directory. */
    static long of(Linux linux, Fd parent, UnixPath name) {
        return of(linux, parent, name, 0);
    }

    private static long of(Linux linux, Fd parent, UnixPath name, int depth) {
        long sum = 0;
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY | OpenFlags.O_NOFOLLOW;
        try (OwnedFd directory = linux.openat(parent, name, flags, 0)) {
            for (DirEntry entry : linux.listDirectory(directory)) {
                Stat stat = linux.lstatat(directory, entry.name());
                if (stat.isDirectory() && depth < DEPTH_MAX) {
                    sum += of(linux, directory, entry.name(), depth + 1);
                } else if (stat.isRegularFile()) {
                    sum += stat.size();
                }
            }
        } catch (ErrnoException e) {
            return sum; // closed by the agent, or gone meanwhile: less is counted
        }
        return sum;
    }
}
