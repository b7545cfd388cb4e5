package glove.policy.session;

import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonWriter;
import glove.wire.Token;

import java.util.Arrays;
import java.util.Optional;

/**
 * What a skill is asked in an evaluation, for the supervisor alone (sheet 10, 4.4). Immutable.
 *
 * @param run which evaluation it belongs to
 * @param digests of what is compared
 * @param dataset what it was drawn from
 * @param model what answers
 * @param harness what runs the model
 * @param module of the code it is about
 * @param skill the one that is shown
 * @param matchedContextDigest see {@link #matchedContext}
 * @param assertions what is checked in the end
 */
record RefinementFixture(
        Run run,
        Digests digests,
        Dataset dataset,
        FixtureModel model,
        String harness,
        Optional<FixtureModule> module,
        Skill skill,
        Digest matchedContextDigest,
        FixtureAssertions assertions) {
    /** How long one may be. */
    static final int BYTES_MAX = 256 << 10;

    static final String SCHEMA = "glove.refinement-eval-fixture-v1";
    static final Token TEXT = new Token(512);
    private static final Token NAME = new Token(128);
    private static final JsonLimits LIMITS = JsonLimits.FILE.withBytesMax(BYTES_MAX);

    /** Which evaluation. */
    record Run(String evaluationRunId, String pairId, String sessionId, Variant variant) {}

    /** What is compared. */
    record Digests(Digest proposal, Digest baseProjection, Digest candidateProjection) {}

    /**
     * Where the question comes from.
     *
     * @param seed a number of 64 bits without sign
     */
    record Dataset(
            String fixtureId,
            Digest fixtureDigest,
            String reference,
            Digest fingerprint,
            long seed) {}

    /** The skill that is shown. */
    record Skill(String projectionId, Digest projectionDigest) {}

    /**
     * Reads one. Only the canonical form is one: every other text has another digest.
     *
     * @return the fixture; empty when there are problems
     */
    static Optional<RefinementFixture> parse(byte[] json, JsonProblems problems) {
        RefinementFixture read;
        try {
            read = read(JsonFields.of(JsonText.value(json, LIMITS).root(), problems));
        } catch (JsonException e) {
            problems.add(new JsonProblem("", "is no JSON: " + e.getMessage(), ""));
            return Optional.empty();
        }
        if (problems.isEmpty() && !Arrays.equals(read.toJson(), json)) {
            problems.add(new JsonProblem("", "is not in the canonical form", ""));
        }
        return problems.isEmpty() ? Optional.of(read) : Optional.empty();
    }

    private static RefinementFixture read(JsonFields fields) {
        String schema = fields.string("schema");
        if (!schema.equals(SCHEMA)) {
            fields.problem("schema", "is another", "write " + SCHEMA);
        }
        String run = fields.value("evaluation_run_id", TEXT);
        String pair = fields.value("pair_id", TEXT);
        String session = fields.value("session_id", NAME);
        Variant variant = fields.value("variant", Variant.CLASS);
        Digests digests = new Digests(
                fields.value("proposal_digest", Digest.CLASS),
                fields.value("base_projection_digest", Digest.CLASS),
                fields.value("candidate_projection_digest", Digest.CLASS));
        Dataset dataset = new Dataset(
                fields.value("fixture_id", TEXT),
                fields.value("fixture_digest", Digest.CLASS),
                fields.value("dataset_ref", TEXT),
                fields.value("dataset_fingerprint", Digest.CLASS),
                fields.u64("seed"));
        FixtureModel model = FixtureModel.read(fields.object("model"));
        RefinementFixture read = new RefinementFixture(
                new Run(run, pair, session, variant),
                digests,
                dataset,
                model,
                fields.value("harness", TEXT),
                fields.optionalObject("module").map(FixtureModule::read),
                new Skill(
                        fields.value("skill_projection_id", NAME),
                        fields.value("skill_projection_digest", Digest.CLASS)),
                fields.value("matched_context_digest", Digest.CLASS),
                FixtureAssertions.read(fields.object("assertions")));
        fields.end();
        return read;
    }

    /** The canonical form. */
    byte[] toJson() {
        JsonWriter out = JsonWriter.canonical();
        out.beginObject()
                .member("schema", SCHEMA)
                .member("evaluation_run_id", run.evaluationRunId)
                .member("pair_id", run.pairId)
                .member("session_id", run.sessionId)
                .member("variant", run.variant.word())
                .member("proposal_digest", digests.proposal.hex())
                .member("base_projection_digest", digests.baseProjection.hex())
                .member("candidate_projection_digest", digests.candidateProjection.hex())
                .member("fixture_id", dataset.fixtureId)
                .member("fixture_digest", dataset.fixtureDigest.hex())
                .member("dataset_ref", dataset.reference)
                .member("dataset_fingerprint", dataset.fingerprint.hex())
                .unsigned("seed", dataset.seed);
        model.write(out.name("model"));
        out.member("harness", harness);
        module.ifPresent(value -> value.write(out.name("module")));
        out.member("skill_projection_id", skill.projectionId)
                .member("skill_projection_digest", skill.projectionDigest.hex())
                .member("matched_context_digest", matchedContextDigest.hex());
        assertions.write(out.name("assertions"));
        return out.endObject().toBytes();
    }

    /**
     * What two runs of one evaluation have in common (sheet 10, 4.5): all but session, variant and
     * skill.
     *
     * @param planContext {@link SessionPlan#contextDigest}
     */
    Digest matchedContext(Digest planContext) {
        DigestWriter out = new DigestWriter("glove.refinement-matched-context")
                .u8(1)
                .digest(planContext)
                .string(SCHEMA)
                .string(run.evaluationRunId)
                .string(run.pairId)
                .digest(digests.proposal)
                .digest(digests.baseProjection)
                .digest(digests.candidateProjection)
                .string(dataset.fixtureId)
                .digest(dataset.fixtureDigest)
                .string(dataset.reference)
                .digest(dataset.fingerprint)
                .u64(dataset.seed);
        model.write(out);
        out.string(harness).bool(module.isPresent());
        module.ifPresent(value -> value.write(out));
        assertions.write(out);
        return out.sha256();
    }
}
