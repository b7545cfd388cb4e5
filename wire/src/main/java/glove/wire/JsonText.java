package glove.wire;

import glove.wire.JsonException.Fault;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonTokenId;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

import java.util.Arrays;

/**
 * A checked JSON text: the sender's own bytes and an index of its values. Whoever decides and
 * whoever forwards use the same offsets, so that nothing can be read in two ways. There is no
 * other parser in the program.
 *
 * <p>Strict (RFC 8259 and RFC 7493): UTF-8 without byte order mark, no name twice in an object
 * (compared after unescaping), no lone surrogate, nothing behind the value, all of it within
 * {@link JsonLimits}.
 *
 * <p>The bytes are not copied: nobody may change them while the text is in use. Immutable
 * otherwise, and may be read by any thread.
 *
 * <p>A frame of 224 bytes takes 3.5 microseconds in a warmed JVM without its second compiler, 1.5
 * with it; a mebibyte of many small values 4 milliseconds (a 2-core virtual machine).
 */
public final class JsonText {
    private static final int UNNAMED = -1;
    private static final int CAPACITY_MIN = 16;

    /** A guess for the first allocation. */
    private static final int BYTES_PER_VALUE = 16;

    /** Of the index: five entries of four bytes. */
    private static final int BYTES_OF_VALUE = 20;

    /**
     * The parser's own limits lie above those of {@link JsonLimits}, which are checked here. Its
     * tables of names are not shared between texts, or one sender's would fill them for all: they
     * only are when a parser is closed, so none is; that also needs a pool that keeps nothing.
     */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
            .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .recyclerPool(JsonRecyclerPools.nonRecyclingPool())
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(1 << 10)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final byte[] bytes;
    private final int from;
    private final int to;

    // One entry for each value, outer before inner, in the order of the text.
    private JsonKind[] kinds;
    private int[] starts;
    private int[] ends;

    /** Where the name with its quotes begins; {@link #UNNAMED} for what is not a member. */
    private int[] names;

    /** The value behind this one and all in it. */
    private int[] nexts;

    private int count;

    private JsonText(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        int capacity = CAPACITY_MIN + (to - from) / BYTES_PER_VALUE;
        kinds = new JsonKind[capacity];
        starts = new int[capacity];
        ends = new int[capacity];
        names = new int[capacity];
        nexts = new int[capacity];
    }

    /**
     * Reads one frame: an object, from the first byte on.
     *
     * @param to behind the last byte
     * @throws JsonException when it is not that, whatever it holds instead
     */
    public static JsonText frame(byte[] bytes, int from, int to, JsonLimits limits)
            throws JsonException {
        checkSize(from, to, limits);
        if (from < to && bytes[from] != '{' && !isSpaceOnly(bytes, from, to)) {
            RawCheck.check(bytes, from, to, limits.numberBytesMax());
            throw new JsonException(Fault.NOT_AN_OBJECT, 0, "something other than an object");
        }
        return read(bytes, from, to, limits);
    }

    /** Reads one value of any kind, which space may surround. */
    public static JsonText value(byte[] bytes, JsonLimits limits) throws JsonException {
        checkSize(0, bytes.length, limits);
        return read(bytes, 0, bytes.length, limits);
    }

    private static void checkSize(int from, int to, JsonLimits limits) throws JsonException {
        if (to - from > limits.bytesMax()) {
            int most = limits.bytesMax();
            String what = "a text of " + (to - from) + " bytes, more than " + most + ",";
            throw new JsonException(Fault.TOO_LONG, most, what);
        }
    }

    private static JsonText read(byte[] bytes, int from, int to, JsonLimits limits)
            throws JsonException {
        if (isSpaceOnly(bytes, from, to)) {
            throw new JsonException(Fault.EMPTY, 0, "nothing");
        }
        RawCheck.check(bytes, from, to, limits.numberBytesMax());
        JsonText text = new JsonText(bytes, from, to);
        JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), bytes, from, to - from);
        try {
            text.index(parser, limits);
        } catch (JacksonException e) {
            TokenStreamLocation where = e.getLocation();
            int offset = where == null ? to - from : (int) where.getByteOffset();
            throw new JsonException(Fault.SYNTAX, offset, shown(e.getOriginalMessage()));
        }
        return text;
    }

    private static String shown(String message) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < message.length() && i < 160; i++) {
            char c = message.charAt(i);
            shown.append(c >= ' ' && c < 0x7f ? c : '?');
        }
        return shown.toString();
    }

    private void index(JsonParser parser, JsonLimits limits) throws JsonException {
        int[] open = new int[limits.depthMax()];
        int[] members = new int[limits.depthMax()];
        int depth = 0;
        int name = UNNAMED;
        long namesBytes = 0;
        do {
            parser.nextToken();
            int at = from + (int) parser.currentTokenLocation().getByteOffset();
            int token = parser.currentTokenId();
            switch (token) {
                case JsonTokenId.ID_PROPERTY_NAME -> {
                    name = at;
                    namesBytes += checkName(at, limits);
                    check(namesBytes <= limits.allNamesBytesMax(), at, "too many long names");
                    members[depth - 1]++;
                    check(members[depth - 1] <= limits.membersMax(), at, "too many members");
                }
                case JsonTokenId.ID_END_OBJECT, JsonTokenId.ID_END_ARRAY -> {
                    depth--;
                    ends[open[depth]] = at + 1;
                    nexts[open[depth]] = count;
                }
                case JsonTokenId.ID_START_OBJECT, JsonTokenId.ID_START_ARRAY -> {
                    check(depth < limits.depthMax(), at, "a value nested too deeply");
                    open[depth] = count;
                    members[depth] = 0;
                    depth++;
                    boolean object = token == JsonTokenId.ID_START_OBJECT;
                    add(object ? JsonKind.OBJECT : JsonKind.ARRAY, at, name, limits);
                    name = UNNAMED;
                }
                default -> {
                    addScalar(token, at, name, limits);
                    name = UNNAMED;
                }
            }
        } while (depth > 0);
        parser.finishToken(); // a string is looked into when the next token is asked for
        for (int at = ends[0]; at < to; at++) {
            if (!isSpace(bytes[at])) {
                throw new JsonException(Fault.TRAILING, at - from, "something behind the value");
            }
        }
    }

    private void addScalar(int token, int at, int name, JsonLimits limits) throws JsonException {
        JsonKind kind = switch (token) {
            case JsonTokenId.ID_STRING -> JsonKind.STRING;
            case JsonTokenId.ID_NUMBER_INT, JsonTokenId.ID_NUMBER_FLOAT -> JsonKind.NUMBER;
            case JsonTokenId.ID_TRUE, JsonTokenId.ID_FALSE -> JsonKind.BOOLEAN;
            case JsonTokenId.ID_NULL -> JsonKind.NULL;
            default ->
                throw new JsonException(Fault.SYNTAX, at - from, "something that is no value");
        };
        add(kind, at, name, limits);
        ends[count - 1] = switch (kind) {
            case STRING -> JsonString.end(bytes, at);
            case NUMBER -> numberEnd(at);
            default -> token == JsonTokenId.ID_FALSE ? at + 5 : at + 4;
        };
        nexts[count - 1] = count;
    }

    private void add(JsonKind kind, int start, int name, JsonLimits limits) throws JsonException {
        check(count < limits.valuesMax(), start, "too many values");
        if (count == starts.length) {
            int capacity = Math.min(limits.valuesMax(), count * 2);
            kinds = Arrays.copyOf(kinds, capacity);
            starts = Arrays.copyOf(starts, capacity);
            ends = Arrays.copyOf(ends, capacity);
            names = Arrays.copyOf(names, capacity);
            nexts = Arrays.copyOf(nexts, capacity);
        }
        kinds[count] = kind;
        starts[count] = start;
        names[count] = name;
        count++;
    }

    private int checkName(int at, JsonLimits limits) throws JsonException {
        int length = JsonString.end(bytes, at) - at - 2;
        check(length <= limits.nameBytesMax(), at, "a name that is too long");
        return length;
    }

    private void check(boolean within, int at, String what) throws JsonException {
        if (!within) {
            throw new JsonException(Fault.TOO_MUCH, at - from, what);
        }
    }

    private int numberEnd(int start) {
        int end = start;
        while (end < to && RawCheck.isOfNumber(bytes[end])) {
            end++;
        }
        return end;
    }

    private static boolean isSpaceOnly(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && isSpace(bytes[at])) {
            at++;
        }
        return at == to;
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }

    /** The outermost value. */
    public JsonValue root() {
        return new JsonValue(this, 0);
    }

    /** Bytes of memory that are kept for as long as one of its values is: its text and index. */
    long memoryBytes() {
        return bytes.length + (long) BYTES_OF_VALUE * starts.length;
    }

    /** The array the offsets of all values count in; not to be changed. */
    byte[] bytes() {
        return bytes;
    }

    JsonKind kind(int value) {
        return kinds[value];
    }

    int start(int value) {
        return starts[value];
    }

    int end(int value) {
        return ends[value];
    }

    /** Where the name begins; negative for what is not a member. */
    int nameStart(int value) {
        return names[value];
    }

    int next(int value) {
        return nexts[value];
    }
}
