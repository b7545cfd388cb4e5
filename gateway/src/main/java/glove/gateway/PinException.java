package glove.gateway;

/** Pinned definitions could not be read or kept. */
public final class PinException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why, for the operator. */
    public PinException(String message) {
        super(message);
    }

    /** Why, for the operator, and what was behind it. */
    public PinException(String message, Throwable cause) {
        super(message, cause);
    }
}
