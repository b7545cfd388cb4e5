package glove.journal;

import java.util.Objects;

/** The audit log cannot be used or written; what it was to record must not happen. */
public final class AuditException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says which log, why, and what to do. */
    public AuditException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
