package glove.wire;

/**
 * How large a text may be before it is refused. Immutable.
 *
 * @param bytesMax of the whole text
 * @param depthMax objects and arrays around a value
 * @param numberBytesMax of one number, as written
 * @param nameBytesMax of one name, as written, without its quotes
 * @param membersMax in one object: a set of their names is built to find duplicates
 * @param valuesMax in all: each costs {@link JsonText} 20 bytes of memory
 */
public record JsonLimits(
        int bytesMax,
        int depthMax,
        int numberBytesMax,
        int nameBytesMax,
        int membersMax,
        int valuesMax) {
    /** Of all names, for each value that may be: to tell them apart costs more than all else. */
    private static final int NAME_BYTES_OF_VALUE = 8;

    /** What the parser below can take. */
    private static final int DEPTH_MOST = 512;

    /** For one frame between peers. */
    public static final JsonLimits FRAME =
            new JsonLimits(16 << 20, 64, 400, 64 << 10, 64 << 10, 1 << 18);

    /** For a file somebody wrote by hand or with a program. */
    public static final JsonLimits FILE = FRAME.withBytesMax(1 << 20);

    /** All are positive. */
    public JsonLimits {
        boolean positive = bytesMax > 0
                && numberBytesMax > 0
                && nameBytesMax > 0
                && membersMax > 0
                && valuesMax > 0;
        if (!positive || depthMax < 1 || depthMax > DEPTH_MOST) {
            throw new IllegalArgumentException("limits of JSON that let nothing through");
        }
    }

    /** Of all names of a text together, as written, without their quotes. */
    long allNamesBytesMax() {
        return nameBytesMax + (long) NAME_BYTES_OF_VALUE * valuesMax;
    }

    /** The same, with another size of the whole text. */
    public JsonLimits withBytesMax(int most) {
        return new JsonLimits(most, depthMax, numberBytesMax, nameBytesMax, membersMax, valuesMax);
    }
}
