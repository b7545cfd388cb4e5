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
                    ALLOW_ARG + "UPSTREAM.TOOL:FIELD=START");
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

    /**
     * A path is a directory and what is in it, all else the letters a value begins with. What looks
     * like a path, an address or a pattern and would be compared by its letters alone is refused:
     * it would let through more than it seems to, or nothing.
     */
    private static Constraint constraint(String text, String prefix) throws PolicyException {
        String option = ALLOW_ARG + Shown.quoted(text);
        if (prefix.isEmpty()) {
            throw new PolicyException(
                    option + ": any text begins with nothing, so it would allow all",
                    "name what it must begin with, or leave the option out");
        }
        if (prefix.indexOf('*') >= 0) {
            throw new PolicyException(
                    option + ": a star is a letter here, and no pattern",
                    "write what it must begin with, without the star; 'matches' of a --policy file"
                            + " takes patterns");
        }
        if (prefix.startsWith("/")) {
            Optional<List<String>> path = UnderPath.components(prefix);
            if (path.isEmpty()) {
                throw new PolicyException(
                        option + ": no path is below one with '..' in it",
                        "write the path without '..' and control characters");
            }
            return new UnderPath(List.of(prefix));
        }
        int scheme = prefix.indexOf("://");
        if (scheme > 0 && prefix.indexOf('/', scheme + 3) < 0) {
            throw new PolicyException(
                    option + ": a host that only begins so would be allowed, too",
                    "end it with a slash: " + Shown.quoted(prefix + "/") + ", or use 'host_in' of"
                            + " a --policy file");
        }
        if (scheme < 0 && isRelative(prefix)) {
            throw new PolicyException(
                    option + ": it looks like a relative path, and steps up from it by '..' would"
                            + " be allowed, too",
                    "write an absolute path, which means that directory and what is in it, or"
                            + " 'matches' in a --policy file");
        }
        if (prefix.regionMatches(true, 0, "file:", 0, 5) && !prefix.endsWith("/")) {
            throw new PolicyException(
                    option + ": a file or directory that only begins so would be allowed, too",
                    "end it with a slash: " + Shown.quoted(prefix + "/"));
        }
        return new StartsWithin(prefix);
    }

    private static boolean isRelative(String prefix) {
        return prefix.startsWith("~")
                || prefix.equals(".")
                || prefix.equals("..")
                || prefix.startsWith("./")
                || prefix.startsWith("../")
                || prefix.contains("/../")
                || prefix.endsWith("/..");
    }
}
