package glove.journal;

import java.util.Objects;

/** A line of an audit log is not what Glove writes. */
public final class AuditLineException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is wrong: goes on after "line 7: ". */
    AuditLineException(String what) {
        super(what);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
