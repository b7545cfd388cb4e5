package glove.policy;

import java.util.Optional;

/**
 * A tool as rules write it: the name its upstream was given, and its own name there, exactly.
 * Immutable. Names are compared byte for byte: no case is folded and nothing is normalised.
 *
 * @param upstream letters, digits, {@code _} and {@code -}; no {@code __}
 * @param tool never empty
 */
public record ToolName(String upstream, String tool) {
    /** How upstreams may be called: longer ones leave no room for names of tools. */
    private static final int UPSTREAM_CHARS_MAX = 64;

    private static final int TOOL_CHARS_MAX = 256;

    /** Names that come from elsewhere are to be checked first. */
    public ToolName {
        if (!isUpstream(upstream) || !isTool(tool)) {
            throw new IllegalArgumentException("no name of a tool");
        }
    }

    /** Reads {@code upstream.tool}; empty when it is not that. The first dot separates. */
    public static Optional<ToolName> parse(String text) {
        int dot = text.indexOf('.');
        if (dot < 0 || !isUpstream(text.substring(0, dot)) || !isTool(text.substring(dot + 1))) {
            return Optional.empty();
        }
        return Optional.of(new ToolName(text.substring(0, dot), text.substring(dot + 1)));
    }

    /** Whether an upstream may be called that. */
    public static boolean isUpstream(String name) {
        boolean plain = !name.isEmpty() && name.length() <= UPSTREAM_CHARS_MAX;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            plain &= letter || (c >= '0' && c <= '9') || c == '_' || c == '-';
        }
        return plain && !name.contains("__");
    }

    /** Whether rules can name such a tool; one they cannot name can never be allowed. */
    public static boolean isTool(String name) {
        boolean plain = !name.isEmpty() && name.length() <= TOOL_CHARS_MAX;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            plain &= c > ' ' && c != '*' && !Character.isISOControl(c);
        }
        return plain;
    }

    /** As rules write it. */
    @Override
    public String toString() {
        return upstream + "." + tool;
    }
}
