package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which tools may be called with which arguments; what no rule allows is denied. Immutable.
 *
 * <p>Rules that name a tool exactly replace those for all tools of its upstream. A call is allowed
 * when one of the rules left lets all of it through; the order of rules changes nothing but which
 * of several is named.
 */
public final class ToolPolicy {
    /** More would be a mistake of what writes them. */
    static final int RULES_MAX = 4096;

    private final List<ToolRule> rules;
    private final Map<String, List<ToolRule>> byPattern = new HashMap<>();

    private ToolPolicy(List<ToolRule> rules) {
        this.rules = List.copyOf(rules);
        for (ToolRule rule : rules) {
            String key = rule.pattern().toString();
            byPattern.computeIfAbsent(key, absent -> new ArrayList<>()).add(rule);
        }
    }

    static ToolPolicy of(List<ToolRule> rules) throws PolicyException {
        if (rules.size() > RULES_MAX) {
            throw new PolicyException(
                    "there are " + rules.size() + " rules for tools, and at most " + RULES_MAX
                            + " are taken",
                    "UPSTREAM.* allows all tools of one upstream");
        }
        return new ToolPolicy(rules);
    }

    /**
     * Reads the values of options.
     *
     * @param allow those of {@code --allow}
     * @param allowArg those of {@code --allow-arg}
     * @throws PolicyException for one that cannot be meant, or would have no effect
     */
    public static ToolPolicy ofOptions(List<String> allow, List<String> allowArg)
            throws PolicyException {
        return of(OptionRules.read(allow, allowArg));
    }

    /**
     * Reads a policy file; docs/tool-policy.md describes it.
     *
     * @param content at most {@link glove.wire.JsonLimits#FILE}
     * @param name of the file, for messages
     * @throws PolicyException for anything that is not exactly that form
     */
    public static ToolPolicy ofFile(byte[] content, String name) throws PolicyException {
        return of(new PolicyFile(name).read(content));
    }

    /**
     * The rules of both.
     *
     * @throws PolicyException when both are about the same tools: one would undo the other
     */
    public ToolPolicy and(ToolPolicy other) throws PolicyException {
        List<ToolRule> all = new ArrayList<>(rules);
        for (ToolRule rule : other.rules) {
            List<ToolRule> same = byPattern.get(rule.pattern().toString());
            if (same != null) {
                throw new PolicyException(
                        rule.pattern() + " has rules in two places: "
                                + same.get(0).origin() + ", and " + rule.origin(),
                        "keep one of them");
            }
            all.add(rule);
        }
        return of(all);
    }

    /** In the order they were given. */
    public List<ToolRule> rules() {
        return rules;
    }

    /** Whether some call of it could be allowed; others must look as if they were not there. */
    public boolean isVisible(ToolName tool) {
        return !rulesFor(tool).isEmpty();
    }

    private List<ToolRule> rulesFor(ToolName tool) {
        List<ToolRule> exact = byPattern.get(tool.toString());
        if (exact != null) {
            return exact;
        }
        String all = new ToolPattern(tool.upstream(), "").toString();
        return byPattern.getOrDefault(all, List.of());
    }

    /**
     * Decides on a call, once: an allowed one counts for the rate of its rule.
     *
     * @param arguments as the sender wrote them, or empty when the call has none
     * @param rates of the run
     */
    public Decision decide(ToolName tool, Optional<JsonValue> arguments, CallRates rates) {
        List<ToolRule> candidates = rulesFor(tool);
        if (candidates.isEmpty()) {
            return Denials.unknownTool(tool);
        }
        JsonValue given = arguments.orElse(Denials.NO_ARGUMENTS);
        if (!given.is(JsonKind.OBJECT)) {
            return Denials.noObject(tool, candidates.get(0), given.kind());
        }
        Optional<Decision> closest = Optional.empty();
        int closeness = -1;
        for (ToolRule rule : candidates) {
            // From the cheapest look to the one that takes something.
            if (given.byteCount() > rule.bounds().argumentBytesMax()) {
                if (closeness < 0) {
                    closeness = 0;
                    closest = Optional.of(Denials.tooLarge(tool, rule, given.byteCount()));
                }
                continue;
            }
            ToolRule.Look look = rule.look(given);
            if (look.complaint().isPresent()) {
                if (closeness <= look.kept()) {
                    closeness = look.kept() + 1;
                    closest = Optional.of(
                            Denials.argument(tool, rule, look.complaint().get()));
                }
                continue;
            }
            if (rates.take(rule)) {
                return new Decision.Allowed(rule);
            }
            if (closeness < Integer.MAX_VALUE) {
                closeness = Integer.MAX_VALUE;
                closest = Optional.of(Denials.tooOften(tool, rule));
            }
        }
        return closest.orElseThrow(); // there is a rule, and it has said no
    }
}
