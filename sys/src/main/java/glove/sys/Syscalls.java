package glove.sys;

/**
 * The seam below which the kernel is: one raw system call. Tests put an implementation here that
 * fails the n-th call. Implementations are thread-safe.
 */
public interface Syscalls {
    /**
     * Makes a call.
     *
     * @return its result, or the negative of an errno
     */
    long call(Call call, long a, long b, long c, long d, long e, long f);

    /** The real kernel; a {@link Bug} when the native library is not where it should be. */
    static Syscalls host() {
        NativeSyscalls.load();
        return NativeSyscalls.INSTANCE;
    }
}
