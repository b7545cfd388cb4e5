package glove.policy.session;

import glove.wire.DigestWriter;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;

/**
 * The six limits of a session, none of them zero (sheet 10, 1.1). Numbers without sign: see {@link
 * glove.wire.U64}. Immutable.
 *
 * @param cpuTimeMs of all processes together
 * @param memoryBytes at any moment
 * @param pids processes and threads at any moment
 * @param wallTimeMs from the release of the first process
 * @param diskBytes of all that is written
 * @param terminalOutputBytes of the session's terminal
 */
public record ResourceLimits(
        long cpuTimeMs,
        long memoryBytes,
        int pids,
        long wallTimeMs,
        long diskBytes,
        long terminalOutputBytes) {
    /** Reads the six members, and no other: the object may have more. */
    public static ResourceLimits read(JsonFields fields) {
        return new ResourceLimits(
                fields.positiveU64("cpu_time_ms"),
                fields.positiveU64("memory_bytes"),
                (int) fields.positiveU32("pids"),
                fields.positiveU64("wall_time_ms"),
                fields.positiveU64("disk_bytes"),
                fields.positiveU64("terminal_output_bytes"));
    }

    /** Writes the six members into an object that is open. */
    public void write(JsonWriter out) {
        out.unsigned("cpu_time_ms", cpuTimeMs)
                .unsigned("memory_bytes", memoryBytes)
                .unsigned("pids", Integer.toUnsignedLong(pids))
                .unsigned("wall_time_ms", wallTimeMs)
                .unsigned("disk_bytes", diskBytes)
                .unsigned("terminal_output_bytes", terminalOutputBytes);
    }

    /** Adds them to what a digest covers. */
    public void write(DigestWriter out) {
        out.u64(cpuTimeMs)
                .u64(memoryBytes)
                .u32(pids)
                .u64(wallTimeMs)
                .u64(diskBytes)
                .u64(terminalOutputBytes);
    }
}
