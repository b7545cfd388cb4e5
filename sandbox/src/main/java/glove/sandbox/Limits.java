package glove.sandbox;

/**
 * What one run may use, as it was asked for. Immutable.
 *
 * @param memoryBytes of all processes together
 * @param cpuMillis processor time, user and system, of all processes together
 * @param processes and threads at once, the agent's own first one included
 * @param wallMillis from the moment the agent is released
 * @param outputBytes written to standard output and standard error together
 */
public record Limits(
        long memoryBytes, long cpuMillis, long processes, long wallMillis, long outputBytes) {
    /** Stands for a limit that was not asked for. */
    public static final long NONE = Long.MAX_VALUE;

    /** None of them. */
    public static Limits none() {
        return new Limits(NONE, NONE, NONE, NONE, NONE);
    }

    /** Whether one was asked for whose use must be measured. */
    boolean metered() {
        return memoryBytes != NONE || cpuMillis != NONE || processes != NONE;
    }
}
