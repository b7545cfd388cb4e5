package glove.gateway;

import glove.policy.CallRates;
import glove.policy.Decision;
import glove.policy.ToolName;
import glove.policy.ToolPolicy;
import glove.policy.ToolRule;
import glove.wire.JsonValue;

import java.util.Optional;

/** The tools a {@link ToolPolicy} allows, with the rates of one run. Confined to one thread. */
public final class PolicyTools implements ToolRules {
    private final ToolPolicy policy;
    private final CallRates rates;

    /**
     * A run's.
     *
     * @param clock for the rates
     */
    public PolicyTools(ToolPolicy policy, NanoClock clock) {
        this.policy = policy;
        this.rates = new CallRates(clock::nanos);
    }

    @Override
    public boolean mentions(String upstream) {
        for (ToolRule rule : policy.rules()) {
            if (rule.pattern().upstream().equals(upstream)) {
                return true;
            }
        }
        return false;
    }

    /** A name that rules cannot spell is never allowed. */
    @Override
    public boolean shows(String upstream, String tool) {
        return ToolName.isTool(tool) && policy.isVisible(new ToolName(upstream, tool));
    }

    @Override
    public ToolDecision decide(String upstream, String tool, Optional<JsonValue> arguments) {
        Decision decision = policy.decide(new ToolName(upstream, tool), arguments, rates);
        if (decision instanceof Decision.Allowed allowed) {
            ToolRule rule = allowed.rule();
            return ToolDecision.allowed(rule.origin(), rule.resultBytesMax());
        }
        Decision.Denied denied = (Decision.Denied) decision;
        StringBuilder reason = new StringBuilder(denied.operatorSentence());
        for (String hint : denied.hints()) {
            reason.append("; ").append(hint);
        }
        String rule = denied.rule().map(ToolRule::origin).orElse("");
        return ToolDecision.denied(rule, reason.toString(), denied.modelSentence());
    }
}
