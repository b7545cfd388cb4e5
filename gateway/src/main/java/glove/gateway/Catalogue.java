package glove.gateway;

import glove.wire.JsonKind;
import glove.wire.JsonSplice;
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

    private final Hub hub;
    private final UpstreamSpec spec;
    private final Pins pins;
    private final Map<ListKind, List<Item>> items = new EnumMap<>(ListKind.class);
    private final Set<String> told = new HashSet<>(); // bounded by what one upstream can list
    private String instructions = "";

    Catalogue(Hub hub, UpstreamSpec spec) {
        this.hub = hub;
        this.spec = spec;
        this.pins = new Pins(hub, spec);
    }

    List<Item> items(ListKind kind) {
        return items.getOrDefault(kind, List.of());
    }

    /** What it tells models about itself, if that may be passed on. */
    String instructions() {
        return instructions;
    }

    /** Forgets everything: the upstream will not come back. */
    void clear() {
        items.clear();
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

    /** Takes a whole list in the place of the one before. */
    void replace(ListKind kind, List<JsonValue> definitions) {
        List<Item> all = new ArrayList<>();
        List<Item> fresh = new ArrayList<>();
        int unusable = 0;
        for (JsonValue definition : definitions) {
            Optional<JsonValue> name = definition.is(JsonKind.OBJECT)
                    ? definition.member(kind.key(), JsonKind.STRING)
                    : Optional.empty();
            boolean ambiguous = definition.hasLookalike(kind.key());
            if (name.isEmpty() || ambiguous || !isUsable(kind, name.get().string())) {
                unusable++;
                continue;
            }
            Pins.Standing standing = standing(kind, name.get().string(), definition);
            Item item = item(kind, name.get(), definition, standing);
            (standing == Pins.Standing.FRESH ? fresh : all).add(item);
        }
        boolean saved = pins.save();
        for (Item item : fresh) {
            String hidden = saved ? "" : "it could not be pinned";
            all.add(new Item(item.name(), item.agentName(), item.definition(), hidden));
        }
        items.put(kind, all);
        if (unusable > 0) {
            hub.owner.report(spec.name() + ": " + unusable + " of its " + kind.member()
                    + " have no usable " + kind.key() + " and are left out");
        }
        hub.catalogueChanged();
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
        String hidden = "";
        if (!hub.policy.shows(kind, spec.name(), name)) {
            hidden = "no rule allows it";
        } else if (standing == Pins.Standing.WITHHELD) {
            hidden = "its definition is not the pinned one";
        }
        if (hidden.isEmpty() && AgentNames.isShortened(spec, name) && told.add(agentName)) {
            hub.owner.report(spec.name() + "." + Answers.shown(name) + " is too long a name for "
                    + "models: the agent sees it as " + agentName);
        }
        byte[] shown = hidden.isEmpty() ? shown(kind, key, definition, agentName) : new byte[0];
        return new Item(name, agentName, shown, hidden);
    }

    private byte[] shown(ListKind kind, JsonValue key, JsonValue definition, String agentName) {
        JsonSplice splice = new JsonSplice(definition);
        if (kind.isRenamed()) {
            splice.replace(key, new JsonWriter().value(agentName).toBytes());
        }
        // Tasks are not mediated, so no tool may be called as one.
        definition
                .member("execution", JsonKind.OBJECT)
                .filter(how ->
                        kind == ListKind.TOOLS && how.member("taskSupport").isPresent())
                .ifPresent(how -> splice.remove(how, Set.of("taskSupport")));
        return splice.toBytes();
    }
}
