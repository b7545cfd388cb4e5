package glove.testkit;

import glove.sys.Call;
import glove.sys.Errno;

import java.util.Optional;

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

    /**
     * An AssertionError unless whoever used a store was told of what went wrong, in one sentence
     * with its symbol; or of nothing, when it is to be mended or was none.
     *
     * @param fault empty when there was none
     * @param done whether all that was asked for was done
     * @param told why not; empty when it was
     * @param others sentences that are as good: another answer that this errno is
     */
    public static void assertTold(
            Optional<Fault> fault, boolean done, String told, String... others) {
        if (fault.isEmpty() || fault.get().isToBeMended()) {
            require(done && told.isEmpty(), "fails by " + fault + ": " + told);
            return;
        }
        if (done) {
            require(told.isEmpty(), "is done, and told that it is not: " + told);
            return;
        }
        boolean good = told.contains(fault.get().symbol());
        for (String other : others) {
            good |= told.contains(other);
        }
        require(good, "does not tell " + fault.get() + ": " + told);
        require(told.lines().count() == 1 && !told.contains("Exception"), "no sentence: " + told);
    }

    private static void require(boolean right, String otherwise) {
        if (!right) {
            throw new AssertionError(otherwise);
        }
    }

    @Override
    public String toString() {
        return "call " + nth + ", " + call.kernelName() + " of " + site + ": " + symbol();
    }
}
