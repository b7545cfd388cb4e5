package glove.sys;

import java.util.Arrays;
import java.util.Optional;

/** Calls on open files: see {@link Linux}. */
abstract class FileCalls extends Calls {
    public static final int F_SETFD = 2;
    public static final int F_GETFL = 3;
    public static final int F_SETFL = 4;
    public static final int FD_CLOEXEC = 1;
    public static final int SOCK_STREAM = 1;
    public static final int SOCK_SEQPACKET = 5;

    private static final int XATTR_BYTES_MAX = 256;
    private static final int O_ACCMODE = 3;
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int ST_RDONLY = 1;
    private static final int F_ADD_SEALS = 1033;
    private static final int ALL_SEALS = 0x1 | 0x2 | 0x4 | 0x8; // SEAL, SHRINK, GROW, WRITE
    private static final int MFD_CLOEXEC_ALLOW_SEALING = 0x1 | 0x2;
    private static final int MFD_NOEXEC_SEAL = 0x8; // since Linux 6.3, with vm.memfd_noexec
    private static final int MFD_EXEC = 0x10;
    static final int AF_UNIX = 1;
    static final int SOCK_CLOEXEC = 02000000;
    private static final int LOCK_SH_NB = 1 | 4;
    private static final int LOCK_EX_NB = 2 | 4;
    private static final int LOCK_UN = 8;

    /** Copies stay off the numbers of the standard streams. */
    private static final int LOWEST_COPY = 3;

    FileCalls(Syscalls syscalls) {
        super(syscalls);
    }

    /** open(2), close-on-exec; relative paths count from the working directory. */
    public OwnedFd open(UnixPath path, int flags, int mode) throws ErrnoException {
        return openat(AT_FDCWD, path, flags, mode);
    }

    /** openat(2), close-on-exec: relative paths count from a directory. */
    public OwnedFd openat(Fd dir, UnixPath path, int flags, int mode) throws ErrnoException {
        return openat(number(dir), path, flags, mode);
    }

    private OwnedFd openat(int dir, UnixPath path, int flags, int mode) throws ErrnoException {
        long name = CallMemory.get().path(path);
        return own(checked(Call.OPENAT, path, dir, name, flags | OpenFlags.O_CLOEXEC, mode));
    }

    /** openat2(2) from the working directory, close-on-exec. */
    public OwnedFd openat2(UnixPath path, int flags, int mode, long resolve) throws ErrnoException {
        return openat2(AT_FDCWD, path, flags, mode, resolve);
    }

    /** openat2(2) from a directory, close-on-exec. */
    public OwnedFd openat2(Fd dir, UnixPath path, int flags, int mode, long resolve)
            throws ErrnoException {
        return openat2(number(dir), path, flags, mode, resolve);
    }

    private OwnedFd openat2(int dir, UnixPath path, int flags, int mode, long resolve)
            throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long name = memory.path(path);
        long how = memory.structure(Layouts.OPEN_HOW_SIZE);
        memory.structure().putLong(0, flags | OpenFlags.O_CLOEXEC);
        memory.structure().putLong(Layouts.OPEN_HOW_MODE, mode);
        memory.structure().putLong(Layouts.OPEN_HOW_RESOLVE, resolve);
        return own(checked(Call.OPENAT2, path, dir, name, how, Layouts.OPEN_HOW_SIZE));
    }

    /** read(2) of at most {@code max} bytes and 64 KiB, EINTR retried; empty at the end. */
    public byte[] read(Fd fd, int max) throws ErrnoException {
        return read(fd, "", max);
    }

    private byte[] read(Fd fd, Object subject, int max) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long buffer = memory.bulk();
        int room = Math.min(max, CallMemory.CHUNK_BYTES);
        return memory.bulkBytes((int) checked(Call.READ, subject, number(fd), buffer, room));
    }

    /**
     * Exactly so many bytes: read(2) gives as few as it likes, also of a device.
     *
     * @param count at most 64 KiB
     * @throws ErrnoException ENODATA when it ends before
     */
    public byte[] readExactly(Fd fd, int count) throws ErrnoException {
        byte[] all = new byte[count];
        int length = 0;
        while (length < count) {
            byte[] more = read(fd, count - length);
            if (more.length == 0) {
                throw new ErrnoException(Call.READ, Errno.ENODATA, "");
            }
            System.arraycopy(more, 0, all, length, more.length);
            length += more.length;
        }
        return all;
    }

    /** Everything from here to the end, also of proc's; fails with EFBIG beyond {@code max}. */
    public byte[] readAll(Fd fd, int max) throws ErrnoException {
        return readAll(fd, "", max);
    }

    /** Everything to the end of a file, also of proc's; fails with EFBIG beyond {@code max}. */
    public byte[] readFile(UnixPath path, int max) throws ErrnoException {
        try (OwnedFd fd = open(path, OpenFlags.O_RDONLY, 0)) {
            return readAll(fd, path, max);
        }
    }

    /** By reading to the end, not by size: proc's files have none. */
    private byte[] readAll(Fd fd, Object subject, int max) throws ErrnoException {
        byte[] all = new byte[0];
        int length = 0;
        for (; ; ) {
            byte[] more = read(fd, subject, CallMemory.CHUNK_BYTES);
            if (more.length == 0) {
                return length == all.length ? all : Arrays.copyOf(all, length);
            }
            if (more.length > max - length) {
                throw new ErrnoException(Call.READ, Errno.EFBIG, subject.toString());
            }
            if (length == 0) {
                all = more;
            } else {
                if (length + more.length > all.length) {
                    all = Arrays.copyOf(all, grown(all.length, length + more.length, max));
                }
                System.arraycopy(more, 0, all, length, more.length);
            }
            length += more.length;
        }
    }

    /** At least doubles, not to copy a long file for each chunk; as long, not to overflow. */
    private static int grown(int capacity, int needed, int max) {
        return (int) Math.max(needed, Math.min(2L * capacity, max));
    }

    /** The last bytes of a file, at most {@code max}; moves its offset. Fewer when it shrinks. */
    public byte[] readTail(Fd fd, int max) throws ErrnoException {
        long size = fstat(fd).size();
        int wanted = (int) Math.min(size, max);
        checked(Call.LSEEK, "", number(fd), size - wanted, 0);
        byte[] tail = new byte[wanted];
        int length = 0;
        while (length < wanted) {
            byte[] more = read(fd, wanted - length);
            if (more.length == 0) {
                return Arrays.copyOf(tail, length);
            }
            System.arraycopy(more, 0, tail, length, more.length);
            length += more.length;
        }
        return tail;
    }

    /** The next read begins at the start of the file again (lseek(2)). */
    public void rewind(Fd fd) throws ErrnoException {
        seek(fd, 0);
    }

    /** The next read begins so many bytes behind the start of the file (lseek(2), SEEK_SET). */
    public void seek(Fd fd, long offset) throws ErrnoException {
        checked(Call.LSEEK, "", number(fd), offset, 0);
    }

    /** write(2), once and of at most 64 KiB; how many bytes were written. */
    public int write(Fd fd, byte[] bytes) throws ErrnoException {
        return write(fd, bytes, 0);
    }

    /** write(2) until all is written, EINTR retried. */
    public void writeFully(Fd fd, byte[] bytes) throws ErrnoException {
        int at = 0;
        while (at < bytes.length) {
            at += write(fd, bytes, at);
        }
    }

    private int write(Fd fd, byte[] bytes, int at) throws ErrnoException {
        int length = Math.min(bytes.length - at, CallMemory.CHUNK_BYTES);
        long buffer = CallMemory.get().bulk(bytes, at, length);
        return (int) checked(Call.WRITE, "", number(fd), buffer, length);
    }

    /**
     * pread64(2), EINTR retried, of at most 64 KiB; empty at the end of the file. Leaves the offset
     * of the descriptor alone.
     */
    public byte[] pread(Fd fd, int max, long offset) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long buffer = memory.bulk();
        int room = Math.min(max, CallMemory.CHUNK_BYTES);
        long count = checked(Call.PREAD64, "", number(fd), buffer, room, offset);
        return memory.bulkBytes((int) count);
    }

    /** pwrite64(2) until all is written from an offset of the file on, EINTR retried. */
    public void pwriteFully(Fd fd, byte[] bytes, long offset) throws ErrnoException {
        int at = 0;
        while (at < bytes.length) {
            int length = Math.min(bytes.length - at, CallMemory.CHUNK_BYTES);
            long buffer = CallMemory.get().bulk(bytes, at, length);
            at += (int) checked(Call.PWRITE64, "", number(fd), buffer, length, offset + at);
        }
    }

    /** fstat(2); works on O_PATH descriptors. */
    public Stat fstat(Fd fd) throws ErrnoException {
        return stat(number(fd), UnixPath.EMPTY, AT_EMPTY_PATH);
    }

    final Stat stat(int dir, UnixPath path, int flags) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long name = memory.path(path);
        long buffer = memory.structureToFill();
        checked(Call.NEWFSTATAT, path, dir, name, buffer, flags);
        return StatLayout.HOST.decode(memory.structure());
    }

    /** fstatfs(2): the magic number of a filesystem (linux/magic.h), 32 bits without sign. */
    public long fstatfsType(Fd fd) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        checked(Call.FSTATFS, "", number(fd), memory.structure(Layouts.STATFS_SIZE));
        return memory.structure().getLong(Layouts.STATFS_TYPE) & 0xffffffffL;
    }

    /** Whether what is mounted here can only be read (fstatfs(2), ST_RDONLY). */
    public boolean isReadOnly(Fd fd) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        checked(Call.FSTATFS, "", number(fd), memory.structure(Layouts.STATFS_SIZE));
        return (memory.structure().getLong(Layouts.STATFS_FLAGS) & ST_RDONLY) != 0;
    }

    /** flock(2), exclusive; EAGAIN at once when somebody else has it. */
    public void lock(Fd fd) throws ErrnoException {
        checked(Call.FLOCK, "", number(fd), LOCK_EX_NB);
    }

    /** Gives a lock of flock(2) back; closing the last descriptor of the open file does, too. */
    public void unlock(Fd fd) throws ErrnoException {
        checked(Call.FLOCK, "", number(fd), LOCK_UN);
    }

    /** flock(2), shared; EAGAIN at once when somebody has it alone. */
    public void lockShared(Fd fd) throws ErrnoException {
        checked(Call.FLOCK, "", number(fd), LOCK_SH_NB);
    }

    /** fsync(2): content and metadata. Never retried: the kernel forgets an error it has told. */
    public void fsync(Fd fd) throws ErrnoException {
        checkedOnce(Call.FSYNC, "", number(fd));
    }

    /** fdatasync(2): content, and what is needed to read it. Never retried, as {@link #fsync}. */
    public void fdatasync(Fd fd) throws ErrnoException {
        checkedOnce(Call.FDATASYNC, "", number(fd));
    }

    /** ftruncate(2), EINTR retried. */
    public void ftruncate(Fd fd, long bytes) throws ErrnoException {
        checked(Call.FTRUNCATE, "", number(fd), bytes);
    }

    /** fchmod(2). */
    public void fchmod(Fd fd, int mode) throws ErrnoException {
        checked(Call.FCHMOD, "", number(fd), mode);
    }

    /** fcntl(2) with a number as argument: F_GETFL, F_SETFL, F_SETFD. */
    public int fcntl(Fd fd, int command, int argument) throws ErrnoException {
        return (int) checked(Call.FCNTL, "", number(fd), command, argument);
    }

    /** What a descriptor was opened for: O_RDONLY, O_WRONLY or O_RDWR (F_GETFL of fcntl(2)). */
    public int accessMode(Fd fd) throws ErrnoException {
        return fcntl(fd, F_GETFL, 0) & O_ACCMODE;
    }

    /** A second descriptor of the same open file, close-on-exec, as dup(2) would give. */
    public OwnedFd dup(Fd fd) throws ErrnoException {
        return own(checked(Call.FCNTL, "", number(fd), F_DUPFD_CLOEXEC, LOWEST_COPY));
    }

    /**
     * inotify_init1(2): reads at once or fails with EAGAIN. A user has only so many instances
     * (EMFILE) and watches (fs.inotify.max_user_watches).
     */
    public OwnedFd inotifyInit() throws ErrnoException {
        return own(checked(Call.INOTIFY_INIT1, "", OpenFlags.O_CLOEXEC | OpenFlags.O_NONBLOCK));
    }

    /** memfd_create(2) for data, that can be sealed and, where the kernel knows that, not run. */
    public OwnedFd memfdCreate(String name) throws ErrnoException {
        return memfdCreate(name, MFD_NOEXEC_SEAL);
    }

    /**
     * memfd_create(2) for a program, that can be sealed. EACCES where vm.memfd_noexec is 2, which
     * forbids it; where that is 1, only a file that was asked for so can be run.
     */
    public OwnedFd memfdCreateProgram(String name) throws ErrnoException {
        return memfdCreate(name, MFD_EXEC);
    }

    private OwnedFd memfdCreate(String name, int kind) throws ErrnoException {
        UnixPath text = UnixPath.of(name);
        long address = CallMemory.get().path(text);
        int flags = MFD_CLOEXEC_ALLOW_SEALING;
        try {
            return own(checked(Call.MEMFD_CREATE, text, address, flags | kind));
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EINVAL) {
                throw e;
            }
            return own(checked(Call.MEMFD_CREATE, text, address, flags));
        }
    }

    /** From now on nobody changes the size or content of a memfd (fcntl(2), F_ADD_SEALS). */
    public void sealAll(Fd memfd) throws ErrnoException {
        checked(Call.FCNTL, "", number(memfd), F_ADD_SEALS, ALL_SEALS);
    }

    /** pipe2(2), both ends close-on-exec. */
    public Pipe pipe() throws ErrnoException {
        CallMemory memory = CallMemory.get();
        checked(Call.PIPE2, "", memory.structure(8), OpenFlags.O_CLOEXEC);
        return new Pipe(
                own(memory.structure().getInt(0)), own(memory.structure().getInt(4)));
    }

    /** socketpair(2) of Unix sockets, close-on-exec; SOCK_STREAM or SOCK_SEQPACKET. */
    public SocketPair socketpair(int type) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        checked(Call.SOCKETPAIR, "", AF_UNIX, type | SOCK_CLOEXEC, 0, memory.structure(8));
        return new SocketPair(
                own(memory.structure().getInt(0)), own(memory.structure().getInt(4)));
    }

    /**
     * An extended attribute of an open file (fgetxattr(2)) of at most {@value #XATTR_BYTES_MAX}
     * bytes; empty when it has none of that name, or the filesystem has none at all.
     */
    public Optional<byte[]> fgetxattr(Fd fd, String name) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long text = memory.path(UnixPath.of(name));
        long n = raw(Call.FGETXATTR, number(fd), text, memory.bulk(), XATTR_BYTES_MAX);
        if (n == -Errno.ENODATA || n == -Errno.EOPNOTSUPP) {
            return Optional.empty();
        }
        if (n < 0) {
            throw new ErrnoException(Call.FGETXATTR, (int) -n, name);
        }
        return Optional.of(memory.bulkBytes((int) n));
    }

    /** Whether a file has an extended attribute, by its name and without following it. */
    public boolean hasXattr(UnixPath path, String name) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long file = memory.path(path);
        long text = memory.secondPath(UnixPath.of(name));
        long n = raw(Call.LGETXATTR, file, text, 0, 0); // the size alone
        if (n == -Errno.ENODATA || n == -Errno.EOPNOTSUPP) {
            return false;
        }
        if (n < 0) {
            throw new ErrnoException(Call.LGETXATTR, (int) -n, path.toString());
        }
        return true;
    }
}
