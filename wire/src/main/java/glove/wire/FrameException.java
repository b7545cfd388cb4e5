package glove.wire;

/** A stream of lines that cannot be read further; it says which bound it broke. */
public final class FrameException extends Exception {
    private static final long serialVersionUID = 1L;

    FrameException(String message) {
        super(message);
    }
}
