package glove.session.exposure;

import java.util.Objects;

/** A directory the exposure policy names cannot be used. */
public final class RootException extends Exception {
    private static final long serialVersionUID = 1L;

    RootException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
