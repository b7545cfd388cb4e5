package glove.sandbox;

import java.util.Objects;

/** No control group can be had; the message says why, and some other mechanism has to do. */
final class CgroupException extends Exception {
    private static final long serialVersionUID = 1L;

    CgroupException(String message) {
        super(message);
    }

    CgroupException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
