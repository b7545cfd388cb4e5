package glove.testkit;

import glove.sys.Syscalls;

import java.io.IOException;

/**
 * For n = 1, 2, ... until there is no n-th call: an operation is made once for each way its n-th
 * call can fail. Counts what it covered. Confined to one thread.
 */
public final class FaultLoop {
    private static final int CALLS_MAX = 20_000;

    private final Syscalls kernel;
    private int calls;
    private int points;

    /** Over a kernel, the real one mostly. */
    public FaultLoop(Syscalls kernel) {
        this.kernel = kernel;
    }

    /** What is done under faults. */
    public interface Trial {
        /** Does it, and throws an AssertionError when it went as it must not. */
        void with(FaultyCalls calls) throws Exception;
    }

    /** Runs it to the end. */
    public FaultLoop run(Trial trial) throws Exception {
        return run(trial, Integer.MAX_VALUE);
    }

    /**
     * The same, in fewer ways for what takes long: the first ones of a call, which are the most
     * usual, and one of the others in turn.
     */
    public FaultLoop run(Trial trial, int waysMax) throws Exception {
        for (int nth = 1; nth <= CALLS_MAX; nth++) {
            FaultyCalls first = attempt(trial, nth, 0);
            if (first.ways() == 0) {
                return this;
            }
            calls++;
            points++;
            int more = Math.min(first.ways(), waysMax) - 1;
            for (int i = 1; i <= more; i++) {
                int way = more < first.ways() - 1 ? 1 + (nth + i) % (first.ways() - 1) : i;
                // A call that depends on time may be another the next time: then so is its way.
                points += attempt(trial, nth, way).fault().isPresent() ? 1 : 0;
            }
        }
        throw new IOException("no end after " + CALLS_MAX + " calls");
    }

    private FaultyCalls attempt(Trial trial, int nth, int way) throws Exception {
        FaultyCalls faulty = new FaultyCalls(kernel, nth, way);
        try {
            trial.with(faulty);
        } catch (AssertionError e) {
            throw new AssertionError("after " + faulty.fault() + " (call " + nth + "): " + e, e);
        }
        return faulty;
    }

    /**
     * Says what it covered, and fails unless that is what {@linkplain FaultTable the table} says.
     *
     * @param loop its row there
     */
    public void requireRow(String loop) throws IOException {
        FaultTable.require(loop, calls, points);
    }

    /** How many calls the operation makes that can fail. */
    public int calls() {
        return calls;
    }

    /** How many times something went wrong. */
    public int points() {
        return points;
    }
}
