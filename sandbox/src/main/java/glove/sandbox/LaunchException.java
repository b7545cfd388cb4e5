package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;

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

    /**
     * Whether it was for want of descriptors, processes, memory or the disk's room: nothing is said
     * then of what was to be set up.
     */
    public boolean isForWantOfRoom() {
        int errno = getCause() instanceof ErrnoException failed ? failed.errno() : status.errno();
        return errno == Errno.EMFILE
                || errno == Errno.ENFILE
                || errno == Errno.EAGAIN
                || errno == Errno.ENOMEM
                || (getCause() != null && errno == Errno.ENOSPC);
    }

    LaunchStatus status() {
        return status;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
