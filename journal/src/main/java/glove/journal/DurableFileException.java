package glove.journal;

import java.util.Objects;

/** A file of Glove's own cannot be read or replaced; it is as it was. */
public final class DurableFileException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says which file, why, and what to do. */
    public DurableFileException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
