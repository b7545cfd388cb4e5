package glove.policy.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Policies, as other implementations load them, and what is said about wrong ones. */
@Tag("unit")
final class SessionPolicyTest {
    /** About the file, not the text. */
    private static final Set<String> OF_FILES = Set.of("mode-0644", "mode-0400");

    private static final Set<String> REFUSED_HERE = Set.of("two-documents");

    private static final String CLOUDFLARE = "cloudflare-os-session-policy.json";
    private static final String SAMPLE = "sample-policy.json";

    /** What the sample carries was computed without its read-only paths. */
    private static final String STALE =
            "05a49649e7973f6f8d6b119c9d525472517e6021fb38f8b191e0b40c8c4741d0";

    private static final String FRESH =
            "e66c0652fedc80fcdfe875761036053f973708ad72207e388c07de41553c4e33";

    private static String text(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(SessionPolicyTest.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Optional<SessionPolicy> parse(String text, JsonProblems problems) {
        byte[] json = text.getBytes(StandardCharsets.UTF_8);
        return SessionPolicy.parse(json, new TestPaths(), problems);
    }

    private static List<JsonProblem> problems(String text) {
        JsonProblems problems = JsonProblems.all(20);
        assertThat(parse(text, problems).isPresent()).isEqualTo(problems.isEmpty());
        return problems.list();
    }

    @Test
    void everyPolicyIsDecidedTheSame() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (JsonValue one : Vectors.cases("session_policy_load.json")) {
            String name = Vectors.string(one, "name");
            if (OF_FILES.contains(name)) {
                continue;
            }
            List<JsonProblem> problems =
                    problems(new String(Vectors.text(one, "policy"), StandardCharsets.UTF_8));
            boolean expected = Vectors.isAccepted(one) && !REFUSED_HERE.contains(name);
            if (problems.isEmpty() != expected) {
                wrong.add(name + ": " + problems);
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void theSampleLoadsWithTheDigestItIsToldToHave() throws Exception {
        String sample = text(SAMPLE);

        assertThat(problems(sample))
                .extracting(JsonProblem::toString)
                .containsExactly(
                        "'/runtime_templates/0/adapter_command_digest' is not that of launch: write "
                                + FRESH);
        assertThat(problems(sample.replace(STALE, FRESH))).isEmpty();
    }

    @Test
    void theExampleOfTheDocumentationLoads() throws Exception {
        Path file = Path.of(System.getProperty("glove.root"), "docs/session-policy.md");
        String page = Files.readString(file);
        int start = page.indexOf("```json\n") + "```json\n".length();

        assertThat(problems(page.substring(start, page.indexOf("```", start)))).isEmpty();
    }

    @Test
    void theRemoteTemplateLoadsAndItsPlansAreAdmitted() throws Exception {
        SessionPolicy policy = parse(text(CLOUDFLARE), JsonProblems.first()).orElseThrow();
        String plan = """
                {"schema_version":1,"runtime_id":"cloudflare-os","runtime_template_id":"cloudflare-os-dev",
                "adapter_command_digest":"2c3af3985743cc37adbc120a49290f48ac04ddc1e3bde1aa16fee8301a259cee",
                "sandbox_backend":"remote_linux_container","egress_policy_id":"cloudflare-os-loopback",
                "tool_policy_id":"sage-readonly","path_grants":[{"alias":"workspace",
                "access":"ephemeral_write","materialization":"copy","max_bytes":4294967296,
                "ttl_secs":600,"cleanup_policy":"remove"}],"library_projections":[],"secret_handles":[],
                "limits":{"cpu_time_ms":120000,"memory_bytes":2147483648,"pids":256,
                "wall_time_ms":300000,"disk_bytes":6442450944,"terminal_output_bytes":16777216},
                "policy_revision":69,"expires_at_ms":601000}""";
        PlanRules rules = new PlanRules(policy, new TestPaths(), ExposureGrants.NONE);

        assertThat(admitted(rules, plan)).isEmpty();
        for (String access : List.of("read", "direct_write", "retained_write")) {
            assertThat(admitted(rules, plan.replace("ephemeral_write", access)))
                    .as(access)
                    .isNotEmpty();
        }
        assertThat(policy.egress(new Id128("cloudflare-os-loopback")).orElseThrow())
                .containsExactly(new EgressTargets.Target("127.0.0.1", 8787, true));
    }

    private static List<JsonProblem> admitted(PlanRules rules, String plan) {
        JsonProblems problems = JsonProblems.all(20);
        rules.admit(plan.getBytes(StandardCharsets.UTF_8), 1000, problems);
        return problems.list();
    }

    @Test
    void everyFieldOfTheRemoteLaunchIsInItsDigest() throws Exception {
        String policy = text(CLOUDFLARE);
        for (String[] change : new String[][] {
            {"bin/node\"", "bin/nodejs\""},
            {"run-local.mjs", "run-remote.mjs"},
            {"\"environment\": []", "\"environment\": [\"A=1\"]"},
            {"closure\"]\n", "closure\", \"/opt/other\"]\n"},
        }) {
            assertThat(problems(policy.replace(change[0], change[1])))
                    .as(change[1])
                    .extracting(JsonProblem::pointer)
                    .containsExactly("/runtime_templates/0/adapter_command_digest");
        }
    }

    /** One change to the sample, and where it is told. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`\"revision\": 7`|`\"revision\": 0`|/revision",
                "`\"revision\": 7`|`\"revison\": 7`|/revision",
                "`\"max_plan_ttl_ms\": 120000`|`\"max_plan_ttl_ms\": 2999`|/resource_profiles/0/wall_time_ms",
                "`\"codex\"`|`\"co dex\"`|/runtime_templates/0/runtime_id",
                "`\"linux_production\"`|`\"linux\"`|/runtime_templates/0/sandbox_backend",
                "`[\"libraries\"]`|`[\"books\"]`|/runtime_templates/0/allowed_projection_destinations",
                "`\"PATH=/usr/bin:/bin\", `|`\"XPATH=/usr/bin\", `|/runtime_templates/0/launch/environment/1",
                "`\"PATH=/usr/bin:/bin\"`|`\"GLOVE_LOCAL_SERVICE_X=1\"`|/runtime_templates/0/launch/environment/0",
                "`/usr/bin/true`|`usr/bin/true`|/runtime_templates/0/launch/executable_path",
                "`/opt/operator-harness/codex-runtime`|`/usr/bin`|/runtime_templates/0/launch/read_only_paths/0",
                "`/srv/work/sage-protocol`|`/srv/missing`|/path_aliases/0/host_path",
                "`/srv/work/sage-protocol`|`/home/me`|/path_aliases/0/host_path",
                "`/srv/work/sage-protocol`|`/srv/.ssh/x`|/path_aliases/0/host_path",
                "`\"/workspace\"`|`\"/etc/x\"`|/path_aliases/0/target_path",
                "`\"max_ttl_secs\": 120`|`\"max_ttl_secs\": 0`|/path_aliases/0/max_ttl_secs",
                "`\"copy\"`|`\"bind\"`|/path_aliases/0/access/0/create_policy",
                "`\"remove\"`|`\"retain\"`|/path_aliases/0/access/0/cleanup_policy",
                "`\"max_bytes\": 2097152`|`\"max_bytes\": 0`|/path_aliases/0/access/0/max_bytes",
                "`/opt/sage/library-bundles`|`/tmp/x`|/library_projection_destinations/0/target_path",
                "`\"pids\": 16`|`\"pids\": 4294967296`|/resource_profiles/0/pids",
                "`[\"no-network\"]`|`[\"a\", \"a\"]`|/egress_policy_ids/1",
                "`[\"codex-token\"]`|`[\"\"]`|/secret_handles/0",
            })
    void whatIsWrongIsToldWithItsPlace(String from, String to, String pointer) throws Exception {
        String sample = text(SAMPLE).replace(STALE, FRESH);

        assertThat(sample).contains(from);
        List<JsonProblem> problems =
                problems(sample.replaceFirst(Pattern.quote(from), Matcher.quoteReplacement(to)));
        assertThat(problems).extracting(JsonProblem::pointer).contains(pointer);
        assertThat(problems).noneMatch(problem -> problem.instead().isEmpty());
    }

    @Test
    void whatIsWrongIsToldOnce() throws Exception {
        String sample = text(SAMPLE).replace(STALE, FRESH);
        String many = "{\"profile_id\":\"p\"},".repeat(65);

        assertThat(problems(sample.replaceFirst("\"resource_profiles\": \\[", "$0" + many)))
                .extracting(JsonProblem::pointer)
                .containsExactly("/resource_profiles");
        assertThat(problems(sample.replace("/srv/work/sage-protocol", "//srv/work")))
                .extracting(JsonProblem::pointer)
                .containsExactly("/path_aliases/0/host_path");
        assertThat(problems(sample.replace("\"max_bytes\": 2097152", "\"max_bytes\": -1")))
                .extracting(JsonProblem::pointer)
                .containsExactly("/path_aliases/0/access/0/max_bytes");
        assertThat(problems(sample.replace(
                        "\"secret_handles\"",
                        "\"egress_policies\":[{\"policy_id\":\"no-network\",\"targets\":[{\"host\":\"a\"}]}],"
                                + "\"secret_handles\"")))
                .extracting(JsonProblem::pointer)
                .containsExactly("/egress_policies/0/targets");
    }

    @Test
    void allProblemsAreToldTogether() throws Exception {
        String sample = text(SAMPLE)
                .replace(STALE, Digest.ZERO.hex())
                .replace("\"pids\": 16", "\"pids\": 0")
                .replace("/srv/work/sage-protocol", "/proc/1")
                .replace("\"tool_policy_ids\"", "\"tools\"");

        assertThat(problems(sample))
                .extracting(JsonProblem::pointer)
                .contains("/resource_profiles/0/pids", "/path_aliases/0/host_path", "/tools")
                .hasSizeGreaterThan(3);
    }

    /** A mistake elsewhere hides none. */
    @Test
    void aWrongDigestIsToldBesideOtherMistakes() throws Exception {
        String text = text(CLOUDFLARE)
                .replaceFirst("\"revision\": *[0-9]+", "\"revision\": 0")
                .replaceFirst("(\"adapter_command_digest\": *\")....", "$1ffff");

        assertThat(problems(text))
                .extracting(JsonProblem::pointer)
                .contains("/revision", "/runtime_templates/0/adapter_command_digest");
    }
}
