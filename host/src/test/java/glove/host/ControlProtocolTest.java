package glove.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;

/** What is answered to which request, as the protocol says: codes, messages, order. */
@Tag("process")
final class ControlProtocolTest {
    @TempDir
    private Path directory;

    private ControlRoom room;

    @BeforeEach
    void open() throws Exception {
        room = new ControlRoom(directory, ControlRoom.PATIENT);
    }

    @AfterEach
    void close() throws Exception {
        room.close();
    }

    private static String refused(String code, String message) {
        return "\"error\":{\"code\":\"" + code + "\",\"message\":\"" + message + "\"}";
    }

    private static String error(String id, String message) {
        return "{\"jsonrpc\":\"2.0\",\"id\":\"" + id + "\"," + refused("invalid_request", message)
                + "}";
    }

    @Test
    void healthIsTheVeryBytesOfTheProtocol() throws Exception {
        assertThat(room.exchange(room.request("health", "null")))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"req-1\","
                        + "\"result\":{\"schema_version\":1,\"status\":\"ready\"}}");
    }

    @Test
    void capabilitiesAreWhatWasConstructed() throws Exception {
        String capabilities = room.answer(room.request("capabilities", "null"));

        assertThat(capabilities)
                .startsWith(
                        "\"result\":{\"schema_version\":1,\"receipt_audit\":{"
                                + "\"envelope_schema_version\":1,\"algorithm\":\"hmac_sha256\",\"key_id\":\""
                                + ControlRoom.KEY_ID
                                + "\"},\"session_control\":{\"validate_plan\":true,"
                                + "\"create_session\":true,\"start_session\":false,\"session_status\":true,")
                .contains(
                        "\"managed_runtime_ids\":[],\"path_exposure_admin_schema_version\":1,"
                                + "\"path_exposure_catalog_schema_version\":1,"
                                + "\"retained_write_schema_version\":0,",
                        "\"refinement_evaluation_protocol_schema_version\":0,"
                                + "\"observation_intent_channel_schema_version\":0,\"backends\":[{"
                                + "\"backend\":\"linux_production\",",
                        "{\"backend\":\"apple_container\",\"resource_enforcement\":{\"cpu_time\":"
                                + "\"unavailable\",");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "\"text\"",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"health\",\"params\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"id\":\"b\",\"method\":\"health\",\"params\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"health\",\"params\":{},\"more\":1}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"health\",\"params\":{}} x",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"health\",\"params\":{}}"
            })
    void whatIsNoRequestIsToldWithoutItsId(String text) throws Exception {
        assertThat(room.exchange(text)).isEqualTo(error("", "invalid JSON-RPC request"));
    }

    @ParameterizedTest
    @CsvSource({"1.0,a,health,a", "2.0,a,no method,a", "2.0,a b,health,''", "2.0,'',health,''"})
    void anEnvelopeOfAnotherKindIsToldWithAnIdThatIsOne(
            String version, String id, String method, String echoed) throws Exception {
        String text = "{\"jsonrpc\":\"" + version + "\",\"id\":\"" + id + "\",\"method\":\""
                + method + "\",\"params\":{}}";

        assertThat(room.exchange(text)).isEqualTo(error(echoed, "invalid JSON-RPC envelope"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",\"params\":null",
                ",\"params\":[]",
                ",\"params\":{\"schema_version\":1,\"bootstrap_secret\":7,\"deadline_ms\":1}",
                ",\"params\":{\"schema_version\":1,\"bootstrap_secret\":\"\",\"deadline_ms\":1e3}",
                ",\"params\":{\"schema_version\":1,\"bootstrap_secret\":\"\",\"deadline_ms\":1,\"x\":1}"
            })
    void parametersOfAnotherKindAreTold(String params) throws Exception {
        String text = "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"health\"" + params + "}";

        assertThat(room.exchange(text)).isEqualTo(error("a", "invalid method parameters"));
    }

    @Test
    void aWrongSecretIsRefusedBeforeAnythingElseIsTold() throws Exception {
        String wrong = room.request("no_such_method", "null")
                .replace(room.secret(), "0".repeat(64))
                .replace("\"schema_version\":1", "\"schema_version\":2");

        assertThat(room.answer(wrong))
                .isEqualTo(refused("unauthorized", "supervisor authentication failed"));
    }

    @Test
    void anotherSchemaComesBeforeTheDeadlineAndThatBeforeTheMethod() throws Exception {
        String late = room.envelope("no_such_method", 1, "", "null");

        assertThat(room.answer(late.replace("\"schema_version\":1", "\"schema_version\":2")))
                .isEqualTo(refused("unsupported_schema", "unsupported control schema"));
        assertThat(room.answer(late))
                .isEqualTo(refused("deadline_exceeded", "request deadline elapsed"));
        assertThat(room.answer(room.envelope("health", 0, "", "null")))
                .isEqualTo(refused("deadline_exceeded", "request deadline elapsed"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "start_session",
                "attach",
                "write_stdin",
                "resize",
                "signal",
                "detach",
                "stop_session",
                "cleanup_session",
                "page_observation_intents",
                "no_such_method"
            })
    void whatThisBuildCannotDoDoesNotExist(String method) throws Exception {
        assertThat(room.answer(room.request(method, "key", "{}")))
                .isEqualTo(refused("method_not_found", "control method is unavailable"));
    }

    @Test
    void aPlanIsValidatedByThePolicy() throws Exception {
        assertThat(room.answer(room.request("validate_plan", ControlRoom.plan())))
                .isEqualTo("\"result\":{\"schema_version\":1,\"policy_revision\":3}");
        assertThat(room.answer(room.request(
                        "validate_plan", ControlRoom.plan().replace("no-network", "any"))))
                .isEqualTo(refused("invalid_plan", "session plan was rejected"));
    }

    @Test
    void aSessionIsCreatedOnceUnderItsKeyAndAskedFor() throws Exception {
        String plan = ControlRoom.plan();
        String asked = ControlRoom.creation("s-1", plan);

        String created = room.answer(room.request("create_session", "k-1", asked));

        assertThat(created)
                .startsWith("\"result\":{\"schema_version\":1,\"session_id\":\"s-1\","
                        + "\"controller_plan_digest\":\"" + ControlRoom.CONTROLLER
                        + "\",\"plan_content_digest\":\"")
                .contains("\",\"state\":\"created\",\"policy_revision\":3,\"expires_at_ms\":")
                .doesNotContain("profile_digest");
        assertThat(room.answer(room.request("create_session", "k-1", asked))).isEqualTo(created);
        assertThat(room.answer(room.request("session_status", "{\"session_id\":\"s-1\"}")))
                .isEqualTo(created);
        assertThat(room.answer(room.request("create_session", "k-2", asked)))
                .isEqualTo(refused("session_conflict", "session identity already exists"));
        assertThat(room.answer(
                        room.request("create_session", "k-1", ControlRoom.creation("s-2", plan))))
                .isEqualTo(refused("idempotency_conflict", "idempotency payload changed"));
        assertThat(room.answer(room.request("session_status", "{\"session_id\":\"s-2\"}")))
                .isEqualTo(refused("session_not_found", "session was not found"));
        assertThat(room.answer(
                        room.request("create_session", "k-3", ControlRoom.creation("s-3", "[]"))))
                .isEqualTo(refused("invalid_request", "invalid session create request"));
    }

    @Test
    void aPathIsExposedShownWithoutItsPathAndTakenBack() throws Exception {
        String payload = ("{'exposure_id':'site','root_id':'projects','host_path':'" + directory
                        + "/projects/site','display_label':'site','allowed_modes':[{'access':'read',"
                        + "'materialization':'bind','max_bytes':0,'cleanup_policy':'retain'}],"
                        + "'ttl_secs':60,'allowed_runtime_template_ids':['t']}")
                .replace('\'', '"');

        String made = room.answer(room.request("create_path_exposure", "e-1", payload));

        assertThat(made)
                .startsWith("\"result\":{\"schema_version\":1,\"exposure\":{\"schema_version\":1,"
                        + "\"exposure_id\":\"site\",\"generation\":1,\"scope_digest\":\"");
        String listed = room.answer(room.request("list_path_exposures", "null"));
        assertThat(listed).contains("\"state\":\"active\"").doesNotContain(directory.toString());
        String revocation = "{\"exposure_id\":\"site\",\"generation\":1}";
        assertThat(room.answer(room.request("revoke_path_exposure", "e-2", revocation)))
                .contains("\"state\":\"revoked\"");
        assertThat(room.answer(room.request(
                        "create_path_exposure", "e-3", payload.replace("\"read\"", "\"all\""))))
                .isEqualTo(refused("invalid_request", "invalid path exposure mode"));
        assertThat(room.answer(room.request(
                        "create_path_exposure", "e-3", payload.replace("60", "600000"))))
                .isEqualTo(
                        refused("path_exposure_rejected", "path exposure creation was rejected"));
    }

    @Test
    void receiptsAreAcknowledgedAfterTheyWereRead() throws Exception {
        String anchor = "{\"key_id\":\"" + ControlRoom.KEY_ID + "\",\"sequence\":0,\"head_hmac\":\""
                + "0".repeat(64) + "\"}";
        String head = "{\"anchor\":" + anchor + "}";
        assertThat(room.answer(room.request("acknowledge_audit_chain", "a-1", head)))
                .isEqualTo(
                        refused("audit_reconciliation_failed", "receipt audit paging is required"));

        String page = room.answer(
                room.request("verify_audit_chain", "{\"sage_anchor\":" + anchor + ",\"limit\":5}"));

        assertThat(page)
                .isEqualTo("\"result\":{\"schema_version\":1,\"envelopes\":[],"
                        + "\"refinement_envelopes\":[],\"has_more\":false,\"local_anchor\":"
                        + anchor + "}");
        String done = "\"result\":{\"schema_version\":1,\"acknowledged_anchor\":" + anchor + "}";
        for (int i = 0; i < 2; i++) {
            assertThat(room.answer(room.request("acknowledge_audit_chain", "a-1", head)))
                    .isEqualTo(done);
        }
        String other = head.replace("\"sequence\":0", "\"sequence\":1");
        assertThat(room.answer(room.request("acknowledge_audit_chain", "a-1", other)))
                .isEqualTo(refused("idempotency_conflict", "idempotency payload changed"));
        assertThat(room.answer(room.request("acknowledge_audit_chain", "a-2", other)))
                .isEqualTo(refused(
                        "audit_reconciliation_failed", "receipt audit head was not accepted"));
    }

    @Test
    void whatNoSessionLeftBehindIsUnavailable() throws Exception {
        assertThat(room.answer(room.request(
                        "inspect_retained_changes",
                        "{\"session_id\":\"s\",\"exposure_id\":\"e\",\"offset\":0,\"limit\":1}")))
                .isEqualTo(refused(
                        "retained_changes_unavailable", "retained changes are unavailable"));
    }
}
