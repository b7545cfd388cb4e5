package glove.policy;

import glove.policy.ArgumentRule.Presence;
import glove.wire.JsonPointer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rules that options make. Stateless. */
final class OptionRules {
    private static final String ALLOW = "--allow ";
    private static final String ALLOW_ARG = "--allow-arg ";

    /** The options about one tool, and what they demand. */
    private static final class Demands {
        private final StringBuilder origin = new StringBuilder();
        private final List<ArgumentRule> rules = new ArrayList<>();
    }

    private OptionRules() {}

    static List<ToolRule> read(List<String> allow, List<String> allowArg) throws PolicyException {
        List<ToolPattern> patterns = new ArrayList<>();
        for (String text : allow) {
            ToolPattern pattern = ToolPattern.parse(text, ALLOW.strip() + ": ");
            if (!patterns.contains(pattern)) {
                patterns.add(pattern);
            }
        }
        Map<ToolPattern, Demands> demands = new LinkedHashMap<>();
        for (String text : allowArg) {
            addDemand(text, patterns, demands);
        }
        List<ToolRule> rules = new ArrayList<>();
        for (ToolPattern pattern : patterns) {
            if (!demands.containsKey(pattern)) {
                rules.add(rule(pattern, ALLOW + pattern, ToolRule.Arguments.ANY));
            }
        }
        for (Map.Entry<ToolPattern, Demands> entry : demands.entrySet()) {
            Demands demand = entry.getValue();
            // Open: the option speaks of one argument, and a tool has others.
            ToolRule.Arguments arguments = new ToolRule.Arguments(demand.rules, false);
            rules.add(rule(entry.getKey(), demand.origin.toString(), arguments));
        }
        return rules;
    }

    private static ToolRule rule(ToolPattern pattern, String origin, ToolRule.Arguments arguments) {
        return new ToolRule(
                pattern, new ToolRule.Origin(origin, false), arguments, ToolRule.Bounds.NONE);
    }

    /** {@code UPSTREAM.TOOL:FIELD=PREFIX}: the first colon and the first = behind it separate. */
    private static void addDemand(
            String text, List<ToolPattern> patterns, Map<ToolPattern, Demands> demands)
            throws PolicyException {
        int colon = text.indexOf(':');
        int equal = text.indexOf('=', colon + 1);
        if (colon < 1 || equal <= colon + 1) {
            throw new PolicyException(
                    ALLOW_ARG + Shown.quoted(text) + ": it names no argument and prefix",
                    ALLOW_ARG + "UPSTREAM.TOOL:FIELD=PREFIX");
        }
        ToolPattern pattern = ToolPattern.parse(text.substring(0, colon), ALLOW_ARG.strip() + ": ");
        if (!pattern.isExact()) {
            throw new PolicyException(
                    ALLOW_ARG + Shown.quoted(text) + ": it must name one tool, not all of them",
                    "give it once for each tool that has the argument");
        }
        String covering = "";
        for (ToolPattern allowed : patterns) {
            if (allowed.upstream().equals(pattern.upstream())
                    && (!allowed.isExact() || allowed.equals(pattern))) {
                covering = allowed.toString();
            }
        }
        if (covering.isEmpty()) {
            throw new PolicyException(
                    ALLOW_ARG + Shown.quoted(text) + " has no effect: the tool is not allowed",
                    ALLOW + pattern);
        }
        Demands demand = demands.get(pattern);
        if (demand == null) {
            demand = new Demands();
            demand.origin.append(ALLOW).append(covering);
            demands.put(pattern, demand);
        }
        demand.origin.append(" with ").append(ALLOW_ARG).append(Shown.quoted(text));
        demand.rules.add(new ArgumentRule(
                JsonPointer.ofMember(text.substring(colon + 1, equal)),
                Presence.REQUIRED,
                List.of(constraint(text, text.substring(equal + 1)))));
    }

    private static Constraint constraint(String text, String prefix) throws PolicyException {
        if (!prefix.startsWith("/")) {
            return new StartsWith(List.of(prefix));
        }
        Optional<List<String>> path = UnderPath.components(prefix);
        if (path.isEmpty()) {
            throw new PolicyException(
                    ALLOW_ARG + Shown.quoted(text) + ": no path is below one with '..' in it",
                    "write the path without '..' and control characters");
        }
        return new UnderPath(List.of(prefix));
    }
}
