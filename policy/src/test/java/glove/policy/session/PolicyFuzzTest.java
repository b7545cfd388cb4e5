package glove.policy.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Corpus;
import glove.testkit.Mutations;
import glove.testkit.Seed;
import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Whatever happens to the bytes of a policy, plan, launch template or fixture: it is refused with a
 * place and words, or everything it says is kept, in a canonical text that reads as the same. No
 * other exception, and bounded time, whatever the length.
 */
@Tag("unit")
@Timeout(900)
final class PolicyFuzzTest {
    private static final int CASES = 6000;

    /** A reader: what it made of a text, told by what can be checked of it. */
    private interface Reader {
        /** Checks what was accepted and returns its canonical text; empty when it was refused. */
        Optional<byte[]> read(byte[] json, JsonProblems problems) throws Exception;
    }

    private static List<byte[]> corpus(String name) throws Exception {
        return Corpus.lines(Objects.requireNonNull(PolicyFuzzTest.class.getResourceAsStream(name)));
    }

    private static List<byte[]> vectors(String file, String member) throws Exception {
        List<byte[]> all = new ArrayList<>();
        for (JsonValue one : Vectors.cases(file)) {
            all.add(Vectors.text(one, member));
        }
        return all;
    }

    /** How many were accepted; each problem has a place in the text and says something. */
    private static int accepted(List<byte[]> corpus, Reader reader) throws Exception {
        int accepted = 0;
        for (byte[] json : corpus) {
            accepted += isAccepted(json, reader) ? 1 : 0;
        }
        return accepted;
    }

    private static boolean isAccepted(byte[] json, Reader reader) throws Exception {
        JsonProblems problems = JsonProblems.all(9);
        Optional<byte[]> canonical = reader.read(json, problems);
        String text = new String(json, StandardCharsets.UTF_8);
        String told = Seed.words() + " " + text + " " + problems.list();
        assertThat(canonical.isPresent()).as(told).isEqualTo(problems.isEmpty());
        for (JsonProblem problem : problems.list()) {
            assertThat(problem.pointer()).as(told).matches("(?s)|/.*");
            assertThat(problem.what()).as(told).matches("\\p{Print}+");
            assertThat(problem.instead()).as(told).matches("\\p{Print}*");
        }
        if (canonical.isPresent()) {
            JsonProblems none = JsonProblems.first();
            assertThat(reader.read(canonical.get(), none).orElseThrow())
                    .as(told)
                    .isEqualTo(canonical.get());
        }
        return canonical.isPresent();
    }

    /** Mutations of all of a corpus, of which some must be accepted and some not. */
    private static void fuzz(List<byte[]> corpus, Reader reader) throws Exception {
        int good = accepted(corpus, reader);
        assertThat(good).as("the corpus has both").isBetween(1, corpus.size() - 1);
        int accepted = 0;
        for (int i = 0; i < CASES; i++) {
            byte[] json = corpus.get(i % corpus.size());
            accepted += isAccepted(Mutations.of(json, Seed.random(i)), reader) ? 1 : 0;
        }
        assertThat(accepted).as(Seed.words()).isBetween(1, CASES - 1);
    }

    private static Optional<byte[]> policy(byte[] json, JsonProblems problems)
            throws JsonException {
        Optional<SessionPolicy> read = SessionPolicy.parse(json, new TestPaths(), problems);
        if (read.isEmpty()) {
            return Optional.empty();
        }
        byte[] canonical = PolicyText.of(read.get());
        assertThat(Trees.withoutDefaults(canonical))
                .as(Seed.words())
                .isEqualTo(Trees.withoutDefaults(json));
        assertThat(SessionPolicy.parse(canonical, new TestPaths(), JsonProblems.first()))
                .as(Seed.words())
                .isEqualTo(read);
        return Optional.of(canonical);
    }

    @Test
    void aMutatedPolicyIsRefusedWithItsPlaceOrKeptWhole() throws Exception {
        List<byte[]> all = corpus("fuzz-policies.txt");
        all.addAll(vectors("session_policy_load.json", "policy"));
        fuzz(all, PolicyFuzzTest::policy);
    }

    private static Optional<byte[]> plan(byte[] json, JsonProblems problems) throws JsonException {
        Optional<SessionPlan> read = SessionPlan.parse(json, problems);
        if (read.isEmpty()) {
            return Optional.empty();
        }
        byte[] canonical = read.get().toJson();
        assertThat(Trees.of(canonical)).as(Seed.words()).isEqualTo(Trees.of(json));
        SessionPlan again = SessionPlan.parse(canonical, JsonProblems.first()).orElseThrow();
        assertThat(again).as(Seed.words()).isEqualTo(read.get());
        assertThat(again.contentDigest()).as(Seed.words()).isEqualTo(Digest.sha256(canonical));
        return Optional.of(canonical);
    }

    @Test
    void aMutatedPlanOfEitherSchemaIsRefusedWithItsPlaceOrKeptWhole() throws Exception {
        List<byte[]> all = corpus("fuzz-plans.txt");
        all.addAll(vectors("session_plan_canonical.json", "plan"));
        all.addAll(vectors("session_plan_v2_canonical.json", "plan"));
        fuzz(all, PolicyFuzzTest::plan);
    }

    /** What a policy allows is never more than what was written, and never on another day. */
    @Test
    void aMutatedPlanThatIsAdmittedIsOneOfThePolicy() throws Exception {
        JsonValue context =
                Vectors.file("session_plan_canonical.json").member("context").orElseThrow();
        byte[] json = Vectors.string(context, "policy_json").getBytes(StandardCharsets.UTF_8);
        SessionPolicy policy =
                SessionPolicy.parse(json, new TestPaths(), JsonProblems.first()).orElseThrow();
        PlanRules rules = new PlanRules(policy, new TestPaths(), ExposureGrants.NONE);
        List<byte[]> plans = vectors("session_plan_canonical.json", "plan");
        int admitted = 0;
        for (int i = 0; i < CASES; i++) {
            byte[] mutated = Mutations.of(plans.get(i % plans.size()), Seed.random(i));
            Optional<SessionPlan> read = rules.admit(mutated, 1000, JsonProblems.first());
            if (read.isEmpty()) {
                continue;
            }
            admitted++;
            SessionPlan plan = read.get();
            assertThat(plan.expiresAtMs())
                    .as(Seed.words())
                    .isBetween(1001L, 1000 + policy.maxPlanTtlMs());
            assertThat(policy.profiles().stream().map(ResourceProfile::limits))
                    .as(Seed.words())
                    .contains(plan.limits());
            RuntimeTemplate template =
                    policy.template(plan.runtime().templateId()).orElseThrow();
            assertThat(plan.runtime().adapterCommandDigest())
                    .as(Seed.words())
                    .isEqualTo(template.adapterCommandDigest());
            for (PathGrant grant : plan.pathGrants()) {
                assertThat(template.pathAliases())
                        .as(Seed.words())
                        .contains(grant.source().id());
            }
        }
        assertThat(admitted).as(Seed.words()).isBetween(1, CASES - 1);
    }

    /** What a digest covers, by the words of the format: numbers and lengths, big-endian. */
    private static Digest expectedDigest(LaunchTemplate launch) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        text(out, "glove.runtime-launch-template");
        out.write(launch.isDiscovered() ? 2 : 1);
        if (launch.isDiscovered()) {
            text(out, launch.discovery());
            texts(out, launch.searchPaths().stream().map(AbsolutePath::text).toList());
        }
        text(out, launch.executable());
        texts(out, launch.arguments());
        texts(out, launch.environment());
        texts(out, launch.readOnlyPaths().stream().map(AbsolutePath::text).toList());
        return Digest.sha256(out.toByteArray());
    }

    private static void text(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeBytes(ByteBuffer.allocate(4).putInt(bytes.length).array());
        out.writeBytes(bytes);
    }

    private static void texts(ByteArrayOutputStream out, List<String> texts) {
        out.writeBytes(ByteBuffer.allocate(4).putInt(texts.size()).array());
        texts.forEach(text -> text(out, text));
    }

    private static Optional<byte[]> launch(byte[] json, JsonProblems problems)
            throws JsonException {
        JsonValue root;
        try {
            root = JsonText.value(json, JsonLimits.FILE).root();
        } catch (JsonException e) {
            problems.add(new JsonProblem("", "is no JSON", ""));
            return Optional.empty();
        }
        LaunchTemplate read = LaunchTemplate.read(JsonFields.of(root, problems).missingIsDefault());
        if (!problems.isEmpty()) {
            return Optional.empty();
        }
        JsonWriter out = JsonWriter.canonical();
        PolicyText.write(read, out);
        byte[] canonical = out.toBytes();
        assertThat(Trees.withoutDefaults(canonical))
                .as(Seed.words())
                .isEqualTo(Trees.withoutDefaults(json));
        assertThat(read.digest()).as(Seed.words()).isEqualTo(expectedDigest(read));
        return Optional.of(canonical);
    }

    @Test
    void aMutatedLaunchIsRefusedOrItsDigestIsThatOfNoOther() throws Exception {
        List<byte[]> all = corpus("fuzz-launches.txt");
        for (JsonValue one : Vectors.cases("launch_template_digest.json")) {
            all.add(one.member("launch", JsonKind.OBJECT).orElseThrow().toBytes());
        }
        Map<Digest, String> seen = new HashMap<>();
        fuzz(all, (json, problems) -> {
            Optional<byte[]> canonical = launch(json, problems);
            if (canonical.isPresent()) {
                JsonValue root =
                        JsonText.value(canonical.get(), JsonLimits.FILE).root();
                Digest digest = LaunchTemplate.read(JsonFields.of(root, JsonProblems.first()))
                        .digest();
                String text = new String(canonical.get(), StandardCharsets.UTF_8);
                assertThat(seen.putIfAbsent(digest, text)).isIn(null, text);
            }
            return canonical;
        });
    }

    @Test
    void aMutatedFixtureIsRefusedOrByteForByteWhatItSays() throws Exception {
        List<byte[]> all = corpus("fuzz-fixtures.txt");
        all.addAll(vectors("refinement_fixture_decode.json", "fixture"));
        for (JsonValue one : Vectors.cases("matched_context_digest.json")) {
            all.add(Vectors.string(one, "fixture_canonical_json").getBytes(StandardCharsets.UTF_8));
        }
        Digest plan = Digest.sha256(new byte[0]);
        Map<Digest, RefinementFixture> contexts = new HashMap<>();
        fuzz(all, (json, problems) -> {
            Optional<RefinementFixture> read = RefinementFixture.parse(json, problems);
            if (read.isEmpty()) {
                return Optional.empty();
            }
            assertThat(read.get().toJson()).as(Seed.words()).isEqualTo(json);
            RefinementFixture earlier =
                    contexts.putIfAbsent(read.get().matchedContext(plan), read.get());
            if (earlier != null) {
                assertThat(compared(earlier)).as(Seed.words()).isEqualTo(compared(read.get()));
            }
            return Optional.of(json);
        });
        assertThat(contexts).as("digests of different fixtures").hasSizeGreaterThan(9);
    }

    /** All that two fixtures of one context have in common. */
    private static List<Object> compared(RefinementFixture fixture) {
        return List.of(
                fixture.run().evaluationRunId(),
                fixture.run().pairId(),
                fixture.digests(),
                fixture.dataset(),
                fixture.model(),
                fixture.harness(),
                fixture.module(),
                fixture.assertions());
    }

    /** Long inputs take no time and memory of their own: each reader looks at a bounded part. */
    @Test
    void longAndDeepInputsAreRefusedSoon() throws Exception {
        int most = SessionPolicy.BYTES_MAX;
        byte[] deep = new byte[most];
        Arrays.fill(deep, (byte) '[');
        byte[] names = ("{" + "\"a\":[],".repeat(most / 8 - 2) + "\"b\":1}")
                .getBytes(StandardCharsets.UTF_8);
        byte[] entries = ("{\"schema_version\":1,\"runtime_templates\":["
                        + "{},".repeat(most / 4)
                        + "{}]}")
                .getBytes(StandardCharsets.UTF_8);
        byte[] digits = ("{\"schema_version\":" + "1".repeat(most / 2) + "}")
                .getBytes(StandardCharsets.UTF_8);
        for (byte[] json : List.of(deep, names, entries, digits, new byte[most + 1])) {
            assertThat(isAccepted(json, PolicyFuzzTest::policy)).isFalse();
            assertThat(isAccepted(json, PolicyFuzzTest::plan)).isFalse();
            assertThat(isAccepted(json, PolicyFuzzTest::launch)).isFalse();
            assertThat(RefinementFixture.parse(json, JsonProblems.first())).isEmpty();
        }
    }
}
