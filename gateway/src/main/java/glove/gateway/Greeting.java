package glove.gateway;

import glove.wire.JsonWriter;

import java.util.LinkedHashSet;
import java.util.Set;

/** The answer to an agent's {@code initialize}: ours, of what is allowed and there. Immutable. */
final class Greeting {
    private final String revision;
    private final Set<String> capabilities;
    private final byte[] result;

    private Greeting(String revision, Set<String> capabilities, byte[] result) {
        this.revision = revision;
        this.capabilities = capabilities;
        this.result = result;
    }

    static Greeting of(Hub hub, Message request) {
        String asked = request.text("protocolVersion").orElse("");
        String revision = Protocol.REVISIONS.contains(asked) ? asked : Protocol.NEWEST;
        Set<String> capabilities = capabilities(hub);
        JsonWriter result = new JsonWriter().beginObject().member("protocolVersion", revision);
        result.name("capabilities").beginObject();
        for (String capability : capabilities) {
            result.name(capability).beginObject();
            if (capability.equals("resources")) {
                result.member("subscribe", true);
            }
            if (isList(capability)) {
                result.member("listChanged", true);
            }
            result.endObject();
        }
        result.endObject().name("serverInfo").beginObject().member("name", "glove");
        result.member("version", hub.version).endObject();
        String instructions = instructions(hub);
        if (!instructions.isEmpty()) {
            result.member("instructions", instructions);
        }
        return new Greeting(revision, capabilities, result.endObject().toBytes());
    }

    private static boolean isList(String capability) {
        for (ListKind kind : ListKind.values()) {
            if (kind.capability().equals(capability)) {
                return true;
            }
        }
        return false;
    }

    private static Set<String> capabilities(Hub hub) {
        Set<String> found = new LinkedHashSet<>();
        for (UpstreamSession upstream : hub.upstreams().values()) {
            String name = upstream.spec().name();
            for (ListKind kind : ListKind.values()) {
                boolean may = hub.policy.mentions(kind, name);
                if (may && upstream.mayHave(kind.capability())) {
                    found.add(kind.capability());
                }
            }
            if (hub.policy.completion().contains(name) && upstream.mayHave("completions")) {
                found.add("completions");
            }
            if (upstream.mayHave("logging")) {
                found.add("logging");
            }
        }
        return found;
    }

    /** Only of upstreams of which something is seen: the others are none of the agent's matter. */
    private static String instructions(Hub hub) {
        StringBuilder text = new StringBuilder();
        for (UpstreamSession upstream : hub.upstreams().values()) {
            String said = upstream.catalogue().instructions();
            boolean seen = false;
            for (ListKind kind : ListKind.values()) {
                for (Item item : upstream.catalogue().items(kind)) {
                    seen |= item.isShown();
                }
            }
            if (seen && !said.isEmpty()) {
                text.append(text.isEmpty() ? "" : "\n\n");
                text.append("From ")
                        .append(upstream.spec().name())
                        .append(":\n")
                        .append(said);
            }
        }
        return text.toString();
    }

    /** That is spoken from now on. */
    String revision() {
        return revision;
    }

    /** That are told, by name. */
    Set<String> capabilities() {
        return capabilities;
    }

    /** As JSON. */
    byte[] result() {
        return result;
    }
}
