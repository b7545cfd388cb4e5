package glove.policy.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonException;
import glove.wire.JsonProblems;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Plans against policies, as other implementations decide and print them. */
@Tag("unit")
final class SessionPlanTest {
    /** Accepted elsewhere by readers that are lax (spec/00, 4). */
    private static final Set<String> REFUSED_HERE = Set.of(
            "missing-secret-handles",
            "missing-max-bytes-in-read-grant",
            "duplicate-key-last-wins",
            "number-exponent",
            "number-exponent-scaled",
            "trailing-garbage",
            "two-documents");

    private static SessionPolicy policy(String file) throws Exception {
        JsonValue context = Vectors.file(file).member("context").orElseThrow();
        byte[] json = Vectors.string(context, "policy_json").getBytes(StandardCharsets.UTF_8);
        JsonProblems problems = JsonProblems.all(9);
        Optional<SessionPolicy> policy = SessionPolicy.parse(json, new TestPaths(), problems);
        assertThat(problems.list()).isEmpty();
        return policy.orElseThrow();
    }

    private static void check(String file, ExposureGrants exposures) throws Exception {
        PlanRules rules = new PlanRules(policy(file), new TestPaths(), exposures);
        List<String> wrong = new ArrayList<>();
        for (JsonValue one : Vectors.cases(file)) {
            String name = Vectors.string(one, "name");
            JsonProblems problems = JsonProblems.all(9);
            Optional<SessionPlan> plan =
                    rules.admit(Vectors.text(one, "plan"), Vectors.number(one, "now_ms"), problems);
            boolean expected = Vectors.isAccepted(one) && !REFUSED_HERE.contains(name);
            if (plan.isPresent() != expected) {
                wrong.add(name + ": " + problems.list());
            } else if (expected) {
                String json = new String(plan.get().toJson(), StandardCharsets.UTF_8);
                String digest = plan.get().contentDigest().hex();
                if (!json.equals(Vectors.string(one, "canonical_json"))
                        || !digest.equals(Vectors.string(one, "plan_content_digest"))) {
                    wrong.add(name + ": " + json);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void plansOfAliasesAreDecidedAndWrittenTheSame() throws Exception {
        check("session_plan_canonical.json", ExposureGrants.NONE);
    }

    @Test
    void plansOfExposuresAreDecidedAndWrittenTheSame() throws Exception {
        check("session_plan_v2_canonical.json", new TestExposures());
    }

    /** What the vectors' registry held. */
    private static final class TestExposures implements ExposureGrants {
        private record Exposure(
                String scope, List<PathGrant.Terms> modes, long expiresAtMs, Id128 template) {}

        private static final Id128 TEMPLATE = new Id128("codex-safe");

        private static PathGrant.Terms mode(Access access, long maxBytes) {
            boolean copied = access.isCopied();
            return new PathGrant.Terms(
                    access,
                    copied ? Materialization.COPY : Materialization.BIND,
                    maxBytes,
                    0,
                    access == Access.EPHEMERAL_WRITE ? CleanupPolicy.REMOVE : CleanupPolicy.RETAIN);
        }

        private static Optional<Exposure> find(String id) throws IOException, JsonException {
            JsonValue context = Vectors.file("session_plan_v2_canonical.json")
                    .member("context")
                    .orElseThrow();
            for (JsonValue one : context.member("exposures").orElseThrow().children()) {
                if (Vectors.string(one, "exposure_id").equals(id)) {
                    List<PathGrant.Terms> modes = id.equals("beta")
                            ? List.of(mode(Access.RETAINED_WRITE, 67108864))
                            : List.of(mode(Access.READ, 0), mode(Access.EPHEMERAL_WRITE, 2097152));
                    return Optional.of(new Exposure(
                            Vectors.string(one, "scope_digest"),
                            modes,
                            Vectors.number(one, "expires_at_ms"),
                            id.equals("gamma") ? new Id128("other") : TEMPLATE));
                }
            }
            return Optional.empty();
        }

        @Override
        public Optional<String> refusal(
                PathGrant.Exposed grant, PathGrant.Terms terms, Id128 template, long nowMs) {
            Optional<Exposure> exposure;
            try {
                exposure = find(grant.id().text());
            } catch (IOException | JsonException e) {
                throw new IllegalStateException(e);
            }
            boolean covered = exposure.isPresent()
                    && grant.generation() == 1
                    && exposure.get().scope.equals(grant.scopeDigest().hex())
                    && exposure.get().template.equals(template)
                    && terms.ttlSecs() <= (exposure.get().expiresAtMs - nowMs) / 1000
                    && exposure.get().modes.stream()
                            .anyMatch(mode -> mode.access() == terms.access()
                                    && mode.materialization() == terms.materialization()
                                    && mode.cleanup() == terms.cleanup()
                                    && terms.maxBytes() <= mode.maxBytes())
                    && (terms.access() != Access.RETAINED_WRITE || terms.maxBytes() >= 33554432);
            return covered ? Optional.empty() : Optional.of("is not covered");
        }
    }

    @Test
    void contextDigestsOfEvaluationsAreTheSame() throws Exception {
        PlanRules rules = new PlanRules(
                policy("plan_context_digest.json"), new TestPaths(), ExposureGrants.NONE);
        int evaluations = 0;
        for (JsonValue one : Vectors.cases("plan_context_digest.json")) {
            JsonProblems problems = JsonProblems.all(9);
            SessionPlan plan = rules.admit(
                            Vectors.text(one, "plan"), Vectors.number(one, "now_ms"), problems)
                    .orElseThrow(() -> new AssertionError(problems.list()));
            assertThat(plan.isRefinement()).isEqualTo(Vectors.isAccepted(one));
            if (plan.isRefinement()) {
                assertThat(plan.contextDigest())
                        .as(Vectors.string(one, "name"))
                        .isEqualTo(new Digest(Vectors.string(one, "plan_context_digest")));
                evaluations++;
            }
        }
        assertThat(evaluations).isGreaterThan(5);
    }

    @Test
    void anEvaluationWithExposuresIsRefused() throws Exception {
        PlanRules rules = new PlanRules(
                policy("plan_context_digest.json"),
                new TestPaths(),
                (grant, terms, template, now) -> Optional.empty());
        JsonValue one = Vectors.cases("plan_context_digest.json").get(0);
        String plan = Vectors.string(one, "plan_text")
                .replaceFirst("\"schema_version\":1", "\"schema_version\":2");
        String granting = plan.replaceFirst(
                "\"path_grants\":\\[\\]",
                "\"path_grants\":[{\"exposure_id\":\"a\",\"generation\":1,\"scope_digest\":\""
                        + Digest.ZERO
                        + "\",\"access\":\"read\",\"materialization\":\"bind\","
                        + "\"max_bytes\":0,\"ttl_secs\":1,\"cleanup_policy\":\"retain\"}]");

        assertThat(problems(rules, plan)).as("control").isEmpty();
        assertThat(problems(rules, granting))
                .containsExactly("'/path_grants' has some, and an evaluation gets none: write []");
    }

    private static List<String> problems(PlanRules rules, String plan) {
        JsonProblems problems = JsonProblems.all(9);
        rules.admit(plan.getBytes(StandardCharsets.UTF_8), 1000, problems);
        return problems.list().stream().map(Object::toString).toList();
    }

    @Test
    void allThatIsWrongIsSaidWithPlaceAndRemedy() throws Exception {
        PlanRules rules = new PlanRules(
                policy("session_plan_canonical.json"), new TestPaths(), ExposureGrants.NONE);
        String plan = Vectors.string(
                        Vectors.cases("session_plan_canonical.json").get(0), "plan_text")
                .replace("\"policy_revision\":7", "\"policy_revision\":8")
                .replace("\"pids\":16", "\"pids\":17")
                .replace("\"ttl_secs\":60", "\"ttl_secs\":600")
                .replace("codex-token", "other-token");

        assertThat(problems(rules, plan))
                .containsExactly(
                        "'/policy_revision' is 8: make the plan for revision 7",
                        "'/limits' are those of no profile: write all six of one profile",
                        "'/path_grants/0/ttl_secs' is 600: from 1 to 60, what is left of the plan",
                        "'/path_grants/0/ttl_secs' is more than the policy has: at most 120",
                        "'/secret_handles/0' is not in the policy");
    }
}
