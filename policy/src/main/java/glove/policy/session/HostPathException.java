package glove.policy.session;

import java.util.Objects;

/** A path of this machine that cannot be used, with why. */
public final class HostPathException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Why not.
     *
     * @param message as in "does not exist"; printable ASCII
     */
    public HostPathException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
