package glove.testkit;

import glove.sys.Call;
import glove.sys.Syscalls;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that is killed: from its n-th call on nothing reaches the kernel any more, so that
 * nothing is cleaned up either. What it still tries ends with EIO; descriptors are closed, as the
 * kernel would. A write of many bytes may be cut anywhere. Thread-safe.
 */
public final class DyingSyscalls implements Syscalls {
    private static final int EIO = 5;
    private static final int NEVER = -1;

    private final Syscalls kernel;
    private final int last;
    private final int lastWriteBytes;
    private final AtomicInteger calls = new AtomicInteger();

    /** Dies before its call number {@code last}, counting from 1. */
    public DyingSyscalls(Syscalls kernel, int last) {
        this(kernel, last, NEVER);
    }

    /** Dies in the middle of that call, if it is a pwrite64: so many bytes are still written. */
    public DyingSyscalls(Syscalls kernel, int last, int lastWriteBytes) {
        this.kernel = kernel;
        this.last = last;
        this.lastWriteBytes = lastWriteBytes;
    }

    @Override
    public long call(Call call, long a, long b, long c, long d, long e, long f) {
        if (call == Call.CLOSE) {
            return kernel.call(call, a, b, c, d, e, f);
        }
        int now = calls.incrementAndGet();
        if (now < last) {
            return kernel.call(call, a, b, c, d, e, f);
        }
        if (now == last && call == Call.PWRITE64 && lastWriteBytes > 0) {
            kernel.call(call, a, b, Math.min(c, lastWriteBytes), d, e, f);
        }
        return -EIO;
    }

    /** Whether it is dead. */
    public boolean isDead() {
        return calls.get() >= last;
    }
}
