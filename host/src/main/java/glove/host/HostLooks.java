package glove.host;

import glove.policy.session.HostPathException;
import glove.policy.session.HostPaths;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;

/** This machine's paths, none of them through a symbolic link (openat2(2)). Immutable. */
public final class HostLooks implements HostPaths {
    private static final long RESOLVE_NO_SYMLINKS = 4; // and no magic links either

    private final Linux linux;

    /** Of the calling process. */
    public HostLooks(Linux linux) {
        this.linux = linux;
    }

    @Override
    public HostObject look(AbsolutePath path) throws HostPathException {
        UnixPath file = UnixPath.of(path.text());
        try (OwnedFd fd = linux.openat2(file, OpenFlags.O_PATH, 0, RESOLVE_NO_SYMLINKS)) {
            Stat stat = linux.fstat(fd);
            if (!stat.isRegularFile() && !stat.isDirectory()) {
                throw new HostPathException("is neither a regular file nor a directory");
            }
            return new HostObject(stat.dev(), stat.ino(), stat.mode());
        } catch (ErrnoException e) {
            throw switch (e.errno()) {
                case Errno.ENOENT, Errno.ENOTDIR -> HostPathException.nothing();
                case Errno.ELOOP -> new HostPathException("leads through a symbolic link");
                default -> new HostPathException("cannot be opened: " + Errno.words(e.errno()));
            };
        }
    }
}
