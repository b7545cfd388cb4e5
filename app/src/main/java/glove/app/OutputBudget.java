package glove.app;

import glove.sandbox.Amounts;
import glove.sandbox.Limit;
import glove.sandbox.LimitHit;
import glove.sandbox.Limits;

/**
 * How much the agent may still write. Exactly the limit is legal; what is beyond it is not passed
 * on, and ends the run. Confined to the run's thread.
 */
final class OutputBudget {
    private final long limit;
    private long used;
    private boolean exceeded;

    /** @param limit in bytes, or {@link Limits#NONE} */
    OutputBudget(long limit) {
        this.limit = limit;
    }

    /** Whether output is to be counted at all. */
    boolean counts() {
        return limit != Limits.NONE;
    }

    /**
     * Counts what was written.
     *
     * @return how much of it may be passed on
     */
    int allow(int bytes) {
        long allowed = Math.min(bytes, limit - used);
        used += allowed;
        exceeded |= allowed < bytes;
        return (int) allowed;
    }

    /** Whether more was written than was allowed. */
    boolean isExceeded() {
        return exceeded;
    }

    Verdict verdict() {
        LimitHit hit = new LimitHit(
                Limit.OUTPUT, "counting", "more than " + Amounts.size(limit) + " was written");
        return new Verdict(hit.limit().exitStatus(), hit.sentence());
    }
}
