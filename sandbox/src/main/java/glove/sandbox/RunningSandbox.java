package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OwnedFd;

/**
 * A launched sandbox. Owns the pipes to it; closing it kills everything inside and reaps the
 * launcher. Confined to the thread that started it.
 */
public final class RunningSandbox implements AutoCloseable {
    private static final byte[] RELEASE = {0};

    private final Linux linux;
    private final LaunchPlan plan;
    private final int launcherPid;
    private final OwnedFd status;
    private final OwnedFd control;
    private boolean reaped;

    RunningSandbox(Linux linux, LaunchPlan plan, int launcherPid, OwnedFd status, OwnedFd control) {
        this.linux = linux;
        this.plan = plan;
        this.launcherPid = launcherPid;
        this.status = status;
        this.control = control;
    }

    /**
     * Waits until process 1 exists and its ids are mapped; it has executed nothing yet.
     *
     * @return its process id outside
     */
    public int awaitCreated() throws LaunchException {
        return next(LaunchStatus.CREATED).value();
    }

    /** Lets process 1 build the sandbox, and waits until the agent is about to be executed. */
    public void release() throws LaunchException {
        try {
            linux.writeFully(control, RELEASE);
        } catch (ErrnoException e) {
            throw lost(e);
        }
        next(LaunchStatus.STARTED);
    }

    /** Waits, without limit, for the agent's end; then nothing of the sandbox is left. */
    public Exit await() throws LaunchException {
        LaunchStatus end = nextOfAny();
        reap();
        return switch (end.kind()) {
            case LaunchStatus.EXITED -> new Exit.Exited(end.value());
            case LaunchStatus.SIGNALED -> new Exit.Signaled(end.value());
            default -> throw failure(end);
        };
    }

    /**
     * Waits for the agent's end, or something to read elsewhere.
     *
     * @param other what else ends the wait
     * @param millis at most; negative: without limit
     * @return first: the agent has ended, so that {@link #await} returns at once; second: the other
     */
    public Linux.Ready awaitEndOr(Fd other, long millis) throws LaunchException {
        try {
            return linux.awaitReadable(status, other, millis);
        } catch (ErrnoException e) {
            throw lost(e);
        }
    }

    /**
     * Forwards a signal to the agent's process group; does nothing once it has ended.
     *
     * @param number 1 to 64
     */
    public void signal(int number) {
        try {
            linux.writeFully(control, new byte[] {(byte) number});
        } catch (ErrnoException e) {
            // EPIPE: it has ended, which await tells.
        }
    }

    private LaunchStatus next(int kind) throws LaunchException {
        LaunchStatus message = nextOfAny();
        if (message.kind() != kind) {
            reap();
            throw failure(message);
        }
        return message;
    }

    private LaunchStatus nextOfAny() throws LaunchException {
        try {
            byte[] message = linux.read(status, LaunchStatus.BYTES);
            return message.length == LaunchStatus.BYTES
                    ? LaunchStatus.decode(message)
                    : LaunchStatus.NONE;
        } catch (ErrnoException e) {
            throw lost(e);
        }
    }

    private LaunchException lost(ErrnoException e) {
        reap();
        return new LaunchException("lost the launcher: " + e.getMessage(), e);
    }

    private LaunchException failure(LaunchStatus message) {
        return new LaunchException(LaunchFailure.words(linux, plan, message), message);
    }

    /** Ends what may still run: without us process 1 ends, and the kernel ends the rest. */
    private void reap() {
        if (reaped) {
            return;
        }
        reaped = true;
        control.close();
        awaitPipeEnd();
        status.close();
        try {
            linux.waitFor(launcherPid);
        } catch (ErrnoException e) {
            // ECHILD: somebody else reaped it; either way it is gone.
        }
    }

    /** The kernel closes the pipe when the last process of the sandbox is gone. */
    private void awaitPipeEnd() {
        try {
            int bytes;
            do {
                bytes = linux.read(status, LaunchStatus.BYTES).length;
            } while (bytes > 0);
        } catch (ErrnoException e) {
            // Closing it, and the wait for the launcher, tell the same.
        }
    }

    @Override
    public void close() {
        reap();
    }
}
