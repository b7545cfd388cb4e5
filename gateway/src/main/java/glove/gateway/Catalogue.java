package glove.gateway;

import glove.wire.JsonException;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonSplice;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an upstream lists, as far as it was read: each thing with what agents see of it, and
 * whether they do. Confined to the gateway's thread.
 */
final class Catalogue {
    private static final int NAME_LENGTH_MAX = 8 << 10;

    private static final String NOT_PINNED = "its definition is not the pinned one";

    /**
     * How much an upstream has sent that is kept, or was looked at. Immutable.
     *
     * @param bytes of definitions
     * @param values of JSON in them
     */
    record Size(long bytes, long values) {
        static final Size NONE = new Size(0, 0);
    }

    private final Hub hub;
    private final UpstreamSpec spec;
    private final Pins pins;
    private final Map<ListKind, List<Item>> items = new EnumMap<>(ListKind.class);
    private final Map<ListKind, Size> sizes = new EnumMap<>(ListKind.class);
    private final Told told;
    private String instructions = "";

    Catalogue(Hub hub, UpstreamSpec spec, Told told, Refusals refusals) {
        this.hub = hub;
        this.spec = spec;
        this.told = told;
        this.pins = new Pins(hub, spec, told, refusals);
    }

    List<Item> items(ListKind kind) {
        return items.getOrDefault(kind, List.of());
    }

    /** How large that was as it was sent. */
    Size size(ListKind kind) {
        return sizes.getOrDefault(kind, Size.NONE);
    }

    /** Whether something would be seen if its owner accepted it. */
    boolean isWithheld(ListKind kind) {
        return !withheld(kind).isEmpty();
    }

    private Set<String> withheld(ListKind kind) {
        Set<String> names = new HashSet<>();
        for (Item item : items(kind)) {
            if (item.hidden().equals(NOT_PINNED)) {
                names.add(item.name());
            }
        }
        return names;
    }

    /** What it tells models about itself, if that may be passed on. */
    String instructions() {
        return instructions;
    }

    /** Forgets everything: the upstream will not come back. */
    void clear() {
        items.clear();
        sizes.clear();
        instructions = "";
    }

    /** Takes what the upstream says about itself. */
    void setInstructions(Optional<JsonValue> said) {
        instructions = "";
        if (said.isEmpty() || said.get().string().isEmpty()) {
            return;
        }
        Pins.Standing standing = pins.standing(Pins.INSTRUCTIONS, "", said.get());
        boolean saved = pins.save();
        if (standing == Pins.Standing.ACCEPTED || (standing == Pins.Standing.FRESH && saved)) {
            instructions = said.get().string();
        }
    }

    /**
     * Takes a whole list in the place of the one before.
     *
     * @param definitions each as it was sent
     * @param size of them together
     */
    void replace(ListKind kind, List<byte[]> definitions, Size size) {
        List<Item> all = new ArrayList<>();
        List<Item> fresh = new ArrayList<>();
        Set<String> before = withheld(kind);
        Set<String> listed = new HashSet<>();
        int unusable = 0;
        for (byte[] sent : definitions) {
            JsonValue definition = parsed(sent);
            Optional<JsonValue> name = definition.is(JsonKind.OBJECT)
                    ? definition.member(kind.key(), JsonKind.STRING)
                    : Optional.empty();
            boolean ambiguous = definition.hasLookalike(kind.key());
            if (name.isEmpty() || ambiguous || !isUsable(kind, name.get().string())) {
                unusable++;
                continue;
            }
            if (!listed.add(name.get().string()) && kind.isRenamed()) {
                tellTwice(kind, name.get().string());
                continue;
            }
            Pins.Standing standing = standing(kind, name.get().string(), definition);
            Item item = item(kind, name.get(), definition, standing);
            if (item.isShown() && before.contains(item.name())) {
                pins.acceptedMeanwhile(kind == ListKind.TOOLS ? Pins.TOOL : Pins.PROMPT, item);
            }
            (standing == Pins.Standing.FRESH ? fresh : all).add(item);
        }
        boolean saved = pins.save();
        for (Item item : fresh) {
            boolean seen = saved || !item.isShown();
            String hidden = seen ? item.hidden() : "it could not be pinned";
            all.add(new Item(item.name(), item.agentName(), item.definition(), hidden));
        }
        items.put(kind, all);
        sizes.put(kind, size);
        if (unusable > 0) {
            told.report(
                    "unusable " + kind + unusable,
                    spec.name() + ": " + unusable + " of its " + kind.member() + " have no usable "
                            + kind.key() + " and are left out");
        }
        hub.catalogueChanged(kind);
    }

    /** Whichever it meant: the first is pinned or not, and what is said of it is true. */
    private void tellTwice(ListKind kind, String name) {
        told.report(
                "twice " + kind + " " + name,
                spec.name() + ": its " + kind.member() + " name '" + Answers.shown(name)
                        + "' more than once: the first counts, the others are left out");
    }

    /** It was read once, as a part of its page, within the same limits. */
    private static JsonValue parsed(byte[] sent) {
        try {
            return JsonText.value(sent, JsonLimits.FRAME).root();
        } catch (JsonException e) {
            throw new IllegalStateException("what was JSON is none", e);
        }
    }

    private static boolean isUsable(ListKind kind, String name) {
        boolean sized = !name.isEmpty() && name.length() <= NAME_LENGTH_MAX;
        return sized && (kind != ListKind.RESOURCES || ResourceUris.isPlain(name));
    }

    /** What is not allowed is not pinned either. */
    private Pins.Standing standing(ListKind kind, String name, JsonValue definition) {
        if (!kind.isRenamed() || !hub.policy.shows(kind, spec.name(), name)) {
            return Pins.Standing.ACCEPTED;
        }
        return pins.standing(kind == ListKind.TOOLS ? Pins.TOOL : Pins.PROMPT, name, definition);
    }

    private Item item(ListKind kind, JsonValue key, JsonValue definition, Pins.Standing standing) {
        String name = key.string();
        String agentName = kind.isRenamed() ? AgentNames.of(spec, name) : name;
        String hidden = hidden(kind, name, agentName, standing);
        if (hidden.isEmpty() && kind.isRenamed() && AgentNames.isShortened(spec, name)) {
            told.report(
                    "renamed " + agentName,
                    spec.name() + "." + Answers.shown(name) + " is too long a name for "
                            + "models: the agent sees it as " + agentName);
        }
        byte[] shown = hidden.isEmpty() ? shown(kind, key, definition, agentName) : new byte[0];
        return new Item(name, agentName, shown, hidden);
    }

    private String hidden(ListKind kind, String name, String agentName, Pins.Standing standing) {
        if (!hub.policy.shows(kind, spec.name(), name)) {
            return "no rule allows it";
        }
        Optional<String> other = kind.isRenamed()
                ? AgentNames.claimed(spec, agentName, hub.upstreams().keySet())
                : Optional.empty();
        if (other.isPresent()) {
            String why = "without prefix it would look like one of " + other.get();
            told.report(
                    "claimed " + agentName,
                    spec.name() + "." + Answers.shown(name) + " is hidden: " + why
                            + "; leave out --no-prefix " + spec.name()
                            + ", or give the other upstream another name");
            return why;
        }
        return standing == Pins.Standing.WITHHELD ? NOT_PINNED : "";
    }

    private byte[] shown(ListKind kind, JsonValue key, JsonValue definition, String agentName) {
        JsonSplice splice = new JsonSplice(definition);
        if (kind.isRenamed()) {
            splice.replace(key, new JsonWriter().value(agentName).toBytes());
        }
        // Tasks are not mediated, so no tool may be called as one; nor is it pinned.
        if (definition.member(Pins.EXECUTION).isPresent()) {
            splice.remove(definition, Set.of(Pins.EXECUTION));
        }
        return splice.toBytes();
    }
}
