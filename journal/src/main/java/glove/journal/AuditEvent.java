package glove.journal;

/**
 * One line of an audit log: what was done, to what, and how it ended (sheet 90 §8.1).
 *
 * @param action {@code agent_launch}, {@code agent_exit} and so on
 * @param tool what it was done to: a program, an exit code, a destination
 * @param arguments a digest of the arguments, or empty
 * @param status {@code ok} or the kind of failure
 * @param error why it failed, or empty
 * @param timestampNanos wall clock since the epoch
 * @param latencyNanos how long it took, 0 where that means nothing
 */
public record AuditEvent(
        String action,
        String tool,
        String arguments,
        String status,
        String error,
        long timestampNanos,
        long latencyNanos) {}
