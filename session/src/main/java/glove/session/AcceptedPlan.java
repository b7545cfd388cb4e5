package glove.session;

import glove.wire.JsonException;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a session was created with; it never changes. Immutable.
 *
 * @param sessionId ID128
 * @param controllerPlanDigest the controller's name of the plan: compared, never computed
 * @param contentDigest SHA-256 of the canonical text
 * @param policyRevision of the policy that accepted it; u64
 * @param expiresAtMs when it may not be started any more, in milliseconds since 1970; u64
 * @param createdAtMs u64
 * @param canonicalJson the plan
 */
public record AcceptedPlan(
        String sessionId,
        String controllerPlanDigest,
        String contentDigest,
        long policyRevision,
        long expiresAtMs,
        long createdAtMs,
        String canonicalJson) {
    /** The template whose sessions are evaluations and end with a receipt of their own. */
    static final String REFINEMENT_TEMPLATE = "refinement-eval-v1";

    /** Above what a plan can have. */
    private static final JsonLimits LIMITS = JsonLimits.FILE.withBytesMax(1 << 20);

    /** Whether it ends with a refinement receipt. */
    public boolean isRefinement() {
        return member("runtime_template_id").filter(REFINEMENT_TEMPLATE::equals).isPresent();
    }

    /** The runtime it asks for; empty when the plan has none, as no accepted plan does. */
    public String runtimeId() {
        return member("runtime_id").orElse("");
    }

    /** The same with another text. */
    AcceptedPlan withText(String text) {
        return new AcceptedPlan(
                sessionId,
                controllerPlanDigest,
                contentDigest,
                policyRevision,
                expiresAtMs,
                createdAtMs,
                text);
    }

    private Optional<String> member(String name) {
        try {
            byte[] bytes = canonicalJson.getBytes(StandardCharsets.UTF_8);
            JsonValue plan = JsonText.value(bytes, LIMITS).root();
            return plan.is(JsonKind.OBJECT)
                    ? plan.member(name, JsonKind.STRING).map(JsonValue::string)
                    : Optional.empty();
        } catch (JsonException e) {
            return Optional.empty();
        }
    }
}
