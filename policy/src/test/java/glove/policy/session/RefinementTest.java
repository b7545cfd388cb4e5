package glove.policy.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.wire.Digest;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Fixtures and outcomes of evaluations, as other implementations read and print them. */
@Tag("unit")
final class RefinementTest {
    private static Optional<RefinementFixture> fixture(byte[] json, JsonProblems problems) {
        return RefinementFixture.parse(json, problems);
    }

    @Test
    void matchedContextsAreTheSameAndFixturesAreWrittenAsTheyWere() throws Exception {
        for (JsonValue one : Vectors.cases("matched_context_digest.json")) {
            String name = Vectors.string(one, "name");
            byte[] json =
                    Vectors.string(one, "fixture_canonical_json").getBytes(StandardCharsets.UTF_8);
            JsonProblems problems = JsonProblems.all(9);
            RefinementFixture read = fixture(json, problems)
                    .orElseThrow(() -> new AssertionError(name + problems.list()));

            assertThat(Digest.sha256(json).hex())
                    .isEqualTo(Vectors.string(one, "fixture_content_digest"));
            assertThat(read.toJson()).as(name).isEqualTo(json);
            Digest context = new Digest(Vectors.string(one, "plan_context_digest"));
            assertThat(read.matchedContext(context).hex())
                    .as(name)
                    .isEqualTo(Vectors.string(one, "matched_context_digest"));
        }
    }

    @Test
    void fixturesAreDecidedTheSame() throws Exception {
        for (JsonValue one : Vectors.cases("refinement_fixture_decode.json")) {
            JsonProblems problems = JsonProblems.all(9);
            Optional<RefinementFixture> read = fixture(Vectors.text(one, "fixture"), problems);
            assertThat(read.isPresent())
                    .as("%s %s", Vectors.string(one, "name"), problems.list())
                    .isEqualTo(Vectors.isAccepted(one));
        }
    }

    @Test
    void moduleAndLimitEnterTheMatchedContext() throws Exception {
        JsonValue one = Vectors.cases("matched_context_digest.json").get(0);
        String json = Vectors.string(one, "fixture_canonical_json")
                .replace("\"provider\":\"openai\",", "")
                .replace("\"max_latency_ms\":1000", "")
                .replace("[\"sandbox escaped\"],}", "[\"sandbox escaped\"]}")
                .replace(
                        "\"expected_termination\":\"exited\",\"expected_exit_code\":0",
                        "\"expected_termination\":\"wall_time_limit\"")
                .replace(
                        "\"harness\":\"codex\",",
                        "\"harness\":\"codex\",\"module\":{\"repository_id\":\"repo\","
                                + "\"repository_tree\":\"" + "1".repeat(64)
                                + "\",\"module_id\":\"" + "2".repeat(64)
                                + "\",\"label\":\"core\",\"include_paths\":[\"a\",\"b\"],"
                                + "\"exclude_paths\":[],\"languages\":[\"c++\"],"
                                + "\"frameworks\":[],\"package_managers\":[\"cmake\"],"
                                + "\"detector_version\":3},");
        JsonProblems problems = JsonProblems.all(9);
        RefinementFixture read = fixture(json.getBytes(StandardCharsets.UTF_8), problems)
                .orElseThrow(() -> new AssertionError(problems.list()));

        assertThat(read.matchedContext(new Digest("e".repeat(64))).hex())
                .isEqualTo("469e4559b21713a27864d6ae173c4f0c38662961ec7a14cb078df8534ad3709a");
    }

    @Test
    void outcomesAreWrittenTheSame() throws Exception {
        for (JsonValue one : Vectors.cases("refinement_outcome_commitment.json")) {
            SortedMap<String, Long> metrics = new TreeMap<>();
            for (JsonValue metric : one.member("metrics").orElseThrow().children()) {
                metrics.put(metric.name(), Long.parseLong(metric.number()));
            }
            String name = Vectors.string(one, "name");
            if (!Vectors.isAccepted(one)) {
                assertThatThrownBy(() -> new RefinementOutcome(metrics))
                        .as(name)
                        .isInstanceOf(IllegalArgumentException.class);
                continue;
            }
            RefinementOutcome outcome = new RefinementOutcome(metrics);
            assertThat(new String(outcome.toJson(), StandardCharsets.UTF_8))
                    .as(name)
                    .isEqualTo(Vectors.string(one, "canonical_json"));
            assertThat(outcome.commitment().digest().hex())
                    .isEqualTo(Vectors.string(one, "digest"));
            assertThat(outcome.commitment().byteLength())
                    .isEqualTo((int) Vectors.number(one, "byte_length"));
            JsonValue json = JsonText.value(outcome.toJson(), JsonLimits.FILE).root();
            assertThat(RefinementOutcome.read(JsonFields.of(json, JsonProblems.first())))
                    .isEqualTo(outcome);
        }
        assertThat(RefinementOutcome.Commitment.NONE.digest().hex()).startsWith("e3b0c442");
    }
}
