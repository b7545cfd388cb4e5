package glove.sys;

/** A mistake of the program, never of its input: not caught to continue. */
public final class Bug extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A bug, described for those who mend it. */
    public Bug(String message) {
        super(message);
    }

    Bug(String message, Throwable cause) {
        super(message, cause);
    }
}
