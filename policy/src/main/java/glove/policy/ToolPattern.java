package glove.policy;

/**
 * What a rule is about: one tool, or all tools of an upstream. Immutable.
 *
 * @param upstream the upstream's name
 * @param tool empty for all of its tools
 */
public record ToolPattern(String upstream, String tool) {
    private static final String ALL = "*";

    /** Names that come from elsewhere are to be checked first. */
    public ToolPattern {
        if (!ToolName.isUpstream(upstream) || !(tool.isEmpty() || ToolName.isTool(tool))) {
            throw new IllegalArgumentException("no pattern of tools");
        }
    }

    /**
     * Reads {@code upstream.tool} or {@code upstream.*}.
     *
     * @param where begins the message of a refusal
     */
    static ToolPattern parse(String text, String where) throws PolicyException {
        int dot = text.indexOf('.');
        String upstream = dot < 0 ? text : text.substring(0, dot);
        String tool = dot < 0 ? "" : text.substring(dot + 1);
        String form = "write UPSTREAM.TOOL or UPSTREAM.*";
        if (dot < 0) {
            throw new PolicyException(
                    where + Shown.quoted(text) + " names no tool: there is no dot in it", form);
        }
        if (!ToolName.isUpstream(upstream)) {
            throw new PolicyException(
                    where + Shown.quoted(text) + " names no upstream: letters, digits, '_' and '-'"
                            + " make its name, at most 64, without '__'",
                    form);
        }
        if (tool.equals(ALL)) {
            return new ToolPattern(upstream, "");
        }
        if (tool.contains(ALL)) {
            throw new PolicyException(
                    where + Shown.quoted(text) + " is neither one tool nor all of an upstream",
                    "name the tools one by one, or all of them as " + upstream + ".*");
        }
        if (!ToolName.isTool(tool)) {
            throw new PolicyException(where + Shown.quoted(text) + " names no tool", form);
        }
        return new ToolPattern(upstream, tool);
    }

    /** Whether it names one tool. */
    public boolean isExact() {
        return !tool.isEmpty();
    }

    /** Whether the tool is meant. */
    public boolean covers(ToolName name) {
        return upstream.equals(name.upstream()) && (tool.isEmpty() || tool.equals(name.tool()));
    }

    /** As rules write it. */
    @Override
    public String toString() {
        return upstream + "." + (tool.isEmpty() ? ALL : tool);
    }
}
