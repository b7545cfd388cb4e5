package glove.sandbox;

import java.util.Objects;

/**
 * The sandbox could not be built, or was lost. Nothing of it is left: the kernel has ended its
 * processes and with them its mounts.
 */
public final class LaunchException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient LaunchStatus status;

    LaunchException(String message, LaunchStatus status) {
        super(message);
        this.status = status;
    }

    LaunchException(String message, Throwable cause) {
        super(message, cause);
        this.status = LaunchStatus.NONE;
    }

    LaunchStatus status() {
        return status;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
