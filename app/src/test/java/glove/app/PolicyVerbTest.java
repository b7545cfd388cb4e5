package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;

/** {@code glove policy} and {@code glove plan}, on files as an owner has them. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#ordinary")
final class PolicyVerbTest {
    /** A policy of this directory; {@code now} is when a plan may expire. */
    private static final String SETUP = """
            umask 077; mkdir -p source
            cat > policy.json <<END
            {"schema_version":1,"revision":3,"max_plan_ttl_ms":600000,
            "runtime_templates":[{"runtime_template_id":"t","runtime_id":"r",
            "adapter_command_digest":"bb8a487b80626fbb46b02272a968a127ed8867540382d4cf16ecf7c2ebd4ee1b",
            "sandbox_backend":"linux_production","allowed_path_aliases":["w"],
            "allowed_projection_destinations":[],"launch":{"executable_path":"/usr/bin/true"}}],
            "path_aliases":[{"alias":"w","host_path":"$PWD/source","target_path":"/workspace",
            "max_ttl_secs":60,"access":[{"access":"read","materialization":"bind",
            "create_policy":"never","cleanup_policy":"retain","max_bytes":0}]}],
            "resource_profiles":[{"profile_id":"p","cpu_time_ms":1,"memory_bytes":1,"pids":1,
            "wall_time_ms":1,"disk_bytes":1,"terminal_output_bytes":1}],
            "egress_policy_ids":["no-network"],"tool_policy_ids":["none"]}
            END
            cat > plan.json <<END
            {"schema_version":1,"runtime_id":"r","runtime_template_id":"t",
            "adapter_command_digest":"bb8a487b80626fbb46b02272a968a127ed8867540382d4cf16ecf7c2ebd4ee1b",
            "sandbox_backend":"linux_production","egress_policy_id":"no-network",
            "tool_policy_id":"none","path_grants":[{"alias":"w","access":"read",
            "materialization":"bind","max_bytes":0,"ttl_secs":60,"cleanup_policy":"retain"}],
            "library_projections":[],"secret_handles":[],"limits":{"cpu_time_ms":1,"memory_bytes":1,
            "pids":1,"wall_time_ms":1,"disk_bytes":1,"terminal_output_bytes":1},
            "policy_revision":3,"expires_at_ms":$(( $(date +%s) * 1000 + 300000 ))}
            END
            policy() { $GLOVE policy "$@" --file "$PWD/policy.json"; }
            """;

    private final WorkRoom room;

    PolicyVerbTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @BeforeEach
    void thePolicyIsValid() throws IOException, InterruptedException {
        assertThat(run("policy validate").status()).as("control").isZero();
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(SETUP + script).run();
    }

    @Test
    void aValidPolicyIsExplained() throws Exception {
        Command.Result told = run("policy explain");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out())
                .contains("revision 3: ")
                .contains("template 't': runs r on linux_production\n  executes /usr/bin/true\n")
                .contains(
                        "source at /workspace, for at most 60 s\n  read by bind, kept afterwards\n")
                .contains("network 'no-network': nothing\n");
        assertThat(run("policy explain --json").out())
                .startsWith("{\"schema_version\":1,\"valid\":true,\"policy_path\":\"")
                .contains("\"code\":\"policy_valid\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "chmod 640 policy.json                          | has the mode 640: chmod 600",
                "ln policy.json other                           | has 2 names",
                "mv policy.json p; ln -s p policy.json          | it is a symbolic link",
                "rm policy.json                                 | ENOENT",
                "rm policy.json; mkfifo policy.json             | is no regular file",
                ": > policy.json                                | has 0 bytes",
                "rmdir source                                   | /path_aliases/0/host_path",
                "rmdir source; ln -s /srv source                | leads through a symbolic link",
                "rmdir source; mkfifo source                    | neither a regular file nor a directory",
                "sed -i s/revision/revison/ policy.json         | did you mean 'revision'?",
            })
    void whatIsWrongIsTold(String change, String told) throws Exception {
        Command.Result result = run(change + "; policy validate && exit 9; policy validate --json");

        assertThat(result.status()).as("%s", result).isEqualTo(1);
        assertThat(result.err()).contains(told);
        assertThat(result.out()).contains("\"valid\":false").contains("\"policy_invalid\"");
    }

    @Test
    void aPlanIsCheckedByItselfAndByAPolicy() throws Exception {
        Command.Result good = run("$GLOVE plan validate plan.json --policy \"$PWD/policy.json\"");
        Command.Result bad = run("""
                sed -i 's/"revision":3/"revision":4/' policy.json
                $GLOVE plan validate plan.json
                $GLOVE plan validate plan.json --policy "$PWD/policy.json"
                """);

        assertThat(good.status()).as("%s", good).isZero();
        assertThat(good.out()).startsWith("a good plan: plan_content_digest ");
        assertThat(bad.status()).isEqualTo(1);
        assertThat(bad.out()).startsWith("a good plan: ");
        assertThat(bad.err()).contains("'/policy_revision' is 3: make the plan for revision 4");
    }

    @Test
    void aBadCommandLineIsOne() throws Exception {
        for (String line : new String[] {
            "policy", "policy validate", "policy check --file /x", "policy explain --file",
            "policy explain --file /a --file /b", "policy explain --fil /a", "plan",
                    "plan validate",
            "plan validate a b", "plan validate /nowhere", "policy validate x --file /x",
        }) {
            Command.Result result = room.shell("$GLOVE " + line).run();
            assertThat(result.status()).as(line).isEqualTo(2);
            assertThat(result.err()).as(line).contains("glove p").contains("Try: ");
        }
    }
}
