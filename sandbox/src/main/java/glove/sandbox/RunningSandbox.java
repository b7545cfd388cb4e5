package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;

import java.util.Optional;

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
        for (; ; ) {
            Optional<Exit> exit = nextExit();
            if (exit.isPresent()) {
                return exit.get();
            }
        }
    }

    /** What to wait for: when something happens here, {@link #nextExit} does not block. */
    public PollFd statusToRead() {
        return new PollFd(status, PollFd.POLLIN);
    }

    /**
     * Reads what happened to the agent; waits for something if nothing did.
     *
     * @return how it ended, and nothing of the sandbox is left; empty when something else happened
     */
    public Optional<Exit> nextExit() throws LaunchException {
        LaunchStatus message = nextOfAny();
        reap();
        return switch (message.kind()) {
            case LaunchStatus.EXITED -> Optional.of(new Exit.Exited(message.value()));
            case LaunchStatus.SIGNALED -> Optional.of(new Exit.Signaled(message.value()));
            default -> throw failure(message);
        };
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
