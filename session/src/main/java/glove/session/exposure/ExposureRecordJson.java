package glove.session.exposure;

import glove.journal.RecordException;
import glove.policy.session.ExposureMode;
import glove.policy.session.ExposureOffer;
import glove.policy.session.HostPath;
import glove.session.exposure.ExposureRecord.Created;
import glove.session.exposure.ExposureRecord.Described;
import glove.session.exposure.ExposureRecord.Head;
import glove.session.exposure.ExposureRecord.Revoked;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonWriter;
import glove.wire.U64;

import java.util.List;

/**
 * Records of the exposure journal as JSON: written canonically, read strictly. A record has the
 * members of both kinds; those of the other kind are blank. Stateless.
 */
final class ExposureRecordJson {
    static final int RECORD_BYTES_MAX = 64 << 10;

    /** Around each record: its length in front of it and behind it. */
    static final int FRAME_BYTES = 2 * Integer.BYTES;

    /** A revocation of the shortest name, with everything else as long as it can be. */
    private static final int REVOCATION_BYTES_MAX = FRAME_BYTES
            + encode(new Revoked(
                            new Head(
                                    U64.MAX,
                                    new Id128("-".repeat(Id128.BYTES_MAX)),
                                    Digest.ZERO,
                                    Digest.ZERO,
                                    Digest.ZERO),
                            new ExposureKey(new Id128("-"), U64.MAX),
                            ExposureState.REVOKED,
                            U64.MAX))
                    .length;

    private static final JsonLimits LIMITS = JsonLimits.FILE.withBytesMax(RECORD_BYTES_MAX);

    private ExposureRecordJson() {}

    /** How long the record that takes this back can be at most, with its frame. */
    static int revocationBytesMax(ExposureKey key) {
        return REVOCATION_BYTES_MAX + key.exposureId().text().length() - 1;
    }

    static byte[] encode(ExposureRecord record) {
        JsonWriter out = JsonWriter.canonical().beginObject();
        Head head = record.head();
        out.member("schema_version", ExposureRecord.SCHEMA_VERSION)
                .unsigned("sequence", head.sequence());
        switch (record) {
            case Created created -> {
                out.member("kind", Created.KIND);
                describe(out, created.what());
                request(
                        out,
                        head,
                        created.hostPath().text(),
                        created.parentIdentity().hex());
                end(out, new End("", 0, "", 0));
            }
            case Revoked revoked -> {
                out.member("kind", Revoked.KIND);
                describeNothing(out);
                request(out, head, "", "");
                end(
                        out,
                        new End(
                                revoked.key().exposureId().text(),
                                revoked.key().generation(),
                                revoked.state().word(),
                                revoked.revokedAtMs()));
            }
        }
        return out.member("previous_hash", head.previousHash().hex())
                .member("record_hash", head.recordHash().hex())
                .endObject()
                .toBytes();
    }

    private static void describe(JsonWriter out, Described what) {
        out.name("descriptor")
                .beginObject()
                .member("schema_version", ExposureRecord.SCHEMA_VERSION)
                .member("exposure_id", what.key().exposureId().text())
                .unsigned("generation", what.key().generation())
                .member("root_id", what.rootId().text())
                .member("source_identity_digest", what.source().hex())
                .member("scope_digest", what.scopeDigest().hex())
                .member("display_label", what.label())
                .name("allowed_modes")
                .beginArray();
        what.modes().forEach(mode -> mode.write(out));
        out.endArray()
                .unsigned("expires_at_ms", what.expiresAtMs())
                .name("allowed_runtime_template_ids")
                .beginArray();
        what.templates().forEach(template -> out.value(template.text()));
        out.endArray().member("state", ExposureState.ACTIVE.word()).endObject();
    }

    private static void describeNothing(JsonWriter out) {
        out.name("descriptor")
                .beginObject()
                .member("schema_version", 0)
                .member("exposure_id", "")
                .member("generation", 0)
                .member("root_id", "")
                .member("source_identity_digest", "")
                .member("scope_digest", "")
                .member("display_label", "")
                .name("allowed_modes")
                .beginArray()
                .endArray()
                .member("expires_at_ms", 0)
                .name("allowed_runtime_template_ids")
                .beginArray()
                .endArray()
                .member("state", "")
                .endObject();
    }

    private static void request(JsonWriter out, Head head, String hostPath, String parent) {
        out.member("request_id", head.requestId().text())
                .member("request_digest", head.requestDigest().hex())
                .member("host_path", hostPath)
                .member("parent_identity_digest", parent);
    }

    /** What a revocation says; blank otherwise. */
    private record End(String exposureId, long generation, String state, long revokedAtMs) {}

    private static void end(JsonWriter out, End end) {
        out.member("exposure_id", end.exposureId)
                .unsigned("generation", end.generation)
                .member("state", end.state)
                .unsigned("revoked_at_ms", end.revokedAtMs);
    }

    static ExposureRecord decode(byte[] payload) throws RecordException {
        JsonProblems problems = JsonProblems.first();
        JsonFields in;
        try {
            in = JsonFields.of(JsonText.value(payload, LIMITS).root(), problems);
        } catch (JsonException e) {
            throw new RecordException("is no JSON: " + e.getMessage());
        }
        int schema = in.u8("schema_version");
        if (schema != ExposureRecord.SCHEMA_VERSION) {
            in.problem("schema_version", "is " + schema, "use the build that wrote it");
        }
        long sequence = in.u64("sequence");
        String kind = in.string("kind");
        if (!kind.equals(Created.KIND) && !kind.equals(Revoked.KIND)) {
            in.problem("kind", "is none of this build", "use the build that wrote it");
        }
        ExposureRecord record =
                kind.equals(Created.KIND) ? readCreated(in, sequence) : readRevoked(in, sequence);
        in.end();
        if (!problems.isEmpty()) {
            throw new RecordException("is none of this journal's: " + problems.firstInWords());
        }
        return record;
    }

    private static ExposureRecord readCreated(JsonFields in, long sequence) {
        Described what = readDescribed(in.object("descriptor"));
        Id128 requestId = in.value("request_id", Id128.CLASS);
        Digest requestDigest = in.value("request_digest", Digest.CLASS);
        HostPath hostPath = in.value("host_path", HostPath.CLASS);
        Digest parent = in.value("parent_identity_digest", Digest.CLASS);
        blank(in, "exposure_id");
        zero(in, "generation", in.u64("generation"));
        blank(in, "state");
        zero(in, "revoked_at_ms", in.u64("revoked_at_ms"));
        Head head = readHead(in, sequence, requestId, requestDigest);
        return new Created(head, what, hostPath, parent);
    }

    private static Described readDescribed(JsonFields in) {
        int schema = in.u8("schema_version");
        if (schema != ExposureRecord.SCHEMA_VERSION) {
            in.problem("schema_version", "is " + schema, "use the build that wrote it");
        }
        ExposureKey key =
                new ExposureKey(in.value("exposure_id", Id128.CLASS), in.u64("generation"));
        Id128 rootId = in.value("root_id", Id128.CLASS);
        Digest source = in.value("source_identity_digest", Digest.CLASS);
        Digest scope = in.value("scope_digest", Digest.CLASS);
        String label = in.string("display_label");
        List<ExposureMode> modes =
                ExposureMode.readAll(in, "allowed_modes", ExposureMode.MODES_MAX);
        long expires = in.u64("expires_at_ms");
        List<Id128> templates =
                in.values("allowed_runtime_template_ids", ExposureOffer.TEMPLATES_MAX, Id128.CLASS);
        if (in.value("state", ExposureState.CLASS) != ExposureState.ACTIVE) {
            in.problem("state", "is not active in what was just exposed", "");
        }
        in.end();
        return new Described(key, rootId, source, scope, label, modes, expires, templates);
    }

    private static ExposureRecord readRevoked(JsonFields in, long sequence) {
        readNothing(in.object("descriptor"));
        Id128 requestId = in.value("request_id", Id128.CLASS);
        Digest requestDigest = in.value("request_digest", Digest.CLASS);
        blank(in, "host_path");
        blank(in, "parent_identity_digest");
        ExposureKey key =
                new ExposureKey(in.value("exposure_id", Id128.CLASS), in.u64("generation"));
        ExposureState state = in.value("state", ExposureState.CLASS);
        long revokedAt = in.u64("revoked_at_ms");
        Head head = readHead(in, sequence, requestId, requestDigest);
        return new Revoked(head, key, state, revokedAt);
    }

    private static Head readHead(JsonFields in, long sequence, Id128 id, Digest digest) {
        return new Head(
                sequence,
                id,
                digest,
                in.value("previous_hash", Digest.CLASS),
                in.value("record_hash", Digest.CLASS));
    }

    private static void readNothing(JsonFields in) {
        zero(in, "schema_version", in.u8("schema_version"));
        blank(in, "exposure_id");
        zero(in, "generation", in.u64("generation"));
        blank(in, "root_id");
        blank(in, "source_identity_digest");
        blank(in, "scope_digest");
        blank(in, "display_label");
        in.objects("allowed_modes", 0);
        zero(in, "expires_at_ms", in.u64("expires_at_ms"));
        in.strings("allowed_runtime_template_ids", 0);
        blank(in, "state");
        in.end();
    }

    private static void blank(JsonFields in, String name) {
        if (!in.string(name).isEmpty()) {
            in.problem(name, "does not belong to this kind of record", "");
        }
    }

    private static void zero(JsonFields in, String name, long value) {
        if (value != 0) {
            in.problem(name, "does not belong to this kind of record", "");
        }
    }
}
