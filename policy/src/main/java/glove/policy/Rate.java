package glove.policy;

/**
 * How often: a bucket of so many calls, which fills up evenly in so many seconds. Immutable.
 *
 * @param calls at once, when none was made for long
 * @param seconds in which as many become possible again
 */
record Rate(int calls, int seconds) {
    /** With these two, calls times nanoseconds fit a long. */
    static final int CALLS_MAX = 100_000;

    static final int SECONDS_MAX = 86_400;

    Rate {
        if (calls < 1 || calls > CALLS_MAX || seconds < 1 || seconds > SECONDS_MAX) {
            throw new IllegalArgumentException("no rate");
        }
    }

    @Override
    public String toString() {
        return calls + (calls == 1 ? " call in " : " calls in ") + seconds + " s";
    }
}
