package glove.gateway;

import glove.wire.JsonException;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The definitions of one upstream that its owner has accepted, and those it has shown since that
 * nobody has. Confined to one thread. Its text is
 *
 * <pre>{"version":1,"upstream":"files","command":"npx ...",
 * "pinned":[{"kind":"tool","name":"read","digest":"...","definition":{...}}],
 * "offered":[...]}</pre>
 */
public final class UpstreamPins {
    private static final int VERSION = 1;

    /**
     * A definition. Immutable.
     *
     * @param kind {@code tool}, {@code prompt} or {@code instructions}
     * @param name as the upstream has it
     * @param digest SHA-256 of the definition
     * @param definition canonical JSON of what a model gets to see
     */
    public record Definition(String kind, String name, String digest, String definition) {
        static Definition of(String kind, String name, String definition) {
            return new Definition(kind, name, Digests.hex(definition), definition);
        }

        private String key() {
            return kind + " " + name;
        }

        /** What it costs, about, to keep. */
        long bytes() {
            return name.length() + (long) definition.length() + digest.length();
        }
    }

    private final String upstream;
    private final String command;
    private final Map<String, Definition> pinned = new TreeMap<>();
    private final Map<String, Definition> offered = new TreeMap<>();
    private long definitionBytes;

    /** Nothing pinned, of nobody in particular. */
    public UpstreamPins() {
        this("", "");
    }

    /**
     * Nothing pinned.
     *
     * @param upstream by name, for its owner to know it by
     * @param command for the same
     */
    public UpstreamPins(String upstream, String command) {
        this.upstream = upstream;
        this.command = command;
    }

    /** Reads one. */
    public static UpstreamPins read(byte[] content) throws PinException {
        try {
            JsonValue root =
                    JsonText.frame(content, 0, content.length, JsonLimits.FRAME).root();
            boolean known = root.member("version", JsonKind.NUMBER)
                    .filter(version -> version.number().equals("" + VERSION))
                    .isPresent();
            if (!known) {
                throw new PinException("pinned definitions of another version than " + VERSION);
            }
            UpstreamPins pins = new UpstreamPins(label(root, "upstream"), label(root, "command"));
            pins.readAll(root, "pinned", pins.pinned);
            pins.readAll(root, "offered", pins.offered);
            return pins;
        } catch (JsonException e) {
            throw new PinException("pinned definitions that cannot be read: " + e.getMessage(), e);
        }
    }

    private void readAll(JsonValue root, String member, Map<String, Definition> into)
            throws PinException {
        for (JsonValue item : required(root, member, JsonKind.ARRAY).children()) {
            if (!item.is(JsonKind.OBJECT)) {
                throw new PinException("a pinned definition that is no object");
            }
            JsonValue definition = item.member("definition").orElseThrow(UpstreamPins::torn);
            Definition read = Definition.of(
                    required(item, "kind", JsonKind.STRING).string(),
                    required(item, "name", JsonKind.STRING).string(),
                    definition.toJson());
            if (!required(item, "digest", JsonKind.STRING).isString(read.digest())) {
                throw new PinException("a pinned definition that does not fit its digest");
            }
            put(into, read);
        }
    }

    private static String label(JsonValue root, String member) {
        Optional<JsonValue> label = root.member(member, JsonKind.STRING);
        return label.isPresent() ? label.get().string() : "";
    }

    private static JsonValue required(JsonValue object, String name, JsonKind kind)
            throws PinException {
        return object.member(name, kind).orElseThrow(UpstreamPins::torn);
    }

    private static PinException torn() {
        return new PinException("pinned definitions with parts missing");
    }

    /** Whose definitions they are; may be empty. */
    public String upstream() {
        return upstream;
    }

    /** What was started for it; may be empty. */
    public String command() {
        return command;
    }

    /** The accepted one. */
    public Optional<Definition> pinned(String kind, String name) {
        return Optional.ofNullable(pinned.get(kind + " " + name));
    }

    /** The one that waits to be accepted. */
    public Optional<Definition> offered(String kind, String name) {
        return Optional.ofNullable(offered.get(kind + " " + name));
    }

    /** All that are accepted, by kind and name. */
    List<Definition> allPinned() {
        return List.copyOf(pinned.values());
    }

    /** All that wait. */
    public List<Definition> allOffered() {
        return List.copyOf(offered.values());
    }

    /** Of all definitions, about. */
    long definitionBytes() {
        return definitionBytes;
    }

    private @Nullable Definition put(Map<String, Definition> into, Definition definition) {
        Definition before = into.put(definition.key(), definition);
        definitionBytes += definition.bytes() - (before == null ? 0 : before.bytes());
        return before;
    }

    private void removeOffered(String key) {
        Definition before = offered.remove(key);
        definitionBytes -= before == null ? 0 : before.bytes();
    }

    /** Accepts a definition, which need not wait. */
    public void pin(Definition definition) {
        put(pinned, definition);
        removeOffered(definition.key());
    }

    /** Lets a definition wait; whether that is news. */
    public boolean offer(Definition definition) {
        Definition before = put(offered, definition);
        return before == null || !before.digest().equals(definition.digest());
    }

    /**
     * Takes over what somebody else has accepted or pinned since this was read: what is kept is
     * never lost nor replaced, whoever writes last.
     *
     * @param kept what would be written over
     */
    public void keep(UpstreamPins kept) {
        for (Map.Entry<String, Definition> one : kept.offered.entrySet()) {
            String key = one.getKey();
            boolean pinnedHere = pinned.containsKey(key) && !kept.pinned.containsKey(key);
            if (!pinnedHere) {
                if (!offered.containsKey(key)) {
                    put(offered, one.getValue());
                }
            }
        }
        for (Definition one : kept.pinned.values()) {
            put(pinned, one);
        }
        for (Definition accepted : pinned.values()) {
            if (accepted.equals(offered.get(accepted.key()))) {
                removeOffered(accepted.key());
            }
        }
    }

    /** Its text. */
    public byte[] toBytes() {
        JsonWriter writer = new JsonWriter().beginObject().member("version", VERSION);
        writer.member("upstream", upstream).member("command", command);
        write(writer, "pinned", pinned);
        write(writer, "offered", offered);
        return writer.endObject().toBytes();
    }

    /**
     * Its text, which can surely be read again.
     *
     * @throws PinException when it is too much for that
     */
    byte[] toCheckedBytes() throws PinException {
        byte[] text = toBytes();
        read(text);
        return text;
    }

    private static void write(JsonWriter writer, String name, Map<String, Definition> all) {
        writer.name(name).beginArray();
        for (Definition one : all.values()) {
            writer.beginObject().member("kind", one.kind()).member("name", one.name());
            writer.member("digest", one.digest()).name("definition");
            writer.raw(one.definition().getBytes(StandardCharsets.UTF_8));
            writer.endObject();
        }
        writer.endArray();
    }
}
