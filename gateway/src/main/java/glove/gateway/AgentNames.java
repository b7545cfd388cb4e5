package glove.gateway;

/**
 * The names tools and prompts have for agents: {@code upstream__tool}, at most 64 characters that
 * every model's interface takes. They are looked up whole and never taken apart. Stateless.
 */
final class AgentNames {
    static final String SEPARATOR = "__";

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
            mapped.append(upstream.name()).append(SEPARATOR);
        }
        for (int i = 0; i < name.length(); i++) {
            mapped.append(isPlain(name.charAt(i)) ? name.charAt(i) : '_');
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
        int prefix = upstream.isBare() ? 0 : upstream.name().length() + SEPARATOR.length();
        return prefix + name.length() > LENGTH_MAX;
    }

    /** Whether the agent sees another name than joining the two gives. */
    static boolean isChanged(UpstreamSpec upstream, String name, String agentName) {
        String joined = upstream.isBare() ? name : upstream.name() + SEPARATOR + name;
        return !joined.equals(agentName);
    }
}
