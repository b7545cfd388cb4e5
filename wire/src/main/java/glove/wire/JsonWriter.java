package glove.wire;

import java.nio.charset.StandardCharsets;

/**
 * Writes one JSON document (RFC 8259), compact, members in the order they are given. Every control
 * character is escaped, and a lone surrogate is replaced, so the result is always valid UTF-8 JSON.
 * Confined to one thread; a misuse that would not be JSON is an {@link IllegalStateException}.
 *
 * <p>The {@linkplain #canonical canonical} form is what digests and journals hold, byte for byte as
 * other implementations write it: of the characters that may stand as they are, only quote and
 * backslash are escaped.
 */
public final class JsonWriter {
    private static final int DEPTH_MAX = 64;
    private static final int ROOM = 256; // most documents are no longer
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final StringBuilder out = new StringBuilder(ROOM);
    private final boolean canonical;
    private final boolean[] hasMembers = new boolean[DEPTH_MAX];
    private final boolean[] isObject = new boolean[DEPTH_MAX];
    private int depth;
    private boolean named;

    /** An empty document. */
    public JsonWriter() {
        this(false);
    }

    private JsonWriter(boolean canonical) {
        this.canonical = canonical;
    }

    /**
     * An empty document in the canonical form. A lone surrogate is an {@link
     * IllegalStateException}: nothing may be changed in silence that a digest covers.
     */
    public static JsonWriter canonical() {
        return new JsonWriter(true);
    }

    /** Begins an object, as a value. */
    public JsonWriter beginObject() {
        return begin('{', true);
    }

    /** Ends it. */
    public JsonWriter endObject() {
        return end('}', true);
    }

    /** Begins an array, as a value. */
    public JsonWriter beginArray() {
        return begin('[', false);
    }

    /** Ends it. */
    public JsonWriter endArray() {
        return end(']', false);
    }

    /** The name of the member whose value comes next. */
    public JsonWriter name(String name) {
        check(depth > 0 && isObject[depth - 1] && !named, "a name stands in an object");
        separate();
        quote(name);
        out.append(':');
        named = true;
        return this;
    }

    /** A string. */
    public JsonWriter value(String value) {
        beforeValue();
        quote(value);
        return this;
    }

    /** An integer. */
    public JsonWriter value(long value) {
        beforeValue();
        out.append(value);
        return this;
    }

    /** An integer of 64 bits without sign: see {@link U64}. */
    public JsonWriter unsigned(long value) {
        beforeValue();
        out.append(U64.text(value));
        return this;
    }

    /** A truth value. */
    public JsonWriter value(boolean value) {
        beforeValue();
        out.append(value);
        return this;
    }

    /** The value that is none. */
    public JsonWriter nullValue() {
        beforeValue();
        out.append("null");
        return this;
    }

    /** A value of a checked text, as its sender wrote it. */
    public JsonWriter value(JsonValue value) {
        return raw(value.toBytes());
    }

    /**
     * A value as it is.
     *
     * @param json its text, one value and valid: it is not looked at again
     */
    public JsonWriter raw(byte[] json) {
        beforeValue();
        out.append(new String(json, StandardCharsets.UTF_8));
        return this;
    }

    /** Name and string in one. */
    public JsonWriter member(String name, String value) {
        return name(name).value(value);
    }

    /** Name and integer in one. */
    public JsonWriter member(String name, long value) {
        return name(name).value(value);
    }

    /** Name and integer without sign in one. */
    public JsonWriter unsigned(String name, long value) {
        return name(name).unsigned(value);
    }

    /** Name and truth value in one. */
    public JsonWriter member(String name, boolean value) {
        return name(name).value(value);
    }

    /** The finished document. */
    public String toJson() {
        check(depth == 0 && !out.isEmpty(), "the document is not finished");
        return out.toString();
    }

    /** The finished document in UTF-8. */
    public byte[] toBytes() {
        return toJson().getBytes(StandardCharsets.UTF_8);
    }

    private JsonWriter begin(char bracket, boolean object) {
        check(depth < DEPTH_MAX, "nested too deeply");
        beforeValue();
        out.append(bracket);
        isObject[depth] = object;
        hasMembers[depth] = false;
        depth++;
        return this;
    }

    private JsonWriter end(char bracket, boolean object) {
        check(depth > 0 && isObject[depth - 1] == object && !named, "nothing to end here");
        depth--;
        out.append(bracket);
        return this;
    }

    private void beforeValue() {
        if (depth == 0) {
            check(out.isEmpty(), "one document, one value");
        } else if (isObject[depth - 1]) {
            check(named, "a value in an object needs a name");
            named = false;
        } else {
            separate();
        }
    }

    private void separate() {
        if (hasMembers[depth - 1]) {
            out.append(',');
        }
        hasMembers[depth - 1] = true;
    }

    private void quote(String text) {
        out.append('"');
        if (canonical) {
            canonical(text);
            out.append('"');
            return;
        }
        int start = 0; // of what stands as it is, which is taken at once
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                out.append(text, start, i);
                start = i + 1;
                other(text, i, c);
            }
        }
        out.append(text, start, text.length()).append('"');
    }

    private void other(String text, int at, char c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> plain(text, at, c);
        }
    }

    private void plain(String text, int at, char c) {
        if (Character.isISOControl(c)) { // those of Latin-1, too: terminals obey some
            out.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 15]);
        } else if (Character.isSurrogate(c) && !isPaired(text, at)) {
            out.append('\ufffd');
        } else {
            out.append(c);
        }
    }

    /** In runs: most of what is written so is one long string without anything to escape. */
    private void canonical(String text) {
        int plain = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                out.append(text, plain, i);
                escape(c);
                plain = i + 1;
            } else {
                check(!Character.isSurrogate(c) || isPaired(text, i), "half of a surrogate pair");
            }
        }
        out.append(text, plain, text.length());
    }

    private void escape(char c) {
        switch (c) {
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case '"', '\\' -> out.append('\\').append(c);
            default -> out.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 15]);
        }
    }

    private static boolean isPaired(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalStateException("JSON: " + rule);
        }
    }
}
