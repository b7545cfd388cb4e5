package glove.sandbox;

import glove.sys.DirEntry;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One directory of a version 2 hierarchy (cgroups(7)), pinned by a descriptor, from which all its
 * files are opened. Owns the descriptor. Confined to one thread.
 */
final class Cgroup implements AutoCloseable {
    private static final int TEXT_BYTES_MAX = 64 << 10;
    private static final int DIRECTORY_MODE = 0700;
    private static final String DELEGATED_BY_SYSTEMD = "user.delegate";
    private static final String DELEGATED_TO_ROOT = "trusted.delegate";

    private final Linux linux;
    private final UnixPath path;
    private final OwnedFd directory;

    private Cgroup(Linux linux, UnixPath path, OwnedFd directory) {
        this.linux = linux;
        this.path = path;
        this.directory = directory;
    }

    static Cgroup open(Linux linux, UnixPath path) throws ErrnoException {
        int flags = OpenFlags.O_DIRECTORY | OpenFlags.O_NOFOLLOW;
        return new Cgroup(linux, path, linux.open(path, flags, 0));
    }

    Cgroup openChild(String name) throws ErrnoException {
        int flags = OpenFlags.O_DIRECTORY | OpenFlags.O_NOFOLLOW;
        OwnedFd child = linux.openat(directory, UnixPath.of(name), flags, 0);
        return new Cgroup(linux, path.resolve(name), child);
    }

    UnixPath path() {
        return path;
    }

    void makeChild(String name) throws ErrnoException {
        linux.mkdirat(directory, UnixPath.of(name), DIRECTORY_MODE);
    }

    /** Fails with EBUSY while there is a process or a group in it. */
    void removeChild(String name) throws ErrnoException {
        linux.unlinkat(directory, UnixPath.of(name), Linux.AT_REMOVEDIR);
    }

    List<DirEntry> list() throws ErrnoException {
        try (OwnedFd again = linux.openat(directory, UnixPath.of("."), OpenFlags.O_DIRECTORY, 0)) {
            return linux.listDirectory(again);
        }
    }

    Stat stat() throws ErrnoException {
        return linux.fstat(directory);
    }

    /** Held until this is closed, however that comes about; EAGAIN when somebody else has it. */
    void lock() throws ErrnoException {
        linux.lock(directory);
    }

    /** Whether systemd marks it as handed over: it then leaves alone what is below. */
    boolean isMarkedDelegated() throws ErrnoException {
        return isSet(DELEGATED_BY_SYSTEMD) || isSet(DELEGATED_TO_ROOT);
    }

    private boolean isSet(String attribute) throws ErrnoException {
        byte[] value = linux.fgetxattr(directory, attribute).orElse(new byte[0]);
        return value.length == 1 && value[0] == '1';
    }

    /** Opens a file to read it again and again, or to wait for its changes. */
    OwnedFd openFile(String file) throws ErrnoException {
        return linux.openat(
                directory, UnixPath.of(file), OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW, 0);
    }

    String read(String file) throws ErrnoException {
        try (OwnedFd fd = openFile(file)) {
            return readAgain(fd);
        }
    }

    /** From the start; so the kernel also knows what a later wait on it has seen. */
    String readAgain(OwnedFd file) throws ErrnoException {
        linux.rewind(file);
        return new String(linux.readAll(file, TEXT_BYTES_MAX), StandardCharsets.ISO_8859_1);
    }

    void write(String file, String text) throws ErrnoException {
        int flags = OpenFlags.O_WRONLY | OpenFlags.O_NOFOLLOW;
        try (OwnedFd fd = linux.openat(directory, UnixPath.of(file), flags, 0)) {
            linux.writeFully(fd, text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** Does nothing where this kernel has no such file. */
    void writeIfPresent(String file, String text) throws ErrnoException {
        try {
            write(file, text);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
    }

    boolean hasProcesses() throws ErrnoException {
        return !read("cgroup.procs").isEmpty();
    }

    @Override
    public void close() {
        directory.close();
    }
}
