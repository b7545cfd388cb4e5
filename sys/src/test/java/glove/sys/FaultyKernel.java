package glove.sys;

import java.util.ArrayList;
import java.util.List;

/**
 * A kernel whose n-th call fails and which counts what stays open. The test kit has one too, but it
 * depends on this module. Confined to one thread.
 */
final class FaultyKernel implements Syscalls {
    final List<Call> made = new ArrayList<>();
    private final int nth;
    private final int errno;
    private int calls;

    /** Fails call number {@code nth}, from 1; close(2) is never failed nor counted. */
    FaultyKernel(int nth, int errno) {
        this.nth = nth;
        this.errno = errno;
    }

    @Override
    public long call(Call call, long a, long b, long c, long d, long e, long f) {
        made.add(call);
        if (call != Call.CLOSE && ++calls == nth) {
            return -errno;
        }
        return Syscalls.host().call(call, a, b, c, d, e, f);
    }

    boolean fired() {
        return calls >= nth;
    }
}
