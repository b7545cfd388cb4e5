package glove.journal;

import java.util.Objects;

/** A record is framed as it should be, but is none of its kind or does not follow the others. */
public final class RecordException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says why, as in "does not follow the record before". */
    public RecordException(String why) {
        super(why);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
