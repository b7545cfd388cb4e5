package glove.host;

import java.util.Objects;

/** What a peer is told instead of a result: a word for programs and a sentence for logs. */
final class ControlException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is told of a request that was not carried out in time. */
    static final String LATE = "deadline_exceeded";

    static final String LATE_MESSAGE = "request deadline elapsed";

    private final String code;

    ControlException(String code, String message) {
        super(message, null, false, false); // as frequent as a peer wants: no stack is kept
        this.code = code;
    }

    /** A request that is not what such requests are. */
    static ControlException invalid(String message) {
        return new ControlException("invalid_request", message);
    }

    /** The deadline is over, and nothing was done. */
    static ControlException late() {
        return new ControlException(LATE, LATE_MESSAGE);
    }

    /** The daemon ends, and nothing was done: to be asked again, as after a deadline. */
    static ControlException ending() {
        return new ControlException(LATE, "gloved is ending");
    }

    String code() {
        return code;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
