package glove.journal;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

/**
 * A file nobody but the owner of this process can have written or read: policies, keys, secrets
 * (sheet 10, 2.1). It is read whole through one descriptor, and has not changed meanwhile.
 * Stateless.
 */
public final class ProtectedFile {
    private static final int OWNER_ONLY = 0600;
    private static final int PERMISSIONS = 07777;

    private ProtectedFile() {}

    /**
     * Reads it.
     *
     * @param what it is, for people, as in "the session policy"
     * @param path absolute; its last name may be no link
     * @param bytesMax how long it may be; at least one byte it must be
     * @throws DurableFileException when it is not as it should be, with what to do
     */
    public static byte[] read(Linux linux, String what, UnixPath path, int bytesMax)
            throws DurableFileException {
        return read(linux, what, path, bytesMax, "");
    }

    /**
     * The same, for one that its owner may not have made yet.
     *
     * @param making what to type then
     */
    public static byte[] read(Linux linux, String what, UnixPath path, int bytesMax, String making)
            throws DurableFileException {
        String file = what + " '" + path + "'";
        if (!path.isAbsolute()) {
            throw new DurableFileException(file + " is a relative path: write it from '/' on");
        }
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;
        try (OwnedFd fd = linux.open(path, flags, 0)) {
            Stat before = linux.fstat(fd);
            check(linux, file, path, before, bytesMax);
            byte[] content = linux.readAll(fd, bytesMax);
            if (content.length != before.size() || !linux.fstat(fd).equals(before)) {
                throw new DurableFileException(
                        file + " was changed while it was read: replace it in one step (mv)");
            }
            return content;
        } catch (ErrnoException e) {
            String why =
                    e.errno() == Errno.ELOOP ? "it is a symbolic link" : Errno.words(e.errno());
            boolean isMissing = e.errno() == Errno.ENOENT && !making.isEmpty();
            throw new DurableFileException(
                    file + " cannot be read: " + why + (isMissing ? ": " + making : ""));
        }
    }

    private static void check(Linux linux, String file, UnixPath path, Stat stat, int bytesMax)
            throws DurableFileException {
        if (!stat.isRegularFile()) {
            throw new DurableFileException(file + " is no regular file");
        }
        if (stat.uid() != linux.geteuid()) {
            throw new DurableFileException(
                    file + " belongs to the user " + stat.uid() + ", not to you: chown it");
        }
        if ((stat.mode() & PERMISSIONS) != OWNER_ONLY) {
            throw new DurableFileException(file + " has the mode "
                    + Integer.toOctalString(stat.mode() & PERMISSIONS) + ": chmod 600 '" + path
                    + "'");
        }
        if (stat.nlink() != 1) {
            throw new DurableFileException(
                    file + " has " + stat.nlink() + " names: make a copy, and name that");
        }
        if (stat.size() == 0 || stat.size() > bytesMax) {
            throw new DurableFileException(
                    file + " has " + stat.size() + " bytes, and may have 1 to " + bytesMax);
        }
    }
}
