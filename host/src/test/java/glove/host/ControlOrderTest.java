package glove.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every method against every way to ask for it wrongly: the first check that fails is the one that
 * is told, and nothing is done.
 */
@Tag("process")
final class ControlOrderTest {
    private static final String UNAUTHORIZED =
            refused("unauthorized", "supervisor authentication failed");
    private static final String NO_PARAMETERS =
            refused("invalid_request", "invalid method parameters");

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

    /**
     * A method and what it takes.
     *
     * @param key whether it takes one
     * @param wrongKey what is told of a key that is missing, or too much
     * @param good a payload
     * @param code told of a payload that is none
     * @param wrong the words of that
     */
    private record Asked(
            String method, boolean key, String wrongKey, String good, String code, String wrong) {
        String refusal() {
            return refused(code, wrong);
        }
    }

    private static Asked nothing(String method, String words) {
        return new Asked(method, false, words, "null", "invalid_request", words);
    }

    private static Asked read(String method, String wrongKey, String good, String wrong) {
        return new Asked(method, false, wrongKey, good, "invalid_request", wrong);
    }

    private static Asked change(String method, String wrongKey, String good, String wrong) {
        return new Asked(method, true, wrongKey, good, "invalid_request", wrong);
    }

    private static String anchor(String name) {
        return "{'" + name + "':{'key_id':'" + ControlRoom.KEY_ID + "','sequence':0,'head_hmac':'"
                + "0".repeat(64) + "'}";
    }

    private List<Asked> methods() {
        return List.of(
                nothing("health", "health requires a null read-only payload"),
                nothing("capabilities", "capabilities requires a null read-only payload"),
                nothing(
                        "list_path_exposures",
                        "path exposure listing requires a null read-only payload"),
                new Asked(
                        "validate_plan",
                        false,
                        "read-only plan validation forbids idempotency keys",
                        ControlRoom.plan(),
                        "invalid_plan",
                        "session plan was rejected"),
                read(
                        "session_status",
                        "read-only session status forbids idempotency keys",
                        "{'session_id':'s'}",
                        "invalid session status request"),
                read(
                        "inspect_retained_changes",
                        "inspection is read-only",
                        "{'session_id':'s','exposure_id':'e','offset':0,'limit':1}",
                        "invalid retained change request"),
                read(
                        "verify_audit_chain",
                        "read-only audit paging forbids idempotency keys",
                        anchor("sage_anchor") + ",'limit':1}",
                        "invalid receipt audit page request"),
                change(
                        "create_session",
                        "session creation requires idempotency",
                        ControlRoom.creation("s", ControlRoom.plan()),
                        "invalid session create request"),
                change(
                        "create_path_exposure",
                        "path exposure creation requires idempotency",
                        "{'exposure_id':'site','root_id':'projects','host_path':'" + directory
                                + "/projects/site','display_label':'site','allowed_modes':["
                                + "{'access':'read','materialization':'bind','max_bytes':0,"
                                + "'cleanup_policy':'retain'}],'ttl_secs':60,"
                                + "'allowed_runtime_template_ids':['t']}",
                        "invalid path exposure request"),
                change(
                        "revoke_path_exposure",
                        "invalid path exposure revocation",
                        "{'exposure_id':'e','generation':1}",
                        "invalid path exposure revocation"),
                change(
                        "acknowledge_audit_chain",
                        "audit acknowledgement requires idempotency",
                        anchor("anchor") + "}",
                        "invalid receipt audit acknowledgement"));
    }

    private static String refused(String code, String message) {
        return "\"error\":{\"code\":\"" + code + "\",\"message\":\"" + message + "\"}";
    }

    /** The parameters of a good request, in which a test changes something. */
    private String parameters(Asked asked) {
        String key = asked.key ? "'idempotency_key':'key-1'," : "";
        return "'schema_version':1,'bootstrap_secret':'" + room.secret() + "','deadline_ms':"
                + (System.currentTimeMillis() + 600_000) + "," + key + "'payload':" + asked.good;
    }

    private String answer(String method, String parameters) throws Exception {
        String request = "{'jsonrpc':'2.0','id':'req-1','method':'" + method + "','params':"
                + parameters + "}";
        return room.answer(request.replace('\'', '"'));
    }

    private void assertAnswer(Asked asked, String from, String to, String told) throws Exception {
        String good = parameters(asked).replace('\'', '"');
        String quoted = from.replace('\'', '"');
        String changed = good.replaceFirst(quoted, to.replace('\'', '"'));
        assertThat(changed).as("%s: %s", asked.method, from).isNotEqualTo(good);
        assertThat(answer(asked.method, "{" + changed + "}"))
                .as("%s: %s -> %s", asked.method, from, to)
                .isEqualTo(told);
    }

    @Test
    void theTableHasEveryMethodAndEachIsUnderstoodWhenNothingIsWrong() throws Exception {
        Set<String> known = new TreeSet<>();
        for (Asked asked : methods()) {
            known.add(asked.method);
            assertThat(answer(asked.method, "{" + parameters(asked) + "}"))
                    .as("%s, the control", asked.method)
                    .doesNotContain("invalid_", "unauthorized", "method_not_found");
        }
        assertThat(known).isEqualTo(new TreeSet<>(room.methods()));
    }

    @Test
    void parametersThatAreNoneAreToldAsThatAndEmptyOnesAsUnauthorized() throws Exception {
        for (Asked asked : methods()) {
            for (String wrong : new String[] {"null", "[]", "7", "''", "true"}) {
                assertThat(answer(asked.method, wrong)).isEqualTo(NO_PARAMETERS);
            }
            assertThat(answer(asked.method, "{}")).as(asked.method).isEqualTo(UNAUTHORIZED);
            assertThat(room.exchange(
                            ("{'jsonrpc':'2.0','id':'req-1','method':'" + asked.method + "'}")
                                    .replace('\'', '"')))
                    .contains(NO_PARAMETERS);
        }
    }

    @Test
    void aMemberThatIsMissingIsTheFirstCheckThatFails() throws Exception {
        for (Asked asked : methods()) {
            String none = "'bootstrap_secret':'[0-9a-f]*',";
            assertAnswer(asked, none, "", UNAUTHORIZED);
            assertAnswer(
                    asked,
                    "'schema_version':1,",
                    "",
                    refused("unsupported_schema", "unsupported control schema"));
            assertAnswer(
                    asked,
                    "'deadline_ms':[0-9]*,",
                    "",
                    refused("deadline_exceeded", "request deadline elapsed"));
            String payload = asked.good.replaceAll("([\\[{}\\]])", "\\\\$1");
            assertAnswer(asked, ",'payload':" + payload, "", asked.refusal());
        }
    }

    @Test
    void aMemberOfAnotherTypeOrAnUnknownOneMakesTheParametersWrongWhoeverAsks() throws Exception {
        for (Asked asked : methods()) {
            for (String secret : new String[] {"7", "null", "[]"}) {
                assertAnswer(
                        asked,
                        "'bootstrap_secret':'[0-9a-f]*'",
                        "'bootstrap_secret':" + secret,
                        NO_PARAMETERS);
            }
            for (String version : new String[] {"'1'", "null", "1.0", "1e0", "-1", "01"}) {
                assertMemberIsNone(asked, "'schema_version':1,", "'schema_version':" + version);
            }
            for (String deadline : new String[] {"''", "null", "1e15", "18446744073709551616"}) {
                assertMemberIsNone(asked, "'deadline_ms':[0-9]*,", "'deadline_ms':" + deadline);
            }
            assertAnswer(asked, "'schema_version'", "'x':1,'schema_version'", NO_PARAMETERS);
            assertAnswer(
                    asked, "'deadline_ms'", "'idempotency_keys':'a','deadline_ms'", NO_PARAMETERS);
            if (!asked.key) {
                String number = "'schema_version':1,'idempotency_key':7";
                assertAnswer(asked, "'schema_version':1", number, NO_PARAMETERS);
            }
        }
    }

    /** What is no JSON at all, as 01, makes no request. */
    private void assertMemberIsNone(Asked asked, String from, String to) throws Exception {
        String good = parameters(asked).replace('\'', '"');
        String changed = good.replaceFirst(from.replace('\'', '"'), to.replace('\'', '"') + ",");
        assertThat(changed).as("%s: %s", asked.method, to).isNotEqualTo(good);
        String request = "{\"jsonrpc\":\"2.0\",\"id\":\"req-1\",\"method\":\"" + asked.method
                + "\",\"params\":{" + changed + "}}";
        boolean json = !to.endsWith(":01");
        assertThat(room.exchange(request))
                .as("%s: %s", asked.method, to)
                .contains(
                        json
                                ? NO_PARAMETERS
                                : refused("invalid_request", "invalid JSON-RPC request"));
    }

    @Test
    void theSecretComesBeforeTheSchemaTheDeadlineTheMethodAndThePayload() throws Exception {
        List<String> names = new ArrayList<>(room.methods());
        names.add("no_such_method");
        names.add("start_session");
        String almost = "x" + room.secret().substring(1);
        for (String method : names) {
            for (String secret : List.of("", "0".repeat(64), room.secret() + "0", almost)) {
                String wrong = "{'schema_version':9,'bootstrap_secret':'" + secret
                        + "','deadline_ms':0,'payload':{}}";
                assertThat(answer(method, wrong)).as(method).isEqualTo(UNAUTHORIZED);
            }
            String right = "'bootstrap_secret':'" + room.secret() + "','payload':{}";
            assertThat(answer(method, "{'schema_version':9,'deadline_ms':0," + right + "}"))
                    .isEqualTo(refused("unsupported_schema", "unsupported control schema"));
            assertThat(answer(method, "{'schema_version':1,'deadline_ms':1," + right + "}"))
                    .isEqualTo(refused("deadline_exceeded", "request deadline elapsed"));
        }
    }

    @Test
    void theKeyComesBeforeThePayload() throws Exception {
        for (Asked asked : methods()) {
            String told = refused("invalid_request", asked.wrongKey);
            Asked wrong = new Asked(
                    asked.method, asked.key, asked.wrongKey, "{'x':1}", asked.code, asked.wrong);
            if (asked.key) {
                String key = "'idempotency_key':'key-1',";
                assertAnswer(wrong, key, "", told);
                assertAnswer(wrong, key, "'idempotency_key':null,", told);
                assertAnswer(wrong, key, "'idempotency_key':'',", told);
                assertAnswer(wrong, key, "'idempotency_key':'a b',", told);
                assertAnswer(wrong, key, "'idempotency_key':'" + "k".repeat(129) + "',", told);
            } else {
                String key = "'idempotency_key':'";
                assertAnswer(wrong, "'deadline_ms'", key + "k','deadline_ms'", told);
                assertAnswer(asked, "'deadline_ms'", key + "k','deadline_ms'", told);
                assertAnswer(asked, "'deadline_ms'", key + "','deadline_ms'", told);
            }
            assertAnswer(wrong, "'x':1", "'x':2", asked.refusal());
        }
    }

    /** Of each payload: nothing, another type, a member missing, of another type, unknown. */
    @Test
    void aPayloadThatIsNoneIsToldByItsMethod() throws Exception {
        for (Asked asked : methods()) {
            List<String> wrong = new ArrayList<>(List.of("[]", "7", "'null'", "false", "{}"));
            if (!asked.good.equals("null")) {
                String good = asked.good.replace('\'', '"');
                wrong.add("null");
                wrong.add(good.replaceFirst("\\{", "{'x':1,"));
                wrong.add(good.replaceFirst("\"[a-z_]+\":(\"[^\"]*\"|[0-9]+),?", "")
                        .replace(",}", "}"));
                wrong.add(good.replaceFirst(":(\"[^\"]*\"|[0-9]+)", ":[]"));
                wrong.add(good.replaceFirst(":(\"[^\"]*\"|[0-9]+)", ":null"));
            }
            for (String payload : wrong) {
                Asked changed =
                        new Asked(asked.method, asked.key, "", payload, asked.code, asked.wrong);
                assertThat(answer(asked.method, "{" + parameters(changed) + "}"))
                        .as("%s of %s", asked.method, payload)
                        .isEqualTo(asked.refusal());
            }
        }
    }
}
