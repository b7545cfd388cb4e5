package glove.host;

import java.util.Objects;

/** Why the daemon does not start, or not go on: a sentence for its owner. */
final class StartException extends Exception {
    /** The command line or the configuration is wrong. */
    static final int STATUS_USAGE = 2;

    /** Something on this machine is. */
    static final int STATUS_FAILED = 1;

    private static final long serialVersionUID = 1L;

    private final int status;

    private StartException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** Of what was asked for. */
    static StartException usage(String message) {
        return new StartException(STATUS_USAGE, message);
    }

    /** Of what was found. */
    static StartException failed(String message) {
        return new StartException(STATUS_FAILED, message);
    }

    /** What the process ends with. */
    int status() {
        return status;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
