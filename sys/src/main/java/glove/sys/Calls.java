package glove.sys;

/**
 * What all typed calls share: the seam below them and how a result becomes a value or an
 * exception. {@link Linux} is one type for its users; its methods stand in one class per family,
 * each extending the one before, because a single file of them is too long to read.
 */
abstract class Calls {
    static final int AT_FDCWD = -100;
    static final int AT_SYMLINK_NOFOLLOW = 0x100;
    static final int AT_EACCESS = 0x200;
    static final int AT_EMPTY_PATH = 0x1000;

    private final Syscalls syscalls;

    Calls(Syscalls syscalls) {
        this.syscalls = syscalls;
    }

    /** The seam itself, for calls that have no method here. */
    public Syscalls syscalls() {
        return syscalls;
    }

    static int number(Fd fd) {
        // No pattern switch: its first use costs 40 ms.
        return fd instanceof OwnedFd owned ? owned.number() : ((BorrowedFd) fd).number();
    }

    OwnedFd own(long fd) {
        return new OwnedFd(syscalls, (int) fd);
    }

    /** A call with up to five arguments; the subject goes into the exception. */
    final long checked(Call call, Object subject, long... args) throws ErrnoException {
        long result = raw(call, args);
        if (result < 0) {
            throw new ErrnoException(call, (int) -result, subject.toString());
        }
        return result;
    }

    /** One that an interrupting signal ends: who calls it knows what then is left to do. */
    final long checkedOnce(Call call, Object subject, long... args) throws ErrnoException {
        long result = once(call, args);
        if (result < 0) {
            throw new ErrnoException(call, (int) -result, subject.toString());
        }
        return result;
    }

    /**
     * Its result or the negative of an errno. Made again while a signal interrupts it: a filesystem
     * of the network or of a user's program answers any call on a file with EINTR (fuse(4),
     * nfs(5)), and none of those has done half of what it was asked.
     */
    final long raw(Call call, long... args) {
        long result;
        do {
            result = once(call, args);
        } while (result == -Errno.EINTR);
        return result;
    }

    /** The same, but EINTR is an answer. */
    final long once(Call call, long... args) {
        return syscalls.call(
                call, at(args, 0), at(args, 1), at(args, 2), at(args, 3), at(args, 4), at(args, 5));
    }

    private static long at(long[] args, int index) {
        return index < args.length ? args[index] : 0;
    }
}
