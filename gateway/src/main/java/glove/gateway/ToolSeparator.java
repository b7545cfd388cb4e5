package glove.gateway;

import java.util.Optional;

/**
 * What stands between the name of an upstream and that of its tool or prompt in the names agents
 * see. The name of an upstream never holds it, so a name begins with one upstream's at most and
 * joining two never gives what joining another two gives.
 *
 * <p>Only what revision 2025-11-25 lets the name of a tool hold; '/' it does not. Interfaces of
 * models take less: letters, digits, '_' and '-'. Clients rename for them, or drop, what has a dot.
 */
public enum ToolSeparator {
    /** {@code files__read}: the default. */
    UNDERSCORES("__"),
    /** {@code files.read}, as rules have it; dots of the tool's own name stay, too. */
    DOT("."),
    /** {@code files-read}. */
    HYPHEN("-"),
    /** {@code files_read}. */
    UNDERSCORE("_");

    private final String text;

    ToolSeparator(String text) {
        this.text = text;
    }

    /** As it stands in names. */
    public String text() {
        return text;
    }

    /** The one that is written so; empty for any other text. */
    public static Optional<ToolSeparator> of(String text) {
        for (ToolSeparator one : values()) {
            if (one.text.equals(text)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    /** Whether it stands in the name of an upstream, which could then be taken for another's. */
    public boolean isIn(String upstream) {
        return upstream.contains(text);
    }

    /** Whether it allows a character in names beside those all interfaces of models take. */
    boolean keeps(char c) {
        return this == DOT && c == '.';
    }
}
