package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonPointer;
import glove.wire.JsonValue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a person should know of a policy before it is used: what it allows, and what in it cannot
 * be what was meant. Stateless.
 */
public final class PolicyReview {
    private static final int EMPTY_OBJECT_BYTES = 2;

    private PolicyReview() {}

    /** One rule in one line: the tools, and what is demanded of a call. */
    public static String describe(ToolRule rule) {
        StringBuilder line = new StringBuilder(Shown.quoted(rule.pattern().toString()));
        String between = ": ";
        for (ArgumentRule argument : rule.arguments().rules()) {
            line.append(between).append(describe(argument));
            between = "; ";
        }
        if (rule.arguments().isClosed()) {
            String others = between.equals(": ") ? "no arguments" : "no others";
            line.append(between).append(others);
        } else {
            String others = between.equals(": ") ? "any arguments" : "any others";
            line.append(between).append(others);
        }
        ToolRule.Bounds bounds = rule.bounds();
        if (bounds.rate().isPresent()) {
            line.append("; ").append(bounds.rate().get());
        }
        if (bounds.argumentBytesMax() != ToolRule.UNBOUNDED) {
            line.append("; at most ").append(bounds.argumentBytesMax()).append(" bytes in");
        }
        if (bounds.resultBytesMax() != ToolRule.UNBOUNDED) {
            line.append("; at most ").append(bounds.resultBytesMax()).append(" bytes out");
        }
        return line.toString();
    }

    private static String describe(ArgumentRule argument) {
        StringBuilder text = new StringBuilder(Shown.quoted(argument.pointer().toString()));
        switch (argument.presence()) {
            case ABSENT -> text.append(" absent");
            case REQUIRED -> text.append(" required");
            case OPTIONAL -> text.append(" optional");
        }
        for (Constraint constraint : argument.constraints()) {
            text.append(", ").append(constraint.rule());
        }
        return text.toString();
    }

    /** What is probably not meant, each in a sentence that names its place. */
    public static List<String> warnings(ToolPolicy policy) {
        List<String> warnings = new ArrayList<>();
        List<ToolRule> rules = policy.rules();
        if (rules.isEmpty()) {
            warnings.add("no tool is allowed");
        }
        for (int i = 0; i < rules.size(); i++) {
            ToolRule rule = rules.get(i);
            name(rule, warnings);
            never(rule, warnings);
            wide(rule, warnings);
            others(rules, i, warnings);
        }
        return warnings;
    }

    private static void warn(List<String> warnings, ToolRule rule, String what) {
        warnings.add(rule.origin() + ": " + what);
    }

    private static void name(ToolRule rule, List<String> warnings) {
        String tool = rule.pattern().tool();
        for (int i = 0; i < tool.length(); i++) {
            if (tool.charAt(i) > 0x7e) {
                warn(
                        warnings,
                        rule,
                        "the tool " + Shown.quoted(tool)
                                + " holds letters that may only look like others");
                return;
            }
        }
    }

    /** Rules through which no call can get. */
    private static void never(ToolRule rule, List<String> warnings) {
        if (rule.bounds().argumentBytesMax() < EMPTY_OBJECT_BYTES) {
            warn(warnings, rule, "it can never allow a call: '{}' is larger than its bound");
        }
        List<ArgumentRule> arguments = rule.arguments().rules();
        for (int i = 0; i < arguments.size(); i++) {
            ArgumentRule argument = arguments.get(i);
            if (!isPossible(argument, arguments)) {
                String pointer = Shown.quoted(argument.pointer().toString());
                warn(
                        warnings,
                        rule,
                        argument.presence() == ArgumentRule.Presence.REQUIRED
                                ? "it can never allow a call: no value of " + pointer + " would do"
                                : pointer + " may only be left out: no value of it would do");
            }
        }
    }

    /** Whether a value can be there that all rules about it and around it let through. */
    private static boolean isPossible(ArgumentRule subject, List<ArgumentRule> all) {
        if (subject.presence() == ArgumentRule.Presence.ABSENT) {
            return true;
        }
        List<String> steps = subject.pointer().steps();
        Set<JsonKind> kinds = EnumSet.allOf(JsonKind.class);
        List<Constraint> constraints = new ArrayList<>();
        for (ArgumentRule other : all) {
            List<String> around = other.pointer().steps();
            boolean isAround = around.size() <= steps.size()
                    && steps.subList(0, around.size()).equals(around);
            if (!isAround) {
                continue;
            }
            if (other.presence() == ArgumentRule.Presence.ABSENT) {
                return false;
            }
            boolean isSame = around.size() == steps.size();
            String next = isSame ? "" : steps.get(around.size());
            for (Constraint constraint : other.constraints()) {
                if (isSame) {
                    kinds.retainAll(constraint.kinds());
                    constraints.add(constraint);
                } else if (!canHold(constraint, next)) {
                    return false;
                }
            }
        }
        return !kinds.isEmpty() && isSatisfiable(constraints);
    }

    private static boolean canHold(Constraint constraint, String member) {
        Set<JsonKind> kinds = constraint.kinds();
        if (constraint instanceof KeysOnly only && !only.keys().contains(member)) {
            return false;
        }
        return kinds.contains(JsonKind.OBJECT) || kinds.contains(JsonKind.ARRAY);
    }

    /** False only when it is certain: some value of a list would have to pass all others. */
    private static boolean isSatisfiable(List<Constraint> constraints) {
        for (Constraint constraint : constraints) {
            if (constraint instanceof OneOf list) {
                return anyPasses(list.values(), constraints);
            }
        }
        for (Constraint constraint : constraints) {
            if (constraint instanceof LengthMax max && !anyFits(constraints, max.most())) {
                return false;
            }
        }
        return true;
    }

    private static boolean anyPasses(List<JsonValue> values, List<Constraint> constraints) {
        for (JsonValue value : values) {
            boolean passes = true;
            for (Constraint constraint : constraints) {
                passes &= constraint.holds(value);
            }
            if (passes) {
                return true;
            }
        }
        return false;
    }

    private static boolean anyFits(List<Constraint> constraints, int most) {
        for (Constraint constraint : constraints) {
            if (constraint instanceof StartsWith start) {
                boolean fits = false;
                for (String prefix : start.prefixes()) {
                    fits |= prefix.codePointCount(0, prefix.length()) <= most;
                }
                if (!fits) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Demands that let more through than they seem to. */
    private static void wide(ToolRule rule, List<String> warnings) {
        for (ArgumentRule argument : rule.arguments().rules()) {
            for (Constraint constraint : argument.constraints()) {
                String width = width(constraint);
                if (!width.isEmpty()) {
                    String pointer = Shown.quoted(argument.pointer().toString());
                    warn(warnings, rule, pointer + ": " + width);
                }
            }
            if (rule.arguments().isClosed() && isWhole(argument.pointer())) {
                warn(warnings, rule, "its pointer '' means all arguments, so that none is another");
            }
        }
    }

    /** What surprises about it; empty for most. */
    private static String width(Constraint constraint) {
        if (constraint instanceof StartsWith start) {
            for (String prefix : start.prefixes()) {
                if (prefix.startsWith("/")) {
                    return "the prefix " + Shown.quoted(prefix)
                            + " also lets '..' and longer names through; 'under' does not";
                }
            }
        } else if (constraint instanceof UnderPath under) {
            for (String directory : under.directories()) {
                if (UnderPath.components(directory).orElseThrow().isEmpty()) {
                    return "every absolute path is under '/'";
                }
            }
        }
        return "";
    }

    private static boolean isWhole(JsonPointer pointer) {
        return pointer.steps().isEmpty();
    }

    /** Rules that have no effect because of others. */
    private static void others(List<ToolRule> rules, int place, List<String> warnings) {
        ToolRule rule = rules.get(place);
        for (int i = 0; i < rules.size(); i++) {
            ToolRule other = rules.get(i);
            if (i == place) {
                continue;
            }
            boolean same = rule.pattern().equals(other.pattern());
            boolean first = !rule.isUnconditional() || i < place;
            if (same && other.isUnconditional() && first) {
                warn(
                        warnings,
                        rule,
                        "it has no effect: " + other.origin() + " allows every call of the same");
            }
            boolean narrower = other.pattern().isExact()
                    && !rule.pattern().isExact()
                    && other.pattern().upstream().equals(rule.pattern().upstream());
            if (narrower) {
                warn(
                        warnings,
                        rule,
                        "it does not apply to "
                                + Shown.quoted(other.pattern().toString()) + ", which "
                                + other.origin()
                                + " is about");
            }
        }
    }
}
