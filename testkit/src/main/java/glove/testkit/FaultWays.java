package glove.testkit;

import glove.sys.Call;
import glove.sys.Errno;

import java.util.List;

/** How a system call plausibly fails on users' machines, by its manual page. Stateless. */
public final class FaultWays {
    private static final List<Integer> NONE = List.of();
    private static final List<Integer> OPENING = List.of(
            Errno.EINTR,
            Errno.EMFILE,
            Errno.ENFILE,
            Errno.ENOMEM,
            Errno.EACCES,
            Errno.EPERM,
            Errno.EIO,
            Errno.ENOSYS);
    private static final List<Integer> READING = List.of(Fault.SHORT, Errno.EINTR, Errno.EIO);
    private static final List<Integer> WRITING =
            List.of(Fault.SHORT, Errno.EINTR, Errno.EIO, Errno.ENOSPC);
    private static final List<Integer> CHANGING =
            List.of(Errno.EINTR, Errno.EACCES, Errno.EROFS, Errno.ENOSPC, Errno.EIO);
    private static final List<Integer> MAKING =
            List.of(Errno.EINTR, Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM, Errno.EPERM);
    private static final List<Integer> ASKING = List.of(Errno.EINTR, Errno.EPERM, Errno.ENOSYS);
    private static final List<Integer> LOOKING =
            List.of(Errno.EINTR, Errno.EACCES, Errno.ENOMEM, Errno.EIO);
    private static final List<Integer> SYNCING = List.of(Errno.EIO, Errno.ENOSPC);
    private static final List<Integer> SENDING =
            List.of(Errno.EINTR, Errno.ENOMEM, Errno.ENOBUFS, Errno.EPIPE);

    private FaultWays() {}

    /**
     * The errnos of a call, {@link Fault#SHORT} among them. None for calls that cannot fail, and
     * for those that only give back, close(2) and wait4(2): not making them would be the leak.
     */
    public static List<Integer> of(Call call) {
        return switch (call) {
            case CLOSE, WAIT4, GETPID, GETUID, GETEUID, GETGID, GETEGID, UMASK, GETPGID -> NONE;
            case OPENAT, OPENAT2 -> OPENING;
            case READ, PREAD64, GETDENTS64, RECVFROM, SPLICE -> READING;
            case WRITE, PWRITE64, FTRUNCATE -> WRITING;
            case FSYNC, FDATASYNC -> SYNCING;
            case UNLINKAT, MKDIRAT, SYMLINKAT, RENAMEAT2, FCHMOD, FCHMODAT, FCHOWN -> CHANGING;
            case PIPE2,
                    SOCKETPAIR,
                    SOCKET,
                    MEMFD_CREATE,
                    DUP,
                    DUP3,
                    EVENTFD2,
                    EPOLL_CREATE1,
                    INOTIFY_INIT1,
                    PIDFD_OPEN,
                    ACCEPT4,
                    EXECVEAT -> MAKING;
            case RECVMSG, SENDMSG, SENDTO -> SENDING;
            case PPOLL, EPOLL_PWAIT -> List.of(Errno.EINTR, Errno.ENOMEM);
            case FLOCK -> List.of(Errno.EINTR, Errno.EAGAIN, Errno.ENOSYS);
            case NEWFSTATAT, STATFS, FSTATFS, READLINKAT, FACCESSAT, FACCESSAT2 -> LOOKING;
            case FCNTL -> List.of(Errno.EINTR, Errno.EMFILE);
            case IOCTL -> List.of(Errno.EINTR, Errno.EIO);
            default -> ASKING;
        };
    }

    /** Whether a call can move less than it was given. */
    static boolean isMoving(Call call) {
        return switch (call) {
            case READ, PREAD64, WRITE, PWRITE64, RECVFROM, SENDTO -> true;
            default -> false;
        };
    }
}
