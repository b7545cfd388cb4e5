package glove.gateway;

import java.util.Collection;
import java.util.Optional;

/**
 * The names tools and prompts have for agents: {@code upstream__tool}, or with another {@link
 * ToolSeparator}; at most 64 characters, of which every model's interface takes all but a dot. They
 * are looked up whole and never taken apart. Stateless.
 */
final class AgentNames {
    private static final int LENGTH_MAX = 64;
    private static final int DIGEST_LENGTH = 8;

    private AgentNames() {}

    /** Whether a character needs no replacement. */
    static boolean isPlain(char c) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return letter || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }

    /** The name an agent knows it by. */
    static String of(UpstreamSpec upstream, String name) {
        StringBuilder mapped = new StringBuilder();
        if (!upstream.isBare()) {
            mapped.append(upstream.name()).append(upstream.separator().text());
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            mapped.append(isPlain(c) || upstream.separator().keeps(c) ? c : '_');
        }
        if (mapped.length() > LENGTH_MAX) {
            String digest = Digests.hex(upstream.name() + "." + name);
            mapped.setLength(LENGTH_MAX - DIGEST_LENGTH - 1);
            mapped.append('_').append(digest, 0, DIGEST_LENGTH);
        }
        return mapped.toString();
    }

    /** Whether the name had to be cut. */
    static boolean isShortened(UpstreamSpec upstream, String name) {
        return joined(upstream, name).length() > LENGTH_MAX;
    }

    /** Whether the agent sees another name than joining the two gives. */
    static boolean isChanged(UpstreamSpec upstream, String name, String agentName) {
        return !joined(upstream, name).equals(agentName);
    }

    private static String joined(UpstreamSpec upstream, String name) {
        return upstream.isBare() ? name : upstream.name() + upstream.separator().text() + name;
    }

    /**
     * Whose a name without prefix would seem to be: that of another upstream, whether that lists
     * one like it or not, so that it never depends on who lists what first.
     *
     * @param upstreams the names of all
     */
    static Optional<String> claimed(
            UpstreamSpec upstream, String agentName, Collection<String> upstreams) {
        if (!upstream.isBare()) {
            return Optional.empty(); // no name begins as that of another, see UpstreamSpec
        }
        String separator = upstream.separator().text();
        for (String other : upstreams) {
            if (!other.equals(upstream.name()) && agentName.startsWith(other + separator)) {
                return Optional.of(other);
            }
        }
        return Optional.empty();
    }
}
