package glove.sys;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Typed system calls, one method each, named as the manual names them. Nothing here decides or
 * logs; EINTR is retried where a method says so. Thread-safe: memory for a call is the calling
 * thread's.
 */
public final class Linux {
    private static final int AT_FDCWD = -100;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_EACCESS = 0x200;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int O_CLOEXEC = 02000000;
    private static final int O_DIRECTORY_RDONLY = 0200000;
    private static final int X_OK = 1;
    private static final int F_ADD_SEALS = 1033;
    private static final int ALL_SEALS = 0x1 | 0x2 | 0x4 | 0x8; // SEAL, SHRINK, GROW, WRITE
    private static final int MFD_CLOEXEC_ALLOW_SEALING = 0x1 | 0x2;
    private static final int F_GETFL = 3;
    private static final int O_ACCMODE = 3;
    private static final int TCGETS = 0x5401;
    private static final short POLLIN = 1;
    private static final int LOCK_EX_NB = 2 | 4;
    private static final int LANDLOCK_CREATE_RULESET_VERSION = 1;
    private static final int RLIMIT_NPROC = 6;
    private static final int RLIMIT_NOFILE = 7;
    private static final int PATH_BYTES_MAX = 4096;
    private static final int CHUNK_BYTES = 64 << 10;

    /** Memory calls read and write: a path, a structure. Grown to 64 KiB at the first bulk read. */
    private static final ThreadLocal<Memory> MEMORY = ThreadLocal.withInitial(Memory::new);

    private static final Linux HOST = new Linux(Syscalls.host());

    private final Syscalls syscalls;

    /** Over any kernel. */
    public Linux(Syscalls syscalls) {
        this.syscalls = syscalls;
    }

    /** Over the real one. */
    public static Linux host() {
        return HOST;
    }

    /** The seam itself, for calls that have no method here. */
    public Syscalls syscalls() {
        return syscalls;
    }

    // ---- files ----

    /** open(2), close-on-exec; relative paths count from the working directory. */
    public OwnedFd open(UnixPath path, int flags, int mode) throws ErrnoException {
        long name = MEMORY.get().path(path);
        long fd = checked(Call.OPENAT, path, AT_FDCWD, name, flags | O_CLOEXEC, mode, 0);
        return new OwnedFd(syscalls, (int) fd);
    }

    /** openat2(2), close-on-exec. */
    public OwnedFd openat2(UnixPath path, int flags, int mode, long resolve) throws ErrnoException {
        Memory memory = MEMORY.get();
        long name = memory.path(path);
        long how = memory.structure(24);
        memory.put(flags | O_CLOEXEC, mode, resolve);
        long fd = checked(Call.OPENAT2, path, AT_FDCWD, name, how, 24, 0);
        return new OwnedFd(syscalls, (int) fd);
    }

    /** read(2) of at most {@code max} bytes, EINTR retried; empty at the end. */
    public byte[] read(Fd fd, int max) throws ErrnoException {
        Memory memory = MEMORY.get();
        long buffer = memory.bulk();
        int room = Math.min(max, CHUNK_BYTES);
        long n;
        do {
            n = syscalls.call(Call.READ, fd.number(), buffer, room, 0, 0, 0);
        } while (n == -Errno.EINTR);
        checkResult(Call.READ, n, "");
        return memory.bulkBytes((int) n);
    }

    /** Everything to the end of a file, also of proc's; fails with EFBIG beyond {@code max}. */
    public byte[] readFile(UnixPath path, int max) throws ErrnoException {
        try (OwnedFd fd = open(path, 0, 0)) {
            byte[] all = read(fd, CHUNK_BYTES);
            if (all.length == 0) {
                return all;
            }
            int length = all.length;
            for (; ; ) {
                byte[] more = read(fd, CHUNK_BYTES);
                if (more.length == 0) {
                    return length == all.length ? all : Arrays.copyOf(all, length);
                }
                if (length + more.length > max) {
                    throw new ErrnoException(Call.READ, 27, path.toString());
                }
                if (length + more.length > all.length) {
                    all = Arrays.copyOf(all, Math.max(2 * all.length, length + more.length));
                }
                System.arraycopy(more, 0, all, length, more.length);
                length += more.length;
            }
        }
    }

    /** The last bytes of a file, at most {@code max}; moves its offset. */
    public byte[] readTail(Fd fd, int max) throws ErrnoException {
        long size = fstat(fd).size();
        long start = Math.max(0, size - max);
        checkResult(Call.LSEEK, syscalls.call(Call.LSEEK, fd.number(), start, 0, 0, 0, 0), "");
        return read(fd, max);
    }

    /** write(2) until all is written, EINTR retried. */
    public void writeFully(Fd fd, byte[] bytes) throws ErrnoException {
        Memory memory = MEMORY.get();
        int at = 0;
        while (at < bytes.length) {
            int length = Math.min(bytes.length - at, CHUNK_BYTES);
            long buffer = memory.bulk(bytes, at, length);
            long n = syscalls.call(Call.WRITE, fd.number(), buffer, length, 0, 0, 0);
            if (n != -Errno.EINTR) {
                checkResult(Call.WRITE, n, "");
                at += (int) n;
            }
        }
    }

    /** fstat(2); works on O_PATH descriptors. */
    public Stat fstat(Fd fd) throws ErrnoException {
        return stat(fd.number(), UnixPath.of(""), AT_EMPTY_PATH);
    }

    /** stat(2): follows links. */
    public Stat stat(UnixPath path) throws ErrnoException {
        return stat(AT_FDCWD, path, 0);
    }

    /** lstat(2); empty when there is no such file, or the way to it is closed. */
    public Optional<Stat> lstatIfPresent(UnixPath path) throws ErrnoException {
        try {
            return Optional.of(stat(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW));
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT
                    || e.errno() == Errno.ENOTDIR
                    || e.errno() == Errno.EACCES) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Stat stat(int dir, UnixPath path, int flags) throws ErrnoException {
        Memory memory = MEMORY.get();
        long name = memory.path(path);
        long buffer = memory.structure(144);
        checked(Call.NEWFSTATAT, path, dir, name, buffer, flags, 0);
        return StatLayout.HOST.decode(memory.structure);
    }

    /** readlink(2). */
    public UnixPath readlink(UnixPath path) throws ErrnoException {
        Memory memory = MEMORY.get();
        long name = memory.path(path);
        long buffer = memory.bulk();
        long n = checked(Call.READLINKAT, path, AT_FDCWD, name, buffer, PATH_BYTES_MAX, 0);
        return UnixPath.of(memory.bulkBytes((int) n));
    }

    /** Where an open file is, by /proc/self/fd: absolute and without links. */
    public UnixPath pathOf(Fd fd) throws ErrnoException {
        return readlink(UnixPath.of("/proc/self/fd/" + fd.number()));
    }

    /** A path as text, seen from the root: the working directory in front of a relative one. */
    public UnixPath absolute(UnixPath path) throws ErrnoException {
        return path.isAbsolute()
                ? path.normalize()
                : readlink(UnixPath.of("/proc/self/cwd")).resolve(path).normalize();
    }

    /** All names in a directory but {@code .} and {@code ..}, in the kernel's order. */
    public List<DirEntry> listDirectory(UnixPath path) throws ErrnoException {
        List<DirEntry> entries = new ArrayList<>();
        try (OwnedFd fd = open(path, O_DIRECTORY_RDONLY, 0)) {
            Memory memory = MEMORY.get();
            for (; ; ) {
                long buffer = memory.bulk();
                long n = checked(Call.GETDENTS64, path, fd.number(), buffer, CHUNK_BYTES, 0, 0);
                if (n == 0) {
                    return entries;
                }
                addEntries(memory.bulkBytes((int) n), entries);
            }
        }
    }

    /** struct linux_dirent64: u64 inode, s64 offset, u16 length, u8 type, name and NUL. */
    private static void addEntries(byte[] records, List<DirEntry> entries) {
        int at = 0;
        while (at < records.length) {
            int length = (records[at + 16] & 0xff) | (records[at + 17] & 0xff) << 8;
            int end = at + 19;
            while (records[end] != 0) {
                end++;
            }
            byte[] name = Arrays.copyOfRange(records, at + 19, end);
            boolean dots =
                    name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
            if (!dots) {
                entries.add(new DirEntry(UnixPath.of(name), records[at + 18]));
            }
            at += length;
        }
    }

    /** Whether this process, with its effective ids, may execute a file. */
    public boolean isExecutable(UnixPath path) {
        long name = MEMORY.get().path(path);
        return syscalls.call(Call.FACCESSAT2, AT_FDCWD, name, X_OK, AT_EACCESS, 0, 0) == 0;
    }

    /** flock(2), exclusive; EAGAIN at once when somebody else has it. */
    public void lock(Fd fd) throws ErrnoException {
        checkedFd(Call.FLOCK, fd, LOCK_EX_NB);
    }

    /** fsync(2). */
    public void fsync(Fd fd) throws ErrnoException {
        checkedFd(Call.FSYNC, fd, 0);
    }

    /** memfd_create(2) that can be sealed. */
    public OwnedFd memfdCreate(String name) throws ErrnoException {
        UnixPath text = UnixPath.of(name);
        long at = MEMORY.get().path(text);
        long fd = checked(Call.MEMFD_CREATE, text, at, MFD_CLOEXEC_ALLOW_SEALING, 0, 0, 0);
        return new OwnedFd(syscalls, (int) fd);
    }

    /** From now on nobody changes the size or content of a memfd (fcntl(2), F_ADD_SEALS). */
    public void sealAll(Fd memfd) throws ErrnoException {
        long result = syscalls.call(Call.FCNTL, memfd.number(), F_ADD_SEALS, ALL_SEALS, 0, 0, 0);
        checkResult(Call.FCNTL, result, "");
    }

    /** pipe2(2), both ends close-on-exec. */
    public Pipe pipe() throws ErrnoException {
        Memory memory = MEMORY.get();
        checked(Call.PIPE2, UnixPath.of(""), memory.structure(8), O_CLOEXEC, 0, 0, 0);
        return new Pipe(
                new OwnedFd(syscalls, memory.structure.getInt(0)),
                new OwnedFd(syscalls, memory.structure.getInt(4)));
    }

    /** What a descriptor was opened for: O_RDONLY, O_WRONLY or O_RDWR (F_GETFL of fcntl(2)). */
    public int accessMode(Fd fd) throws ErrnoException {
        return (int) checked(Call.FCNTL, UnixPath.of(""), fd.number(), F_GETFL, 0, 0, 0)
                & O_ACCMODE;
    }

    /** fchmod(2). */
    public void fchmod(Fd fd, int mode) throws ErrnoException {
        checked(Call.FCHMOD, UnixPath.of(""), fd.number(), mode, 0, 0, 0);
    }

    /** Whether a descriptor is a terminal. */
    public boolean isTerminal(Fd fd) {
        long buffer = MEMORY.get().structure(64);
        return syscalls.call(Call.IOCTL, fd.number(), TCGETS, buffer, 0, 0, 0) == 0;
    }

    // ---- processes ----

    /**
     * Executes a program in a new process that has the given descriptors and no others, default
     * signal dispositions and an empty signal mask.
     *
     * @param donations in the order of their numbers: 0, 1, 2 ...
     * @return its process id
     */
    public int spawn(Fd program, List<byte[]> argv, List<byte[]> env, List<Donation> donations)
            throws ErrnoException {
        int[] fds = new int[donations.size()];
        for (int i = 0; i < fds.length; i++) {
            if (donations.get(i).number() != i) {
                throw new Bug("donations count up from 0");
            }
            fds[i] = donations.get(i).fd().number();
        }
        int bytes = 1;
        for (byte[] text : argv) {
            bytes += text.length + 1;
        }
        for (byte[] text : env) {
            bytes += text.length + 1;
        }
        ByteBuffer strings = ByteBuffer.allocateDirect(bytes);
        for (byte[] text : argv) {
            strings.put(text).put((byte) 0);
        }
        for (byte[] text : env) {
            strings.put(text).put((byte) 0);
        }
        int pid = NativeSyscalls.spawn(program.number(), fds, strings, argv.size(), env.size());
        if (pid < 0) {
            throw new ErrnoException(Call.EXECVEAT, -pid, "");
        }
        return pid;
    }

    /** Waits for a child's end, EINTR retried (waitpid(2)). */
    public int waitFor(int pid) throws ErrnoException {
        Memory memory = MEMORY.get();
        long result;
        do {
            result = syscalls.call(Call.WAIT4, pid, memory.structure(4), 0, 0, 0, 0);
        } while (result == -Errno.EINTR);
        checkResult(Call.WAIT4, result, "");
        return memory.structure.getInt(0);
    }

    /** kill(2). */
    public void kill(int pid, int signal) throws ErrnoException {
        checkResult(Call.KILL, syscalls.call(Call.KILL, pid, signal, 0, 0, 0, 0), "");
    }

    /** This process. */
    public int getpid() {
        return (int) syscalls.call(Call.GETPID, 0, 0, 0, 0, 0, 0);
    }

    /** Effective user id. */
    public int geteuid() {
        return (int) syscalls.call(Call.GETEUID, 0, 0, 0, 0, 0, 0);
    }

    /** Effective group id. */
    public int getegid() {
        return (int) syscalls.call(Call.GETEGID, 0, 0, 0, 0, 0, 0);
    }

    /** A soft and a hard limit (getrlimit(2)). */
    public record Limit(long soft, long hard) {}

    /** RLIMIT_NOFILE of this process. */
    public Limit openFileLimit() throws ErrnoException {
        return limit(RLIMIT_NOFILE);
    }

    /** RLIMIT_NPROC of this process: processes and threads of its user. */
    public Limit processLimit() throws ErrnoException {
        return limit(RLIMIT_NPROC);
    }

    private Limit limit(int resource) throws ErrnoException {
        Memory memory = MEMORY.get();
        long old = memory.structure(16);
        checked(Call.PRLIMIT64, UnixPath.of(""), 0, resource, 0, old, 0);
        return new Limit(memory.structure.getLong(0), memory.structure.getLong(8));
    }

    /**
     * From now on these signals are not delivered but written, a byte each, to a pipe (signal(7));
     * those that were ignored stay ignored. Once in a process, before its first child.
     *
     * @param pipe write end; the caller keeps it open for ever
     */
    public void catchSignals(Fd pipe, int... signals) {
        NativeSyscalls.catchSignals(pipe.number(), signals);
    }

    /**
     * Waits until one of two descriptors has something to read, or has ended (ppoll(2)).
     *
     * @param millis at most; negative: without limit
     * @return which one has, the first before the second; neither when the time ended the wait
     */
    public Ready awaitReadable(Fd first, Fd second, long millis) throws ErrnoException {
        Memory memory = MEMORY.get();
        long fds = memory.structure(32);
        memory.structure.putInt(0, first.number()).putShort(4, POLLIN);
        memory.structure.putInt(8, second.number()).putShort(12, POLLIN);
        memory.structure.putLong(16, millis / 1000).putLong(24, millis % 1000 * 1_000_000);
        long timeout = millis < 0 ? 0 : fds + 16;
        long n = syscalls.call(Call.PPOLL, fds, 2, timeout, 0, 0, 0);
        if (n == -Errno.EINTR) {
            return Ready.NEITHER;
        }
        checkResult(Call.PPOLL, n, "");
        if (memory.structure.getShort(6) != 0) {
            return Ready.FIRST;
        }
        return memory.structure.getShort(14) != 0 ? Ready.SECOND : Ready.NEITHER;
    }

    /** What {@link #awaitReadable} found. */
    public enum Ready {
        FIRST,
        SECOND,
        NEITHER
    }

    // ---- the machine ----

    /** Physical memory in bytes (sysinfo(2)). */
    public long totalRam() throws ErrnoException {
        Memory memory = MEMORY.get();
        checked(Call.SYSINFO, UnixPath.of(""), memory.structure(112), 0, 0, 0, 0);
        return memory.structure.getLong(32) * memory.structure.getInt(104);
    }

    /** Version of Landlock; 0 when the kernel has none or it is switched off. */
    public int landlockAbi() {
        long version = syscalls.call(
                Call.LANDLOCK_CREATE_RULESET, 0, 0, LANDLOCK_CREATE_RULESET_VERSION, 0, 0, 0);
        return version < 0 ? 0 : (int) version;
    }

    /** Whether keyctl(2) may be called here: KEYCTL_GET_KEYRING_ID of the session, not created. */
    public boolean hasKeyrings() {
        int sessionKeyring = -3;
        long id = syscalls.call(Call.KEYCTL, 0, sessionKeyring, 0, 0, 0, 0);
        return id >= 0;
    }

    // ---- results ----

    private void checkedFd(Call call, Fd fd, long arg) throws ErrnoException {
        checkResult(call, syscalls.call(call, fd.number(), arg, 0, 0, 0, 0), "");
    }

    private long checked(Call call, UnixPath subject, long a, long b, long c, long d, long e)
            throws ErrnoException {
        long result = syscalls.call(call, a, b, c, d, e, 0);
        if (result < 0) {
            throw new ErrnoException(call, (int) -result, subject.toString());
        }
        return result;
    }

    private static void checkResult(Call call, long result, String subject) throws ErrnoException {
        if (result < 0) {
            throw new ErrnoException(call, (int) -result, subject);
        }
    }

    /** One thread's memory for calls; native order. */
    private static final class Memory {
        private final ByteBuffer path = allocate(PATH_BYTES_MAX + 1);
        private final ByteBuffer structure = allocate(256);
        private final long pathAddress = NativeSyscalls.address(path);
        private final long structureAddress = NativeSyscalls.address(structure);
        private ByteBuffer bulk = allocate(0);
        private long bulkAddress;

        private static ByteBuffer allocate(int bytes) {
            return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        }

        /** A NUL-ended path; one too long for the buffer is too long for the kernel as well. */
        long path(UnixPath text) {
            path.clear();
            if (text.length() >= PATH_BYTES_MAX) {
                for (int i = 0; i < PATH_BYTES_MAX; i++) {
                    path.put((byte) 'x'); // ENAMETOOLONG
                }
                path.put((byte) 0);
            } else {
                text.copyTo(path);
            }
            return pathAddress;
        }

        long structure(int bytes) {
            structure.clear();
            for (int i = 0; i < bytes; i++) {
                structure.put(i, (byte) 0);
            }
            return structureAddress;
        }

        void put(long... members) {
            for (long member : members) {
                structure.putLong(member);
            }
        }

        long bulk() {
            if (bulk.capacity() == 0) {
                bulk = allocate(CHUNK_BYTES);
                bulkAddress = NativeSyscalls.address(bulk);
            }
            return bulkAddress;
        }

        long bulk(byte[] bytes, int at, int length) {
            long address = bulk();
            bulk.put(0, bytes, at, length);
            return address;
        }

        byte[] bulkBytes(int length) {
            byte[] copy = new byte[length];
            bulk.get(0, copy);
            return copy;
        }
    }
}
