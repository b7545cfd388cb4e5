package glove.host;

import glove.wire.Digest;
import glove.wire.JsonWriter;

import java.util.List;

/**
 * What a controller is told it can ask for: derived from what was constructed, never configured
 * (sheet 20, 5). This build has no runtime, so nothing can be started. Immutable.
 *
 * @param auditKeyId which key authenticates receipts
 * @param policy whether plans can be validated
 * @param store whether sessions can be created and asked for
 * @param exposures whether paths can be exposed
 */
record Capabilities(Digest auditKeyId, boolean policy, boolean store, boolean exposures) {
    private static final List<String> MECHANISMS =
            List.of("cpu_time", "memory", "pids", "wall_time", "disk", "terminal_output");

    /** As result of the method. */
    void write(JsonWriter out) {
        out.beginObject().member("schema_version", 1);
        out.name("receipt_audit")
                .beginObject()
                .member("envelope_schema_version", 1)
                .member("algorithm", "hmac_sha256")
                .member("key_id", auditKeyId.hex())
                .endObject();
        out.name("session_control")
                .beginObject()
                .member("validate_plan", policy)
                .member("create_session", store)
                .member("start_session", false)
                .member("session_status", store)
                .member("attach", false)
                .member("resize", false)
                .member("write_stdin", false)
                .member("signal", false)
                .member("detach", false)
                .member("stop_session", false)
                .member("cleanup_session", false)
                .endObject();
        int exposing = exposures ? 1 : 0;
        out.member("agent_runtime_adapter_schema_version", 0);
        out.name("managed_runtime_ids").beginArray().endArray();
        out.member("path_exposure_admin_schema_version", exposing)
                .member("path_exposure_catalog_schema_version", exposing)
                .member("retained_write_schema_version", 0)
                .member("change_manifest_schema_version", 0)
                .member("change_apply_authorization_schema_version", 0)
                .member("refinement_evaluation_protocol_schema_version", 0)
                .member("observation_intent_channel_schema_version", 0);
        out.name("backends").beginArray();
        writeBackend(out, "linux_production");
        writeBackend(out, "apple_container");
        out.endArray().endObject();
    }

    private static void writeBackend(JsonWriter out, String backend) {
        out.beginObject()
                .member("backend", backend)
                .name("resource_enforcement")
                .beginObject();
        for (String mechanism : MECHANISMS) {
            out.member(mechanism, "unavailable");
        }
        out.member("receipt_schema_version", 0).endObject().endObject();
    }
}
