package glove.app;

import glove.policy.session.ExposureMode;
import glove.session.exposure.ExposureState;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonProblems;
import glove.wire.JsonValue;
import glove.wire.U64;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An exposure as a daemon tells of it (sheet 20, 4), read as strictly as it reads requests: who
 * serves the socket may be of another version, or broken. Immutable.
 *
 * @param exposureId its name
 * @param generation of that name; u64
 * @param state how it stands
 * @param label what the owner calls it; any text
 * @param expiresAtMs u64
 * @param scopeDigest what a grant must name
 * @param modes how it may be used
 * @param templates who may use it
 */
record ToldExposure(
        Id128 exposureId,
        long generation,
        ExposureState state,
        String label,
        long expiresAtMs,
        Digest scopeDigest,
        List<ExposureMode> modes,
        List<Id128> templates) {
    /** How many a daemon has at most. */
    static final int EXPOSURES_MAX = 1024;

    private static final int SCHEMA_VERSION = 1;
    private static final int PARTS_MAX = 64;
    private static final long CALENDAR_END_MS = 253_402_300_800_000L; // the year 10000

    /** Copies the lists. */
    ToldExposure {
        modes = List.copyOf(modes);
        templates = List.copyOf(templates);
    }

    /** All of an answer, by name and generation; empty when it is no such answer. */
    static Optional<List<ToldExposure>> all(JsonValue answer) {
        JsonProblems problems = JsonProblems.first();
        JsonFields fields = JsonFields.of(answer, problems);
        requireSchema(fields);
        List<ToldExposure> all = new ArrayList<>();
        for (JsonFields one : fields.objects("exposures", EXPOSURES_MAX)) {
            all.add(read(one));
        }
        fields.end();
        return problems.isEmpty() ? Optional.of(all) : Optional.empty();
    }

    /** The one of an answer; empty when it is no such answer. */
    static Optional<ToldExposure> one(JsonValue answer) {
        JsonProblems problems = JsonProblems.first();
        JsonFields fields = JsonFields.of(answer, problems);
        requireSchema(fields);
        ToldExposure one = read(fields.object("exposure"));
        fields.end();
        return problems.isEmpty() ? Optional.of(one) : Optional.empty();
    }

    private static void requireSchema(JsonFields fields) {
        if (fields.u8("schema_version") != SCHEMA_VERSION) {
            fields.problem("schema_version", "is another", "write " + SCHEMA_VERSION);
        }
    }

    private static ToldExposure read(JsonFields fields) {
        requireSchema(fields);
        ToldExposure read = new ToldExposure(
                fields.value("exposure_id", Id128.CLASS),
                fields.positiveU64("generation"),
                fields.value("state", ExposureState.CLASS),
                fields.string("display_label"),
                fields.u64("expires_at_ms"),
                fields.value("scope_digest", Digest.CLASS),
                ExposureMode.readAll(fields, "allowed_modes", PARTS_MAX),
                fields.values("allowed_runtime_template_ids", PARTS_MAX, Id128.CLASS));
        fields.end();
        return read;
    }

    /** As of the sheet of verbs: id, generation, state, label, end, digest. */
    String line() {
        return exposureId + " generation=" + U64.text(generation) + " state=" + state.word()
                + " label=" + label + " expires=" + time(expiresAtMs) + " scope_digest="
                + scopeDigest;
    }

    /** Times beyond what a calendar has are shown as the numbers they are. */
    static String time(long atMs) {
        boolean calendar = atMs >= 0 && atMs < CALENDAR_END_MS;
        return calendar ? Instant.ofEpochMilli(atMs).toString() : U64.text(atMs);
    }
}
