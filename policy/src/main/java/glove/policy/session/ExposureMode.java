package glove.policy.session;

import glove.wire.DigestWriter;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;
import glove.wire.U64;
import glove.wire.WordClass;

import java.util.ArrayList;
import java.util.List;

/**
 * One way to use what is exposed (sheet 50, 2). Only three of all combinations mean something;
 * anything can be written, so ask {@link #isValid}. Immutable.
 *
 * @param maxBytes quota of a copy, 0 where nothing is written; u64
 */
public record ExposureMode(
        Access access, Materialization materialization, long maxBytes, CleanupPolicy cleanup)
        implements Comparable<ExposureMode> {
    /** The least quota of a copy that is kept: it is a filesystem image of its own. */
    public static final long RETAINED_BYTES_LEAST = 32L << 20;

    /** How many may be allowed at once. */
    public static final int MODES_MAX = 8;

    private static final WordClass<Access> ACCESSES =
            WordClass.of(new Access[] {Access.READ, Access.EPHEMERAL_WRITE, Access.RETAINED_WRITE});
    private static final WordClass<Materialization> MATERIALIZATIONS =
            WordClass.of(new Materialization[] {
                Materialization.BIND, Materialization.GIT_WORKTREE, Materialization.COPY
            });

    /** The way a grant asks for. */
    public static ExposureMode of(PathGrant.Terms terms) {
        return new ExposureMode(
                terms.access(), terms.materialization(), terms.maxBytes(), terms.cleanup());
    }

    /** Whether it is one of the three. */
    public boolean isValid() {
        return switch (access) {
            case READ -> is(Materialization.BIND, CleanupPolicy.RETAIN) && maxBytes == 0;
            case EPHEMERAL_WRITE -> is(Materialization.COPY, CleanupPolicy.REMOVE) && maxBytes != 0;
            case RETAINED_WRITE ->
                is(Materialization.COPY, CleanupPolicy.RETAIN)
                        && !U64.isLess(maxBytes, RETAINED_BYTES_LEAST);
            case DIRECT_WRITE -> false;
        };
    }

    private boolean is(Materialization expected, CleanupPolicy end) {
        return materialization == expected && cleanup == end;
    }

    /** What to write for this access; for messages. */
    static String words(Access access) {
        return switch (access) {
            case READ -> "read, bind, max_bytes 0, retain";
            case EPHEMERAL_WRITE -> "ephemeral_write, copy, max_bytes from 1, remove";
            case RETAINED_WRITE ->
                "retained_write, copy, max_bytes from " + RETAINED_BYTES_LEAST + ", retain";
            case DIRECT_WRITE -> "read, ephemeral_write or retained_write";
        };
    }

    /** Whether a request for it is within this: the same but for a quota that is no larger. */
    public boolean covers(ExposureMode wanted) {
        return access == wanted.access
                && materialization == wanted.materialization
                && cleanup == wanted.cleanup
                && U64.compare(wanted.maxBytes, maxBytes) <= 0;
    }

    /** In the order digests have them: by the codes of their parts. */
    @Override
    public int compareTo(ExposureMode other) {
        int order = Integer.compare(access.code(), other.access.code());
        if (order == 0) {
            order = Integer.compare(materialization.code(), other.materialization.code());
        }
        if (order == 0) {
            order = U64.compare(maxBytes, other.maxBytes);
        }
        return order == 0 ? Integer.compare(cleanup.code(), other.cleanup.code()) : order;
    }

    /** As people read it. */
    @Override
    public String toString() {
        return access.word() + " (" + materialization.word() + ", max_bytes " + U64.text(maxBytes)
                + ", " + cleanup.word() + ")";
    }

    /** Reads an object that has these members and no other, in one of the accepted spellings. */
    static ExposureMode read(JsonFields fields) {
        ExposureMode read = new ExposureMode(
                fields.value("access", ACCESSES),
                fields.value("materialization", MATERIALIZATIONS),
                fields.u64("max_bytes"),
                fields.value("cleanup_policy", CleanupPolicy.CLASS));
        fields.end();
        return read;
    }

    /** Reads an array of at most so many, as it is written. */
    public static List<ExposureMode> readAll(JsonFields fields, String name, int most) {
        List<ExposureMode> modes = new ArrayList<>();
        for (JsonFields object : fields.objects(name, most)) {
            modes.add(read(object));
        }
        return modes;
    }

    /** Writes it as a value. */
    public void write(JsonWriter out) {
        out.beginObject()
                .member("access", access.word())
                .member("materialization", materialization.word())
                .unsigned("max_bytes", maxBytes)
                .member("cleanup_policy", cleanup.word())
                .endObject();
    }

    /** Adds it to what a digest covers. */
    void write(DigestWriter out) {
        out.u8(access.code()).u8(materialization.code()).u64(maxBytes).u8(cleanup.code());
    }
}
