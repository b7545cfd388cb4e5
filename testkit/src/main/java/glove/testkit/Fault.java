package glove.testkit;

import glove.sys.Call;
import glove.sys.Errno;

/**
 * One way one call went wrong. Immutable.
 *
 * @param call which
 * @param nth of all that can fail, from 1
 * @param errno why, or {@link #SHORT}
 * @param site who made it: {@code Class.method}, the first above the module of system calls
 */
public record Fault(Call call, int nth, int errno, String site) {
    /** In place of an errno: it moved half of what it was given. */
    public static final int SHORT = 0;

    /** Whether nobody may notice: it is to be made again, or the rest of it is. */
    public boolean isToBeMended() {
        return errno == SHORT || errno == Errno.EINTR;
    }

    /** Its symbol: {@code EIO}. */
    public String symbol() {
        return errno == SHORT ? "short" : Errno.words(errno).split(" ", 2)[0];
    }

    @Override
    public String toString() {
        return "call " + nth + ", " + call.kernelName() + " of " + site + ": " + symbol();
    }
}
