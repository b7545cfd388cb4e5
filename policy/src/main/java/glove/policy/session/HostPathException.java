package glove.policy.session;

import java.util.Objects;

/** A path of this machine that cannot be used, with why. */
public final class HostPathException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean missing;

    /**
     * Why not.
     *
     * @param message as in "leads through a symbolic link"; printable ASCII
     */
    public HostPathException(String message) {
        this(message, false);
    }

    private HostPathException(String message, boolean missing) {
        super(message);
        this.missing = missing;
    }

    /** There is nothing at the path. */
    public static HostPathException nothing() {
        return new HostPathException("does not exist", true);
    }

    /** Whether nothing is there. Otherwise something is, or that could not be found out. */
    public boolean isMissing() {
        return missing;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
