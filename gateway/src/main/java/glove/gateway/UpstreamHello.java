package glove.gateway;

import glove.wire.JsonException;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What an upstream answered to {@code initialize}. Immutable.
 *
 * @param revision it speaks from now on
 * @param capabilities it has, by name
 * @param announces the lists whose changes it tells
 * @param subscribes whether resources can be subscribed to
 * @param instructions for models
 */
record UpstreamHello(
        String revision,
        Set<String> capabilities,
        Set<ListKind> announces,
        boolean subscribes,
        Optional<JsonValue> instructions) {
    private static final int INSTRUCTIONS_BYTES_MAX = 16 << 10;

    /** Others mean nothing here, and are not kept. */
    private static final Set<String> KNOWN =
            Set.of("tools", "resources", "prompts", "logging", "completions");

    /** Before it has answered. */
    static final UpstreamHello NONE =
            new UpstreamHello("", Set.of(), Set.of(), false, Optional.empty());

    /** The request it answers. */
    static byte[] request(long id, Hub hub, String upstream) {
        JsonWriter params = new JsonWriter().beginObject();
        params.member("protocolVersion", Protocol.NEWEST).name("capabilities").beginObject();
        if (!hub.policy.withoutRoots().contains(upstream)) {
            params.name("roots").beginObject().endObject();
        }
        if (hub.policy.sampling().contains(upstream)) {
            params.name("sampling").beginObject().endObject();
        }
        if (hub.policy.elicitation().contains(upstream)) {
            params.name("elicitation").beginObject().endObject();
        }
        params.endObject().name("clientInfo").beginObject().member("name", "glove");
        params.member("version", hub.version).endObject().endObject();
        return Answers.request(id, "initialize", params.toBytes());
    }

    /** Reads the result; empty when it speaks no revision that is spoken here. */
    static Optional<UpstreamHello> read(JsonValue result) {
        Optional<String> revision = result.member("protocolVersion", JsonKind.STRING)
                .map(JsonValue::string)
                .filter(Protocol.REVISIONS::contains);
        if (revision.isEmpty()) {
            return Optional.empty();
        }
        Optional<JsonValue> capabilities = result.member("capabilities", JsonKind.OBJECT);
        Set<String> names = new HashSet<>();
        Set<ListKind> announces = EnumSet.noneOf(ListKind.class);
        boolean subscribes = false;
        if (capabilities.isPresent()) {
            for (JsonValue capability : capabilities.get().children()) {
                if (capability.is(JsonKind.OBJECT) && KNOWN.contains(capability.name())) {
                    names.add(capability.name());
                }
            }
            for (ListKind kind : ListKind.values()) {
                if (has(capabilities.get(), kind.capability(), "listChanged")) {
                    announces.add(kind);
                }
            }
            subscribes = has(capabilities.get(), "resources", "subscribe");
        }
        Optional<JsonValue> instructions = result.member("instructions", JsonKind.STRING)
                .filter(text -> text.byteCount() <= INSTRUCTIONS_BYTES_MAX)
                .map(UpstreamHello::alone);
        return Optional.of(new UpstreamHello(
                revision.get(),
                Set.copyOf(names),
                Set.copyOf(announces),
                subscribes,
                instructions));
    }

    private static boolean has(JsonValue capabilities, String name, String feature) {
        return capabilities
                .member(name, JsonKind.OBJECT)
                .flatMap(capability -> capability.member(feature, JsonKind.BOOLEAN))
                .filter(JsonValue::truth)
                .isPresent();
    }

    /** The same, which does not keep the message it was in from being freed. */
    private static JsonValue alone(JsonValue text) {
        try {
            return JsonText.value(text.toBytes(), JsonLimits.FRAME).root();
        } catch (JsonException e) {
            throw new IllegalStateException("what was JSON is none", e);
        }
    }

    boolean has(String capability) {
        return capabilities.contains(capability);
    }
}
