package glove.wire;

/**
 * Why a text is not taken as JSON. The message says what and where in words that may be shown:
 * it holds printable ASCII only, whatever the text held.
 */
public final class JsonException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    public enum Fault {
        /** Nothing but space. */
        EMPTY,
        /** Larger than {@link JsonLimits#bytesMax}. */
        TOO_LONG,
        /** A frame whose first byte does not open an object; a batch is one. */
        NOT_AN_OBJECT,
        /** Bytes that are not UTF-8, or a byte order mark. */
        NOT_UTF8,
        /** Half of a surrogate pair, as an escape: no text has such a character. */
        LONE_SURROGATE,
        /** Not the grammar of RFC 8259, or a name twice in one object. */
        SYNTAX,
        /** Something behind the value. */
        TRAILING,
        /** One of the other bounds of {@link JsonLimits}. */
        TOO_MUCH
    }

    private final Fault fault;
    private final int offset;

    JsonException(Fault fault, int offset, String what) {
        super(what + " at byte " + offset);
        this.fault = fault;
        this.offset = offset;
    }

    /** What is wrong. */
    public Fault fault() {
        return fault;
    }

    /** Where, in bytes from the beginning of the text. */
    public int offset() {
        return offset;
    }
}
