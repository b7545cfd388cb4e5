package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonPointer;
import glove.wire.JsonValue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An object of a policy file that is being read: what was not asked for is refused at the end.
 * Confined to one thread.
 */
final class FileObject {
    private final String file;
    private final String pointer;
    private final JsonValue object;
    private final List<String> known = new ArrayList<>();

    /** @param pointer of the value in the file */
    FileObject(String file, String pointer, JsonValue value) throws PolicyException {
        this.file = file;
        this.pointer = pointer;
        this.object = value;
        if (!value.is(JsonKind.OBJECT)) {
            throw wrong("it is " + value.kind().words() + ", not an object");
        }
    }

    /** @param way from the outer object to the value, as a pointer without its first slash */
    FileObject(FileObject outer, String way, JsonValue value) throws PolicyException {
        this(outer.file, outer.pointer + "/" + way, value);
    }

    /** Begins messages. */
    String where() {
        return Shown.quoted(file) + " at " + (pointer.isEmpty() ? "its top" : pointer) + ": ";
    }

    /** Names this place in sentences about decisions. */
    String place() {
        return pointer + " of " + Shown.quoted(file);
    }

    String pointerTo(String key) {
        return pointer + JsonPointer.ofMember(key);
    }

    FileObject object(String key, JsonValue value) throws PolicyException {
        return new FileObject(file, pointerTo(key), value);
    }

    /** The value of a key, which is known from now on. */
    Optional<JsonValue> find(String key) {
        known.add(key);
        return object.member(key);
    }

    JsonValue get(String key) throws PolicyException {
        Optional<JsonValue> found = find(key);
        if (found.isEmpty()) {
            throw wrong("the key '" + key + "' is missing");
        }
        return found.get();
    }

    /** A value of a kind. */
    Optional<JsonValue> find(String key, JsonKind kind) throws PolicyException {
        Optional<JsonValue> found = find(key);
        if (found.isPresent() && !found.get().is(kind)) {
            throw wrong("'" + key + "' is " + found.get().kind().words() + ", not " + kind.words());
        }
        return found;
    }

    Optional<Integer> findInt(String key, int least, int most) throws PolicyException {
        Optional<JsonValue> found = find(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        String text = Numbers.isInteger(found.get()) ? found.get().number() : "";
        boolean small = !text.isEmpty() && text.length() <= 10 && !text.equals("-0");
        long number = small ? Long.parseLong(text) : -1;
        if (!small || number < least || number > most) {
            throw wrong("'" + key + "' is not an integer from " + least + " to " + most);
        }
        return Optional.of((int) number);
    }

    /** One string, or an array of at least one; empty when the key is absent. */
    List<String> findStrings(String key) throws PolicyException {
        Optional<JsonValue> found = find(key);
        if (found.isEmpty()) {
            return List.of();
        }
        JsonValue value = found.get();
        List<JsonValue> values = value.is(JsonKind.ARRAY) ? value.children() : List.of(value);
        List<String> strings = new ArrayList<>();
        for (JsonValue each : values) {
            if (!each.is(JsonKind.STRING)) {
                throw wrong("'" + key + "' is neither a string nor an array of strings");
            }
            if (strings.contains(each.string())) {
                throw wrong("'" + key + "' holds " + Shown.quoted(each.string()) + " twice");
            }
            strings.add(each.string());
        }
        if (strings.isEmpty()) {
            throw wrong("'" + key + "' holds nothing, so that no value would do");
        }
        return strings;
    }

    /** Nothing may be left that was not asked for. */
    void end() throws PolicyException {
        for (JsonValue member : object.children()) {
            if (!known.contains(member.name())) {
                throw new PolicyException(
                        where() + "unknown key " + Shown.quoted(member.name()),
                        "keys here are " + String.join(", ", known));
            }
        }
    }

    PolicyException wrong(String what, String... hints) {
        return new PolicyException(where() + what, hints);
    }
}
