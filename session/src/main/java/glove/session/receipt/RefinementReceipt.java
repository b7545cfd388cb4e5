package glove.session.receipt;

import glove.policy.session.RefinementOutcome;
import glove.policy.session.RefinementOutcome.Commitment;
import glove.policy.session.Variant;
import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.JsonFields;
import glove.wire.JsonProblem;
import glove.wire.JsonWriter;
import glove.wire.Token;
import glove.wire.U64;

import java.util.Optional;

/**
 * What an evaluation of a skill came to (sheet 40, 4). Immutable.
 *
 * @param resource what its session used, and why it ended
 * @param outcome its numbers; empty when there is no valid evidence for any
 * @param variant which of the two skills ran
 * @param bundles which they are
 * @param matchedContextDigest what the runs of both have in common
 * @param transcript what the session printed
 * @param evaluator what looked at it
 */
public record RefinementReceipt(
        ResourceReceipt resource,
        Optional<RefinementOutcome> outcome,
        Variant variant,
        Bundles bundles,
        Digest matchedContextDigest,
        Transcript transcript,
        Evaluator evaluator)
        implements Receipt {
    private static final int SCHEMA_VERSION = 1;

    /** Of what the digest covers, which is a newer one. */
    private static final int DIGEST_VERSION = 2;

    private static final String TEMPLATE = "refinement-eval-v1";
    private static final String VALID = "valid_outcome";
    private static final String INVALID = "invalid_outcome";
    private static final String TRANSCRIPT_SCHEMA = "glove.raw-pty-transcript-v1";
    private static final String EVALUATOR_SCHEMA = "glove.declarative-refinement-evaluator-v1";
    private static final int NAME_MAX = 128;
    private static final Token NAME = new Token(NAME_MAX);

    /**
     * A bundle as an evaluation knows it. Immutable.
     *
     * @param projectionId its name in the plan: 1 to 128 bytes
     * @param contentDigest SHA-256 of it
     * @param destinationAlias where it was shown: 1 to 128 bytes
     */
    public record Bundle(String projectionId, Digest contentDigest, String destinationAlias) {
        private static Bundle read(JsonFields fields) {
            Bundle read = new Bundle(
                    fields.value("projection_id", NAME),
                    fields.value("content_digest", Digest.CLASS),
                    fields.value("destination_alias", NAME));
            fields.end();
            return read;
        }

        private boolean isNamed() {
            return NAME.parse(projectionId).isPresent()
                    && NAME.parse(destinationAlias).isPresent();
        }

        private void write(JsonWriter out) {
            out.beginObject()
                    .member("projection_id", projectionId)
                    .member("content_digest", contentDigest.hex())
                    .member("destination_alias", destinationAlias)
                    .endObject();
        }

        private void write(DigestWriter out) {
            out.string(projectionId).digest(contentDigest).string(destinationAlias);
        }
    }

    /**
     * What an evaluation is about. Immutable.
     *
     * @param fixture what was asked
     * @param base the skill there is
     * @param candidate the proposed one
     */
    public record Bundles(Bundle fixture, Bundle base, Bundle candidate) {}

    /**
     * All the session printed. Immutable.
     *
     * @param digest SHA-256 of it
     * @param byteCount of it; u64
     * @param complete whether nothing is missing
     */
    public record Transcript(Digest digest, long byteCount, boolean complete) {}

    /**
     * What was looked for in it. Immutable.
     *
     * @param fixtureComplete whether all was asked
     * @param transcriptUtf8 whether it was text
     * @param requiredLiterals how many were wanted; u32
     * @param forbiddenLiterals how many were not; u32
     */
    public record Evaluator(
            boolean fixtureComplete,
            boolean transcriptUtf8,
            int requiredLiterals,
            int forbiddenLiterals) {}

    @Override
    public ReceiptKind kind() {
        return ReceiptKind.REFINEMENT;
    }

    @Override
    public String complaint() {
        String complaint = resource.complaint();
        if (!complaint.isEmpty()) {
            return complaint;
        }
        boolean named =
                bundles.fixture.isNamed() && bundles.base.isNamed() && bundles.candidate.isNamed();
        if (!named) {
            return "names a bundle by what is no name";
        }
        if (transcript.byteCount != resource.observed().terminalOutputBytes()) {
            return "has a transcript of " + U64.text(transcript.byteCount) + " bytes, where "
                    + U64.text(resource.observed().terminalOutputBytes()) + " were printed";
        }
        boolean readable = transcript.complete && evaluator.transcriptUtf8;
        if (outcome.isPresent()) {
            return readable && evaluator.fixtureComplete
                    ? ""
                    : "has an outcome without complete evidence";
        }
        return readable ? "has complete evidence and no outcome" : "";
    }

    /** Reads one; what is wrong is a problem, and the value of no use then. */
    static RefinementReceipt read(JsonFields fields) {
        Fixed.u8(fields, "schema_version", SCHEMA_VERSION);
        Fixed.string(fields, "runtime_template_id", TEMPLATE);
        ResourceReceipt resource = ResourceReceipt.read(fields.object("resource_receipt"));
        boolean valid = fields.isString("evidence_status", VALID);
        Fixed.string(fields, "evidence_status", valid ? VALID : INVALID);
        Variant variant = fields.value("variant", Variant.CLASS);
        Bundles bundles = new Bundles(
                Bundle.read(fields.object("fixture")),
                Bundle.read(fields.object("base")),
                Bundle.read(fields.object("candidate")));
        Digest context = fields.value("matched_context_digest", Digest.CLASS);
        JsonFields commitment = fields.object("outcome");
        Optional<RefinementOutcome> outcome = valid
                ? Optional.of(RefinementOutcome.read(fields.object("evaluated_outcome")))
                : Optional.empty();
        readCommitment(commitment, commitment(outcome));
        RefinementReceipt read = new RefinementReceipt(
                resource,
                outcome,
                variant,
                bundles,
                context,
                readTranscript(fields.object("transcript")),
                readEvaluator(fields.object("evaluator")));
        fields.end();
        String complaint = read.complaint();
        if (!complaint.isEmpty()) {
            fields.problems().add(new JsonProblem(fields.pointer(), complaint, ""));
        }
        return read;
    }

    private static Commitment commitment(Optional<RefinementOutcome> outcome) {
        return outcome.map(RefinementOutcome::commitment).orElse(Commitment.NONE);
    }

    private static void readCommitment(JsonFields fields, Commitment expected) {
        Fixed.string(fields, "schema", RefinementOutcome.SCHEMA);
        Fixed.string(fields, "encoding", RefinementOutcome.ENCODING);
        Fixed.string(fields, "digest", expected.digest().hex());
        if (fields.u64("byte_length") != expected.byteLength()) {
            fields.problem("byte_length", "is another", "write " + expected.byteLength());
        }
        fields.end();
    }

    private static Transcript readTranscript(JsonFields fields) {
        Fixed.string(fields, "schema", TRANSCRIPT_SCHEMA);
        Transcript read = new Transcript(
                fields.value("digest", Digest.CLASS),
                fields.u64("byte_count"),
                fields.bool("complete"));
        fields.end();
        return read;
    }

    private static Evaluator readEvaluator(JsonFields fields) {
        Fixed.string(fields, "schema", EVALUATOR_SCHEMA);
        Evaluator read = new Evaluator(
                fields.bool("fixture_complete"),
                fields.bool("transcript_utf8"),
                (int) fields.u32("required_literals"),
                (int) fields.u32("forbidden_literals"));
        fields.end();
        return read;
    }

    private String status() {
        return outcome.isPresent() ? VALID : INVALID;
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject()
                .member("schema_version", SCHEMA_VERSION)
                .member("runtime_template_id", TEMPLATE);
        resource.write(out.name("resource_receipt"));
        out.member("evidence_status", status()).member("variant", variant.word());
        bundles.fixture.write(out.name("fixture"));
        bundles.base.write(out.name("base"));
        bundles.candidate.write(out.name("candidate"));
        Commitment commitment = commitment(outcome);
        out.member("matched_context_digest", matchedContextDigest.hex())
                .name("outcome")
                .beginObject()
                .member("schema", RefinementOutcome.SCHEMA)
                .member("encoding", RefinementOutcome.ENCODING)
                .member("digest", commitment.digest().hex())
                .member("byte_length", commitment.byteLength())
                .endObject();
        outcome.ifPresent(numbers -> numbers.write(out.name("evaluated_outcome")));
        out.name("transcript")
                .beginObject()
                .member("schema", TRANSCRIPT_SCHEMA)
                .member("digest", transcript.digest.hex())
                .unsigned("byte_count", transcript.byteCount)
                .member("complete", transcript.complete)
                .endObject();
        out.name("evaluator")
                .beginObject()
                .member("schema", EVALUATOR_SCHEMA)
                .member("fixture_complete", evaluator.fixtureComplete)
                .member("transcript_utf8", evaluator.transcriptUtf8)
                .unsigned("required_literals", Integer.toUnsignedLong(evaluator.requiredLiterals))
                .unsigned("forbidden_literals", Integer.toUnsignedLong(evaluator.forbiddenLiterals))
                .endObject()
                .endObject();
    }

    @Override
    public Digest digest() {
        DigestWriter out = new DigestWriter("glove.refinement-evaluation-receipt");
        out.u8(DIGEST_VERSION)
                .u8(SCHEMA_VERSION)
                .string(TEMPLATE)
                .digest(resource.digest())
                .string(status())
                .string(variant.word());
        bundles.fixture.write(out);
        bundles.base.write(out);
        bundles.candidate.write(out);
        Commitment commitment = commitment(outcome);
        out.digest(matchedContextDigest)
                .string(RefinementOutcome.SCHEMA)
                .string(RefinementOutcome.ENCODING)
                .digest(commitment.digest())
                .u64(commitment.byteLength());
        if (outcome.isPresent()) {
            out.present().bytes(outcome.get().toJson());
        } else {
            out.absent();
        }
        out.string(TRANSCRIPT_SCHEMA)
                .digest(transcript.digest)
                .u64(transcript.byteCount)
                .bool(transcript.complete)
                .string(EVALUATOR_SCHEMA)
                .bool(evaluator.fixtureComplete)
                .bool(evaluator.transcriptUtf8)
                .u32(evaluator.requiredLiterals)
                .u32(evaluator.forbiddenLiterals);
        return out.sha256();
    }
}
