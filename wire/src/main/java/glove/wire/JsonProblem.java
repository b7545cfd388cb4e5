package glove.wire;

/**
 * What is wrong with one place of a document. Immutable.
 *
 * @param pointer the place, as a JSON Pointer (RFC 6901); empty for the whole document
 * @param what as in "is missing"; printable ASCII
 * @param instead what to do or write, as in "write a number from 1 to 255"; may be empty
 */
public record JsonProblem(String pointer, String what, String instead) {
    /** Names of a document are its writer's, who may have meant the reader's terminal. */
    private static final int POINTER_SHOWN_MAX = 400;

    /** In one line of printable ASCII. */
    @Override
    public String toString() {
        String place = pointer.isEmpty()
                ? "the document"
                : "'" + Ascii.shown(pointer, POINTER_SHOWN_MAX) + "'";
        return place + " " + what + (instead.isEmpty() ? "" : ": " + instead);
    }
}
