package glove.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One value in a {@link JsonText}: a place, not a copy. Immutable. Asking a value for what its
 * kind does not have is an {@link IllegalStateException}; look at {@link #kind} first.
 */
public final class JsonValue {
    private final JsonText text;
    private final int index;

    JsonValue(JsonText text, int index) {
        this.text = text;
        this.index = index;
    }

    /** What it is. */
    public JsonKind kind() {
        return text.kind(index);
    }

    /** Whether it is that. */
    public boolean is(JsonKind kind) {
        return kind() == kind;
    }

    /** The array it lies in, from {@link #start} to {@link #end}; not to be changed. */
    public byte[] array() {
        return text.bytes();
    }

    /** Where it begins in the array; quotes and brackets are part of it. */
    public int start() {
        return text.start(index);
    }

    /** Behind its last byte. */
    public int end() {
        return text.end(index);
    }

    /** How many bytes it has, as it was sent. */
    public int byteCount() {
        return end() - start();
    }

    /** How many values it is, those in it and itself. */
    public int valueCount() {
        return text.next(index) - index;
    }

    /** Bytes of memory that are kept for as long as this is: of the whole text it lies in. */
    public long memoryBytes() {
        return text.memoryBytes();
    }

    /** Its bytes as they were sent, copied. */
    public byte[] toBytes() {
        return Arrays.copyOfRange(text.bytes(), start(), end());
    }

    /** Its text as it was sent. */
    public String toJson() {
        return new String(text.bytes(), start(), byteCount(), StandardCharsets.UTF_8);
    }

    /** The value of a string, without quotes and escapes. */
    public String string() {
        expect(JsonKind.STRING);
        return JsonString.decode(text.bytes(), start() + 1, end() - 1);
    }

    /** Whether it is the string of that value; false for other kinds. */
    public boolean isString(String value) {
        return is(JsonKind.STRING) && JsonString.is(text.bytes(), start(), value);
    }

    /** A number as it was written: ASCII, at most {@link JsonLimits#numberBytesMax} long. */
    public String number() {
        expect(JsonKind.NUMBER);
        return toJson();
    }

    /** Of true and false. */
    public boolean truth() {
        expect(JsonKind.BOOLEAN);
        return text.bytes()[start()] == 't';
    }

    /** Whether it has a name, being a member of an object. */
    public boolean isMember() {
        return text.nameStart(index) >= 0;
    }

    /** The name of a member, decoded. */
    public String name() {
        return JsonString.decode(text.bytes(), nameStart());
    }

    /** Where the name of a member begins in the array, at its quote. */
    public int nameStart() {
        if (!isMember()) {
            throw new IllegalStateException("JSON: no member of an object has no name");
        }
        return text.nameStart(index);
    }

    /** The member of an object with that name; there is at most one. */
    public Optional<JsonValue> member(String name) {
        expect(JsonKind.OBJECT);
        int behind = text.next(index);
        for (int at = index + 1; at < behind; at = text.next(at)) {
            if (JsonString.is(text.bytes(), text.nameStart(at), name)) {
                return Optional.of(new JsonValue(text, at));
            }
        }
        return Optional.empty();
    }

    /**
     * Whether it is an object with a member that only a reader which ignores letter case would take
     * for the one with that name. Two such members would be one to it.
     */
    public boolean hasLookalike(String name) {
        if (!is(JsonKind.OBJECT)) {
            return false;
        }
        for (JsonValue member : children()) {
            String other = member.name();
            if (other.length() == name.length()
                    && !other.equals(name)
                    && other.equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /** The member of an object with that name, when it has that kind. */
    public Optional<JsonValue> member(String name, JsonKind kind) {
        Optional<JsonValue> found = member(name);
        return found.isPresent() && found.get().is(kind) ? found : Optional.empty();
    }

    /** The element of an array that many places behind the first; counted from there each time. */
    public Optional<JsonValue> element(int place) {
        expect(JsonKind.ARRAY);
        int behind = text.next(index);
        int left = place;
        for (int at = index + 1; at < behind; at = text.next(at)) {
            if (left == 0) {
                return Optional.of(new JsonValue(text, at));
            }
            left--;
        }
        return Optional.empty();
    }

    /** The members or elements, in the order they were sent; none for what holds no values. */
    public List<JsonValue> children() {
        List<JsonValue> children = new ArrayList<>();
        int behind = text.next(index);
        for (int at = index + 1; at < behind; at = text.next(at)) {
            children.add(new JsonValue(text, at));
        }
        return children;
    }

    /** How many members or elements it has. */
    public int size() {
        int size = 0;
        int behind = text.next(index);
        for (int at = index + 1; at < behind; at = text.next(at)) {
            size++;
        }
        return size;
    }

    boolean isInTextOf(JsonValue other) {
        return text == other.text;
    }

    private void expect(JsonKind kind) {
        if (kind() != kind) {
            throw new IllegalStateException(
                    "JSON: it is " + kind().words() + ", not " + kind.words());
        }
    }

    /** For messages of tests and bugs. */
    @Override
    public String toString() {
        return toJson();
    }
}
