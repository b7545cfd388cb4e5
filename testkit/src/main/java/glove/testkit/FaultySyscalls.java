package glove.testkit;

import glove.sys.Call;
import glove.sys.Syscalls;

/**
 * A kernel whose n-th call fails. The standard test is a loop: for n = 1, 2, ... until {@link
 * #fired} says no, run the operation and check that it failed as it should and left nothing.
 * Confined to one thread.
 */
public final class FaultySyscalls implements Syscalls {
    private final Syscalls kernel;
    private final int nth;
    private final int errno;
    private int calls;

    /**
     * Fails call number {@code nth}, counting from 1, with an errno. Calls that only give back,
     * close and wait4, are never failed: not making them would be the leak.
     */
    public FaultySyscalls(Syscalls kernel, int nth, int errno) {
        this.kernel = kernel;
        this.nth = nth;
        this.errno = errno;
    }

    @Override
    public long call(Call call, long a, long b, long c, long d, long e, long f) {
        if (call != Call.CLOSE && call != Call.WAIT4 && ++calls == nth) {
            return -errno;
        }
        return kernel.call(call, a, b, c, d, e, f);
    }

    /** Whether there was an n-th call. */
    public boolean fired() {
        return calls >= nth;
    }
}
