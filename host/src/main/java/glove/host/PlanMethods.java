package glove.host;

import glove.policy.session.PlanRules;
import glove.policy.session.SessionPlan;
import glove.session.CanonicalPlan;
import glove.session.PlanCheck;
import glove.session.PlanRefusedException;
import glove.wire.JsonProblems;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Plans, by the policy the daemon was started with. Immutable. */
final class PlanMethods implements PlanCheck {
    private final PlanRules rules;
    private final DaemonLog log;

    PlanMethods(PlanRules rules, DaemonLog log) {
        this.rules = rules;
        this.log = log;
    }

    List<ControlMethod> methods() {
        return List.of(ControlMethod.slow("validate_plan", this::validate));
    }

    private void validate(ControlCall call, JsonWriter result) throws ControlException {
        call.requireNoKey("read-only plan validation forbids idempotency keys");
        byte[] plan = call.payload().map(JsonValue::toBytes).orElse(new byte[0]); // none is no plan
        try {
            SessionPlan admitted = admit(plan, call.nowMs());
            result.beginObject()
                    .member("schema_version", admitted.schemaVersion())
                    .unsigned("policy_revision", rules.policy().revision())
                    .endObject();
        } catch (PlanRefusedException e) {
            log.info("plan_rejected", "method", call.method(), "why", e.getMessage());
            throw new ControlException("invalid_plan", "session plan was rejected");
        }
    }

    private SessionPlan admit(byte[] plan, long nowMs) throws PlanRefusedException {
        JsonProblems problems = JsonProblems.first();
        Optional<SessionPlan> admitted = rules.admit(plan, nowMs, problems);
        return admitted.orElseThrow(() -> new PlanRefusedException(problems.firstInWords()));
    }

    @Override
    public CanonicalPlan check(byte[] plan, long nowMs) throws PlanRefusedException {
        SessionPlan admitted = admit(plan, nowMs);
        String json = new String(admitted.toJson(), StandardCharsets.UTF_8);
        return CanonicalPlan.of(json, admitted.policyRevision(), admitted.expiresAtMs());
    }
}
