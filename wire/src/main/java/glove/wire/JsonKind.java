package glove.wire;

/** What a value is. */
public enum JsonKind {
    /** Members with names. */
    OBJECT("an object"),
    /** Values in a row. */
    ARRAY("an array"),
    /** Text. */
    STRING("a string"),
    /** A number, kept as it was written. */
    NUMBER("a number"),
    /** {@code true} or {@code false}. */
    BOOLEAN("true or false"),
    /** {@code null}. */
    NULL("null");

    private final String words;

    JsonKind(String words) {
        this.words = words;
    }

    /** As in "it is an object". */
    public String words() {
        return words;
    }
}
