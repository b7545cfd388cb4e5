package glove.session.receipt;

import glove.wire.DigestWriter;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;

/**
 * What a session used. Numbers without sign: see {@link glove.wire.U64}. Immutable.
 *
 * @param cpuTimeMs of all processes together
 * @param peakMemoryBytes at one moment
 * @param peakPids processes and threads at one moment; u32
 * @param wallTimeMs from the release of the first process
 * @param diskBytes written
 * @param terminalOutputBytes printed
 */
public record ObservedUse(
        long cpuTimeMs,
        long peakMemoryBytes,
        int peakPids,
        long wallTimeMs,
        long diskBytes,
        long terminalOutputBytes) {
    static ObservedUse read(JsonFields fields) {
        ObservedUse read = new ObservedUse(
                fields.u64("cpu_time_ms"),
                fields.u64("peak_memory_bytes"),
                (int) fields.u32("peak_pids"),
                fields.u64("wall_time_ms"),
                fields.u64("disk_bytes"),
                fields.u64("terminal_output_bytes"));
        fields.end();
        return read;
    }

    void write(JsonWriter out) {
        out.beginObject()
                .unsigned("cpu_time_ms", cpuTimeMs)
                .unsigned("peak_memory_bytes", peakMemoryBytes)
                .unsigned("peak_pids", Integer.toUnsignedLong(peakPids))
                .unsigned("wall_time_ms", wallTimeMs)
                .unsigned("disk_bytes", diskBytes)
                .unsigned("terminal_output_bytes", terminalOutputBytes)
                .endObject();
    }

    void write(DigestWriter out) {
        out.u64(cpuTimeMs)
                .u64(peakMemoryBytes)
                .u32(peakPids)
                .u64(wallTimeMs)
                .u64(diskBytes)
                .u64(terminalOutputBytes);
    }
}
