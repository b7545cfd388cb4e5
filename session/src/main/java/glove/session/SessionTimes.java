package glove.session;

/**
 * When a session came where, in milliseconds since 1970, u64; 0 where it has not been. Immutable.
 *
 * @param startingAtMs what it runs in was made
 * @param runningAtMs its process was known
 * @param stoppingAtMs it was to end
 * @param finishedAtMs it had ended
 */
public record SessionTimes(
        long startingAtMs, long runningAtMs, long stoppingAtMs, long finishedAtMs) {
    /** It was never started. */
    public static final SessionTimes NONE = new SessionTimes(0, 0, 0, 0);

    /** The last of them before the end. */
    long latest() {
        return stoppingAtMs != 0 ? stoppingAtMs : runningAtMs != 0 ? runningAtMs : startingAtMs;
    }
}
