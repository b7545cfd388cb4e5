package glove.session;

import glove.journal.RecordException;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Records of the session store as JSON: written canonically, read strictly. Stateless. */
final class SessionRecordJson {
    static final int SCHEMA_VERSION = 1;
    static final int RECORD_BYTES_MAX = 1 << 20;

    private static final JsonLimits LIMITS = JsonLimits.FILE.withBytesMax(RECORD_BYTES_MAX);
    private static final String OBSERVATION = "observation_intent";
    private static final int EXIT_CODE_MAX = 255;

    private SessionRecordJson() {}

    static byte[] encode(StoredRecord record) {
        RecordHead head = record.head();
        SessionRecord session = record.session();
        AcceptedPlan plan = session.plan();
        JsonWriter json = JsonWriter.canonical().beginObject();
        json.member("schema_version", SCHEMA_VERSION)
                .unsigned("sequence", head.sequence())
                .member("operation", head.operation().word())
                .member("idempotency_key", head.idempotencyKey())
                .member("session_id", plan.sessionId())
                .member("controller_plan_digest", plan.controllerPlanDigest())
                .member("request_digest", head.requestDigest())
                .member("plan_content_digest", plan.contentDigest())
                .member("state", session.state().word())
                .unsigned("policy_revision", plan.policyRevision())
                .unsigned("expires_at_ms", plan.expiresAtMs())
                .unsigned("created_at_ms", plan.createdAtMs())
                .member("authorization_id", session.authorization().id())
                .unsigned("authorized_at_ms", session.authorization().authorizedAtMs())
                .unsigned("authorization_expires_at_ms", session.authorization().expiresAtMs())
                .member("launch_profile_digest", session.profileDigest())
                .unsigned("starting_at_ms", session.times().startingAtMs())
                .unsigned("running_at_ms", session.times().runningAtMs())
                .unsigned("stopping_at_ms", session.times().stoppingAtMs());
        process(session.process(), json);
        resources(session.resources(), json);
        json.member("failure_code", session.failureCode())
                .unsigned("finished_at_ms", session.times().finishedAtMs());
        receipt(session.receipt(), json);
        return json.member("canonical_plan_json", plan.canonicalJson())
                .member("previous_hash", head.previousHash())
                .member("this_hash", head.thisHash())
                .endObject()
                .toBytes();
    }

    private static void process(ProcessIdentity process, JsonWriter json) {
        json.member("process_identity_schema_version", process.schemaVersion())
                .unsigned("process_pid", process.pid())
                .member("process_boot_id", process.bootId())
                .unsigned("process_start_time_ticks", process.startTimeTicks())
                .unsigned("process_cgroup_device", process.cgroupDevice())
                .unsigned("process_cgroup_inode", process.cgroupInode())
                .member("process_cgroup_path_digest", process.cgroupPathDigest());
    }

    private static void resources(Resources resources, JsonWriter json) {
        switch (resources) {
            case Resources.None none -> {
                // Left out altogether.
            }
            case Resources.Local local -> {
                json.name("cgroup_identity")
                        .beginObject()
                        .member("schema_version", local.cgroup().schemaVersion())
                        .unsigned("device", local.cgroup().device())
                        .unsigned("inode", local.cgroup().inode())
                        .endObject();
                json.name("filesystem_identity")
                        .beginObject()
                        .member("schema_version", local.filesystem().schemaVersion())
                        .unsigned("disk_limit_bytes", local.filesystem().diskLimitBytes())
                        .name("partitions")
                        .beginArray();
                for (Resources.Partition partition : local.filesystem().partitions()) {
                    json.beginObject()
                            .member("alias", partition.alias())
                            .unsigned("quota_bytes", partition.quotaBytes())
                            .endObject();
                }
                json.endArray().endObject();
            }
            case Resources.Managed managed ->
                json.name("managed_runtime_identity")
                        .beginObject()
                        .member("schema_version", managed.schemaVersion())
                        .member("backend", managed.backend())
                        .member("instance_id", managed.instanceId())
                        .member("launch_identity_digest", managed.launchIdentityDigest())
                        .endObject();
        }
    }

    private static void receipt(ReceiptLink receipt, JsonWriter json) {
        json.unsigned("receipt_started_at_ms", receipt.startedAtMs())
                .member("receipt_key_id", receipt.keyId())
                .unsigned("receipt_sequence", receipt.sequence())
                .member("receipt_digest", receipt.digest())
                .member("receipt_previous_hmac", receipt.previousHmac())
                .member("receipt_hmac", receipt.hmac())
                .member("termination_cause", receipt.cause());
        if (receipt.exitCode() != ReceiptLink.NO_EXIT_CODE) {
            json.member("exit_code", receipt.exitCode());
        }
    }

    static StoredRecord decode(byte[] payload) throws RecordException {
        JsonProblems problems = JsonProblems.first();
        JsonFields in;
        try {
            in = JsonFields.of(JsonText.value(payload, LIMITS).root(), problems);
        } catch (JsonException e) {
            throw new RecordException("is no JSON: " + e.getMessage());
        }
        refuseOthers(in);
        StoredRecord record = read(in);
        in.end();
        if (!problems.isEmpty()) {
            throw new RecordException("is none of this store's: " + problems.firstInWords());
        }
        return record;
    }

    /** Says of records that other builds write that they are such, not that they are wrong. */
    private static void refuseOthers(JsonFields in) throws RecordException {
        boolean known = in.has(OBSERVATION);
        for (String operation :
                List.of("enqueue_observation_intent_v1", "set_observation_intent_disposition_v1")) {
            known |= in.isString("operation", operation);
        }
        if (known) {
            throw new RecordException("is an observation intent, which is not in this build: use "
                    + "the build that wrote it");
        }
    }

    private static StoredRecord read(JsonFields in) {
        int schema = in.u8("schema_version");
        if (schema != SCHEMA_VERSION) {
            in.problem("schema_version", "is " + schema, "use the build that wrote it");
        }
        long sequence = in.u64("sequence");
        SessionOperation operation = in.value("operation", SessionOperation.WORDS);
        String key = in.string("idempotency_key");
        String sessionId = in.string("session_id");
        String controllerDigest = in.string("controller_plan_digest");
        String requestDigest = in.string("request_digest");
        String contentDigest = in.string("plan_content_digest");
        SessionState state = in.value("state", SessionState.WORDS);
        long revision = in.u64("policy_revision");
        long expires = in.u64("expires_at_ms");
        long created = in.u64("created_at_ms");
        Authorization authorization = new Authorization(
                in.string("authorization_id"),
                in.u64("authorized_at_ms"),
                in.u64("authorization_expires_at_ms"));
        String profile = in.string("launch_profile_digest");
        long starting = in.u64("starting_at_ms");
        long running = in.u64("running_at_ms");
        long stopping = in.u64("stopping_at_ms");
        ProcessIdentity process = process(in);
        Resources resources = resources(in);
        String failure = in.string("failure_code");
        SessionTimes times =
                new SessionTimes(starting, running, stopping, in.u64("finished_at_ms"));
        ReceiptLink receipt = receipt(in);
        in.optionalObject(OBSERVATION); // null stands for none
        AcceptedPlan plan = new AcceptedPlan(
                sessionId,
                controllerDigest,
                contentDigest,
                revision,
                expires,
                created,
                in.string("canonical_plan_json"));
        RecordHead head = new RecordHead(
                sequence,
                operation,
                key,
                requestDigest,
                in.string("previous_hash"),
                in.string("this_hash"));
        return new StoredRecord(
                head,
                new SessionRecord(
                        plan,
                        state,
                        authorization,
                        profile,
                        resources,
                        process,
                        times,
                        failure,
                        receipt));
    }

    private static ProcessIdentity process(JsonFields in) {
        return new ProcessIdentity(
                in.u8("process_identity_schema_version"),
                in.u32("process_pid"),
                in.string("process_boot_id"),
                in.u64("process_start_time_ticks"),
                in.u64("process_cgroup_device"),
                in.u64("process_cgroup_inode"),
                in.string("process_cgroup_path_digest"));
    }

    private static Resources resources(JsonFields in) {
        Optional<JsonFields> cgroup = in.optionalObject("cgroup_identity");
        Optional<JsonFields> filesystem = in.optionalObject("filesystem_identity");
        Optional<JsonFields> managed = in.optionalObject("managed_runtime_identity");
        if (cgroup.isPresent() != filesystem.isPresent()
                || (cgroup.isPresent() && managed.isPresent())) {
            in.problem("cgroup_identity", "does not go with the other identities", "");
            return Resources.NONE;
        }
        if (managed.isPresent()) {
            return managed(managed.get());
        }
        return cgroup.isPresent() ? local(cgroup.get(), filesystem.orElseThrow()) : Resources.NONE;
    }

    private static Resources managed(JsonFields in) {
        Resources.Managed managed = new Resources.Managed(
                in.u8("schema_version"),
                in.string("backend"),
                in.string("instance_id"),
                in.string("launch_identity_digest"));
        in.end();
        return managed;
    }

    private static Resources local(JsonFields inCgroup, JsonFields inFilesystem) {
        Resources.Cgroup cgroup = new Resources.Cgroup(
                inCgroup.u8("schema_version"), inCgroup.u64("device"), inCgroup.u64("inode"));
        inCgroup.end();
        int schema = inFilesystem.u8("schema_version");
        long limit = inFilesystem.u64("disk_limit_bytes");
        List<Resources.Partition> partitions = new ArrayList<>();
        int most = Resources.Filesystem.PARTITIONS_MAX;
        for (JsonFields partition : inFilesystem.objects("partitions", most)) {
            partitions.add(new Resources.Partition(
                    partition.string("alias"), partition.u64("quota_bytes")));
            partition.end();
        }
        inFilesystem.end();
        return new Resources.Local(cgroup, new Resources.Filesystem(schema, limit, partitions));
    }

    private static ReceiptLink receipt(JsonFields in) {
        long started = in.u64("receipt_started_at_ms");
        String keyId = in.string("receipt_key_id");
        long sequence = in.u64("receipt_sequence");
        String digest = in.string("receipt_digest");
        String previous = in.string("receipt_previous_hmac");
        String hmac = in.string("receipt_hmac");
        String cause = in.string("termination_cause");
        OptionalInt code = in.optionalI32("exit_code");
        if (code.isPresent() && (code.getAsInt() < 0 || code.getAsInt() > EXIT_CODE_MAX)) {
            in.problem("exit_code", "is " + code.getAsInt(), "write a number from 0 to 255");
        }
        return new ReceiptLink(
                started,
                keyId,
                sequence,
                digest,
                previous,
                hmac,
                cause,
                code.orElse(ReceiptLink.NO_EXIT_CODE));
    }
}
