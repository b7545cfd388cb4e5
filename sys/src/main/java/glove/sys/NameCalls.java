package glove.sys;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Calls on names in directories: see {@link Linux}. */
abstract class NameCalls extends TerminalCalls {
    private static final int FDINFO_BYTES_MAX = 4096;
    private static final String MOUNT_ID = "mnt_id:";

    public static final int X_OK = 1;
    public static final int W_OK = 2;
    public static final int R_OK = 4;
    public static final int AT_REMOVEDIR = 0x200;
    public static final int RENAME_NOREPLACE = 1;
    public static final int RENAME_EXCHANGE = 2;

    NameCalls(Syscalls syscalls) {
        super(syscalls);
    }

    /** stat(2): follows links. */
    public Stat stat(UnixPath path) throws ErrnoException {
        return stat(AT_FDCWD, path, 0);
    }

    /** lstat(2): does not follow a link at the end. */
    public Stat lstat(UnixPath path) throws ErrnoException {
        return stat(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW);
    }

    /** fstatat(2) from a directory, not following a link at the end. */
    public Stat lstatat(Fd dir, UnixPath path) throws ErrnoException {
        return stat(number(dir), path, AT_SYMLINK_NOFOLLOW);
    }

    /** lstat(2); empty when there is no such file, or the way to it is closed. */
    public Optional<Stat> lstatIfPresent(UnixPath path) throws ErrnoException {
        try {
            return Optional.of(lstat(path));
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT
                    || e.errno() == Errno.ENOTDIR
                    || e.errno() == Errno.EACCES) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** readlink(2). */
    public UnixPath readlink(UnixPath path) throws ErrnoException {
        return readlinkat(AT_FDCWD, path);
    }

    /** readlinkat(2) from a directory; of an O_PATH descriptor of a link with an empty path. */
    public UnixPath readlinkat(Fd dir, UnixPath path) throws ErrnoException {
        return readlinkat(number(dir), path);
    }

    private UnixPath readlinkat(int dir, UnixPath path) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long name = memory.path(path);
        long n =
                checked(Call.READLINKAT, path, dir, name, memory.bulk(), CallMemory.PATH_BYTES_MAX);
        return UnixPath.of(memory.bulkBytes((int) n));
    }

    /** Where an open file is, by /proc/self/fd: absolute and without links. */
    public UnixPath pathOf(Fd fd) throws ErrnoException {
        return readlink(UnixPath.of("/proc/self/fd/" + number(fd)));
    }

    /** The file of a descriptor opened once more (proc_pid_fd(5)), with flags of its own. */
    public OwnedFd openAgain(Fd fd, int flags) throws ErrnoException {
        return open(UnixPath.of("/proc/self/fd/" + number(fd)), flags, 0);
    }

    /** Which mount a descriptor was opened on (proc_pid_fdinfo(5), mnt_id). */
    public String mountOf(Fd fd) throws ErrnoException {
        UnixPath info = UnixPath.of("/proc/self/fdinfo/" + number(fd));
        String text = new String(readFile(info, FDINFO_BYTES_MAX), StandardCharsets.US_ASCII);
        int at = text.indexOf(MOUNT_ID);
        int end = at < 0 ? at : text.indexOf('\n', at);
        return end < 0 ? "" : text.substring(at + MOUNT_ID.length(), end).strip();
    }

    /** A path as text, seen from the root: the working directory in front of a relative one. */
    public UnixPath absolute(UnixPath path) throws ErrnoException {
        return path.isAbsolute()
                ? path.normalize()
                : readlink(UnixPath.of("/proc/self/cwd")).resolve(path).normalize();
    }

    /** All names in a directory but {@code .} and {@code ..}, in the kernel's order. */
    public List<DirEntry> listDirectory(UnixPath path) throws ErrnoException {
        try (OwnedFd fd = open(path, OpenFlags.O_DIRECTORY, 0)) {
            return listDirectory(fd, path);
        }
    }

    /** The same of an open directory, from its offset on, which moves to the end. */
    public List<DirEntry> listDirectory(Fd directory) throws ErrnoException {
        return listDirectory(directory, "");
    }

    private List<DirEntry> listDirectory(Fd fd, Object subject) throws ErrnoException {
        List<DirEntry> entries = new ArrayList<>();
        boolean more = true;
        while (more) {
            more = addSome(fd, subject, entries);
        }
        return entries;
    }

    /**
     * The next names of an open directory, as many as one call tells: for who must not hold all of
     * a directory that others filled. None when there are no more.
     */
    public List<DirEntry> nextEntries(Fd directory) throws ErrnoException {
        List<DirEntry> entries = new ArrayList<>();
        boolean more = true;
        while (more && entries.isEmpty()) { // a call may tell the dots alone
            more = addSome(directory, "", entries);
        }
        return entries;
    }

    /** False when there are no more. */
    private boolean addSome(Fd fd, Object subject, List<DirEntry> entries) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long n = checked(
                Call.GETDENTS64, subject, number(fd), memory.bulk(), CallMemory.CHUNK_BYTES);
        addEntries(memory.bulkBytes((int) n), entries);
        return n > 0;
    }

    private static void addEntries(byte[] records, List<DirEntry> entries) {
        int at = 0;
        while (at < records.length) {
            int start = at + Layouts.DIRENT64_NAME;
            int end = start;
            while (records[end] != 0) {
                end++;
            }
            byte[] name = Arrays.copyOfRange(records, start, end);
            boolean dots =
                    name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
            if (!dots) {
                entries.add(new DirEntry(UnixPath.of(name), records[at + Layouts.DIRENT64_TYPE]));
            }
            int length = at + Layouts.DIRENT64_RECLEN;
            at += (records[length] & 0xff) | (records[length + 1] & 0xff) << 8;
        }
    }

    /** Whether this process, with its effective ids, may execute a file. */
    public boolean isExecutable(UnixPath path) {
        return isAccessible(path, X_OK);
    }

    /**
     * faccessat2(2) with the effective ids: R_OK, W_OK, X_OK. Where a filter older than that call
     * refuses it, with the real ids, which in Glove are the same.
     */
    public boolean isAccessible(UnixPath path, int mode) {
        return accessErrno(path, mode) == 0;
    }

    /** The same, and why not: 0, or the errno. */
    public int accessErrno(UnixPath path, int mode) {
        long address = CallMemory.get().path(path);
        long result = raw(Call.FACCESSAT2, AT_FDCWD, address, mode, AT_EACCESS);
        boolean refused = result == -Errno.ENOSYS || result == -Errno.EPERM;
        return (int) -(refused ? raw(Call.FACCESSAT, AT_FDCWD, address, mode) : result);
    }

    /** chmod(2) of an open file, also by an O_PATH descriptor, which fchmod(2) does not take. */
    public void chmodOpened(Fd fd, int mode) throws ErrnoException {
        UnixPath magicLink = UnixPath.of("/proc/self/fd/" + number(fd));
        checked(Call.FCHMODAT, "", AT_FDCWD, CallMemory.get().path(magicLink), mode);
    }

    /** unlinkat(2); with AT_REMOVEDIR an empty directory. */
    public void unlinkat(Fd dir, UnixPath path, int flags) throws ErrnoException {
        checked(Call.UNLINKAT, path, number(dir), CallMemory.get().path(path), flags);
    }

    /** mkdirat(2); the umask takes from the mode. */
    public void mkdirat(Fd dir, UnixPath path, int mode) throws ErrnoException {
        checked(Call.MKDIRAT, path, number(dir), CallMemory.get().path(path), mode);
    }

    /** renameat2(2). */
    public void renameat2(Fd fromDir, UnixPath from, Fd toDir, UnixPath to, int flags)
            throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long source = memory.path(from);
        long target = memory.secondPath(to);
        checked(Call.RENAMEAT2, from, number(fromDir), source, number(toDir), target, flags);
    }

    /** inotify_add_watch(2) on a path whose last name is no link; the number of the watch. */
    public int inotifyAddWatch(Fd inotify, UnixPath path, int events) throws ErrnoException {
        int how = events | 0x02000000; // IN_DONT_FOLLOW
        long name = CallMemory.get().path(path);
        return (int) checked(Call.INOTIFY_ADD_WATCH, path, number(inotify), name, how);
    }

    /** statfs(2): the magic number of the filesystem (linux/magic.h), 32 bits without sign. */
    public long statfsType(UnixPath path) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        checked(Call.STATFS, path, memory.path(path), memory.structure(Layouts.STATFS_SIZE));
        return memory.structure().getLong(Layouts.STATFS_TYPE) & 0xffffffffL;
    }
}
