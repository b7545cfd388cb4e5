package glove.sys;

import java.util.ArrayList;
import java.util.List;

/**
 * A kernel whose n-th call fails and which tells what was called. The test kit has one too, but it
 * depends on this module. Confined to one thread.
 */
final class FaultyKernel {
    final List<Call> made = new ArrayList<>();
    private final int nth;
    private final int errno;
    private int calls;

    /** Fails call number {@code nth}, from 1; close(2) is never failed nor counted. */
    FaultyKernel(int nth, int errno) {
        this.nth = nth;
        this.errno = errno;
    }

    /** The calls over it. */
    Linux linux() {
        Syscalls host = Syscalls.host();
        return new Linux((call, a, b, c, d, e, f) -> {
            made.add(call);
            if (call != Call.CLOSE && ++calls == nth) {
                return -errno;
            }
            return host.call(call, a, b, c, d, e, f);
        });
    }

    boolean fired() {
        return calls >= nth;
    }
}
