package glove.session.receipt;

import glove.wire.DigestWriter;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;

/**
 * What held a session to its limits. That of wall time is always a watchdog, that of the disk a
 * quota of the filesystem, that of the terminal a counter of bytes. Immutable.
 *
 * @param cpuTime of all processes
 * @param memory of all processes
 * @param pids of processes
 */
public record Mechanisms(Holder cpuTime, Holder memory, Holder pids) {
    /** Of a session that a control group held. */
    public static final Mechanisms CGROUP =
            new Mechanisms(Holder.CGROUP_V2, Holder.CGROUP_V2, Holder.CGROUP_V2);

    private static final String WALL_TIME = "watchdog";
    private static final String DISK = "filesystem_quota";
    private static final String TERMINAL = "byte_counter";
    private static final int RECEIPT_SCHEMA = 1;

    static Mechanisms read(JsonFields fields) {
        Mechanisms read = new Mechanisms(
                fields.value("cpu_time", Holder.CLASS),
                fields.value("memory", Holder.CLASS),
                fields.value("pids", Holder.CLASS));
        Fixed.string(fields, "wall_time", WALL_TIME);
        Fixed.string(fields, "disk", DISK);
        Fixed.string(fields, "terminal_output", TERMINAL);
        Fixed.u8(fields, "receipt_schema_version", RECEIPT_SCHEMA);
        fields.end();
        return read;
    }

    void write(JsonWriter out) {
        out.beginObject()
                .member("cpu_time", cpuTime.word())
                .member("memory", memory.word())
                .member("pids", pids.word())
                .member("wall_time", WALL_TIME)
                .member("disk", DISK)
                .member("terminal_output", TERMINAL)
                .member("receipt_schema_version", RECEIPT_SCHEMA)
                .endObject();
    }

    void write(DigestWriter out) {
        out.string(cpuTime.word())
                .string(memory.word())
                .string(pids.word())
                .string(WALL_TIME)
                .string(DISK)
                .string(TERMINAL)
                .u8(RECEIPT_SCHEMA);
    }
}
