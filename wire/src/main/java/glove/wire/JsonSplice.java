package glove.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A value with some places changed and everything else as the sender wrote it, byte for byte.
 * Confined to one thread. Changes may be told in any order; two that overlap are an
 * {@link IllegalStateException}.
 */
public final class JsonSplice {
    /** What stands there from now on. */
    private static final class Edit {
        private final int start;
        private final int end;
        private final byte[] bytes;

        Edit(int start, int end, byte[] bytes) {
            this.start = start;
            this.end = end;
            this.bytes = bytes;
        }
    }

    /** What changes in the row of an object's members. */
    private static final class Members {
        private final JsonValue object;
        private final List<String> removed = new ArrayList<>();
        private final Map<String, byte[]> added = new LinkedHashMap<>();

        Members(JsonValue object) {
            this.object = object;
        }
    }

    private static final byte[] NOTHING = {};

    private final JsonValue whole;
    private final List<Edit> edits = new ArrayList<>();
    private final TreeMap<Integer, Members> objects = new TreeMap<>();

    /** A copy of the value, so far. */
    public JsonSplice(JsonValue whole) {
        this.whole = whole;
    }

    /**
     * Puts something in the place of a value.
     *
     * @param value within the whole
     * @param json a value's checked text, which is not looked at again
     */
    public JsonSplice replace(JsonValue value, byte[] json) {
        checkWithin(value);
        edits.add(new Edit(value.start(), value.end(), json));
        return this;
    }

    /** Leaves out the members of an object that have these names. */
    public JsonSplice remove(JsonValue object, Set<String> names) {
        members(object).removed.addAll(names);
        return this;
    }

    /**
     * Adds a member to an object, behind the others; or in their place to one that has it already
     * and from which it is not removed.
     *
     * @param json a value's checked text
     */
    public JsonSplice put(JsonValue object, String name, byte[] json) {
        if (object.member(name).isPresent()) {
            return replace(object.member(name).get(), json);
        }
        members(object).added.put(name, json);
        return this;
    }

    private Members members(JsonValue object) {
        checkWithin(object);
        if (!object.is(JsonKind.OBJECT)) {
            throw new IllegalStateException("JSON: only an object has members");
        }
        return objects.computeIfAbsent(object.start(), start -> new Members(object));
    }

    private void checkWithin(JsonValue value) {
        boolean within = value.isInTextOf(whole)
                && value.start() >= whole.start()
                && value.end() <= whole.end();
        if (!within) {
            throw new IllegalStateException("JSON: a splice of something else");
        }
    }

    /** The result. */
    public byte[] toBytes() {
        List<Edit> all = new ArrayList<>(edits);
        for (Members members : objects.values()) {
            cut(members, all);
        }
        all.sort((a, b) -> Integer.compare(a.start, b.start));
        int length = whole.byteCount();
        int done = whole.start();
        for (Edit edit : all) {
            if (edit.start < done) {
                throw new IllegalStateException("JSON: two changes of one place");
            }
            done = edit.end;
            length += edit.bytes.length - (edit.end - edit.start);
        }
        byte[] result = new byte[length];
        int at = 0;
        done = whole.start();
        for (Edit edit : all) {
            at = copy(Arrays.copyOfRange(whole.array(), done, edit.start), result, at);
            at = copy(edit.bytes, result, at);
            done = edit.end;
        }
        copy(Arrays.copyOfRange(whole.array(), done, whole.end()), result, at);
        return result;
    }

    private static int copy(byte[] from, byte[] to, int at) {
        System.arraycopy(from, 0, to, at, from.length);
        return at + from.length;
    }

    /** A member that goes takes one comma with it: the one before it, if anything is kept there. */
    private static void cut(Members members, List<Edit> all) {
        List<JsonValue> children = members.object.children();
        boolean kept = false;
        for (int i = 0; i < children.size(); i++) {
            JsonValue child = children.get(i);
            if (!members.removed.contains(child.name())) {
                kept = true;
                continue;
            }
            boolean last = i == children.size() - 1;
            int start = kept ? children.get(i - 1).end() : child.nameStart();
            int end = kept || last ? child.end() : children.get(i + 1).nameStart();
            all.add(new Edit(start, end, NOTHING));
        }
        if (members.added.isEmpty()) {
            return;
        }
        JsonWriter writer = new JsonWriter().beginObject();
        for (Map.Entry<String, byte[]> added : members.added.entrySet()) {
            writer.name(added.getKey()).raw(added.getValue());
        }
        byte[] object = writer.endObject().toBytes();
        object[0] = ',';
        int from = kept ? 0 : 1;
        byte[] inner = Arrays.copyOfRange(object, from, object.length - 1);
        int end = members.object.end() - 1;
        all.add(new Edit(end, end, inner));
    }
}
