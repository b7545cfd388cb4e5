package glove.testkit;

import glove.sys.Call;
import glove.sys.Syscalls;

import java.util.List;
import java.util.Optional;

/**
 * A kernel whose n-th call fails in one of the {@linkplain FaultWays ways} it can, and which knows
 * who made that call. Thread-safe: guarded by itself, but for the calls themselves.
 */
public final class FaultyCalls implements Syscalls {
    private static final StackWalker STACK = StackWalker.getInstance();

    private final Syscalls kernel;
    private final int nth;
    private final int way;
    private int calls; // guarded by this, as what follows
    private int ways;
    private Optional<Fault> fault = Optional.empty();

    /** Fails call {@code nth}, from 1, in its way number {@code way}, from 0. */
    public FaultyCalls(Syscalls kernel, int nth, int way) {
        this.kernel = kernel;
        this.nth = nth;
        this.way = way;
    }

    @Override
    public long call(Call call, long a, long b, long c, long d, long e, long f) {
        Optional<Integer> errno = errno(call, isLong(c));
        if (errno.isEmpty()) {
            return kernel.call(call, a, b, c, d, e, f);
        }
        return errno.get() == Fault.SHORT
                ? kernel.call(call, a, b, Math.max(1, c / 2), d, e, f)
                : -errno.get();
    }

    /** What can be halved: a counter of eventfd(2) comes whole. */
    private static boolean isLong(long count) {
        return count > 1 && count != Long.BYTES;
    }

    private synchronized Optional<Integer> errno(Call call, boolean divisible) {
        List<Integer> all = FaultWays.of(call);
        if (all.isEmpty() || ++calls != nth) {
            return Optional.empty();
        }
        ways = all.size();
        if (way >= ways) {
            return Optional.empty();
        }
        int errno = all.get(way);
        fault = Optional.of(new Fault(call, nth, errno, site()));
        boolean noSuch = errno == Fault.SHORT && !(FaultWays.isMoving(call) && divisible);
        return noSuch ? Optional.empty() : Optional.of(errno);
    }

    private static String site() {
        return STACK.walk(frames -> frames.filter(frame -> isCaller(frame.getClassName()))
                .findFirst()
                .map(FaultyCalls::words)
                .orElse("unknown"));
    }

    private static boolean isCaller(String name) {
        return name.startsWith("glove.")
                && !name.startsWith("glove.sys.")
                && !name.startsWith("glove.testkit.");
    }

    private static String words(StackWalker.StackFrame frame) {
        String name = frame.getClassName();
        return name.substring(name.lastIndexOf('.') + 1) + "." + frame.getMethodName();
    }

    /** What went wrong; empty when there was no such call or no such way. */
    public synchronized Optional<Fault> fault() {
        return fault;
    }

    /** In how many ways the n-th call can fail; 0 when there was none. */
    public synchronized int ways() {
        return ways;
    }
}
