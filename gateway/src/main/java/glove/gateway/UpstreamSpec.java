package glove.gateway;

/**
 * An upstream as the caller wants it. Immutable.
 *
 * @param name in rules and, as a prefix, in what the agent sees
 * @param pinKey what its definitions are pinned under: the same for the same command
 * @param command shown to the owner with what is pinned; may be empty
 * @param isBare whether its names have no prefix; of one upstream at most
 * @param separator behind that prefix; the same for all upstreams of a gateway
 */
public record UpstreamSpec(
        String name, String pinKey, String command, boolean isBare, ToolSeparator separator) {
    /** With the separator it stands whole in front of every name that is cut to 64. */
    private static final int NAME_MAX = 48;

    /** Refuses a name that {@link #complaint} finds fault with, or that holds the separator. */
    public UpstreamSpec {
        String complaint = complaint(name);
        if (!complaint.isEmpty()) {
            throw new IllegalArgumentException(complaint);
        }
        if (separator.isIn(name)) {
            throw new IllegalArgumentException("the name of an upstream holds the separator");
        }
    }

    /** An upstream whose command is not told. */
    public UpstreamSpec(String name, String pinKey, boolean isBare) {
        this(name, pinKey, "", isBare, ToolSeparator.UNDERSCORES);
    }

    /** An upstream whose names have its own as a prefix. */
    public static UpstreamSpec of(String name, String pinKey) {
        return new UpstreamSpec(name, pinKey, false);
    }

    /**
     * Why this is no name of an upstream; empty when it is one. Two names joined to those of tools
     * must never give the same: so {@code __} separates them and stands nowhere else. Of
     * another {@link ToolSeparator}, {@link ToolSeparator#isIn} tells that.
     */
    public static String complaint(String name) {
        if (name.isEmpty() || name.length() > NAME_MAX) {
            return "the name of an upstream has 1 to " + NAME_MAX + " characters";
        }
        for (int i = 0; i < name.length(); i++) {
            if (!AgentNames.isPlain(name.charAt(i))) {
                return "the name of an upstream has letters, digits, '_' and '-' only";
            }
        }
        if (ToolSeparator.UNDERSCORES.isIn(name) || name.endsWith("_")) {
            return "the name of an upstream does not hold '__' nor end with '_': "
                    + "it could be taken for another's";
        }
        return "";
    }
}
