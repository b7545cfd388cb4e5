package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;

import java.util.List;
import java.util.Optional;

/**
 * A launched program with pipes for its standard streams: a {@link HostProgram}, or a contained one
 * (see {@link Sandbox#launchWithPipes}). No process of its tree outlives this object, nor this
 * process, however it ends; that includes daemons.
 *
 * <p>Nothing here waits but {@link #close}. Owns the pipes and the channels to the program.
 * Confined to the thread that launched it, which must outlive it (see {@link Launcher}).
 */
public final class RunningProgram implements AutoCloseable {
    private static final int SIGKILL = 9;
    private static final int NONE = LaunchStatus.NONE.kind();

    /** For the kernel to end what was killed: it takes milliseconds, unless a disk is dead. */
    static final long CLOSE_MILLIS = 500;

    private final Linux linux;
    private final String subject;
    private final RunningSandbox sandbox;
    private final OwnedFd stdin;
    private final OwnedFd stdout;
    private final OwnedFd stderr;
    private LaunchStatus verdict = LaunchStatus.NONE;
    private boolean started;
    private boolean killed;
    private boolean gone;
    private long closeMillis = CLOSE_MILLIS;

    /** Takes our ends of the pipes. */
    RunningProgram(Linux linux, String subject, RunningSandbox sandbox, ProgramPipes pipes) {
        this.linux = linux;
        this.subject = subject;
        this.sandbox = sandbox;
        this.stdin = pipes.stdin().write().release();
        this.stdout = pipes.stdout().read().release();
        this.stderr = pipes.stderr().read().release();
    }

    /**
     * What holds it, for the listeners and sockets of a contained one. Lent: its status and its end
     * are this object's business.
     */
    public RunningSandbox sandbox() {
        return sandbox;
    }

    /** What errors call it. */
    public String subject() {
        return subject;
    }

    /** Where its standard input is written, non-blocking; close it to let it read the end. */
    public OwnedFd stdin() {
        return stdin;
    }

    /**
     * Where its standard output is read, non-blocking. After {@link #nextExit} told of the end it
     * still holds what was written before, then the end.
     */
    public OwnedFd stdout() {
        return stdout;
    }

    /** Where its standard error is read, non-blocking; as {@link #stdout}. */
    public OwnedFd stderr() {
        return stderr;
    }

    /** What to wait for until {@link #nextExit} has told how it ended. */
    public PollFd statusToRead() {
        return sandbox.statusToRead();
    }

    /** Whether it was about to be executed when {@link #nextExit} was asked last. */
    public boolean hasStarted() {
        return started;
    }

    /** For a program whose launch was waited for. */
    void setStarted() {
        started = true;
    }

    /**
     * What became of it, without waiting.
     *
     * @return how it ended, once all processes of its tree are gone; SIGKILL when {@link #kill}
     *     came first; empty before. Asked again, the same
     * @throws LaunchException when it could not be started, or was killed by somebody else together
     *     with the process that holds it
     */
    public Optional<Exit> nextExit() throws LaunchException {
        while (!gone && hasNews(0)) {
            take();
        }
        return gone ? Optional.of(exit()) : Optional.empty();
    }

    private boolean hasNews(long millis) throws LaunchException {
        try {
            return linux.poll(List.of(statusToRead()), millis)[0] != 0;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EINTR) {
                return false;
            }
            kill();
            throw new LaunchException(subject + ": cannot be watched: " + e.getMessage(), e);
        }
    }

    private void take() throws LaunchException {
        LaunchStatus message;
        try {
            message = sandbox.receive();
        } catch (LaunchException e) {
            gone = true;
            throw new LaunchException(subject + ": " + e.getMessage(), e);
        }
        switch (message.kind()) {
            case LaunchStatus.CREATED, LaunchStatus.STOPPED, LaunchStatus.HANDED -> {}
            case LaunchStatus.STARTED -> started = true;
            default -> end(message);
        }
    }

    /** The first verdict counts; what is left of the tree is ending, and its last word is none. */
    private void end(LaunchStatus message) {
        if (verdict.kind() == NONE) {
            verdict = message;
            sandbox.hangUp();
        }
        if (message.kind() == NONE) {
            gone = true;
            sandbox.close();
        }
    }

    private Exit exit() throws LaunchException {
        boolean lost = verdict.kind() == NONE || verdict.kind() == LaunchStatus.INIT_LOST;
        if (lost && killed) {
            return new Exit.Signaled(SIGKILL);
        }
        if (lost) {
            throw new LaunchException(subject + ": was killed from outside", verdict);
        }
        try {
            return sandbox.exit(verdict);
        } catch (LaunchException e) {
            throw new LaunchException(subject + ": " + e.getMessage(), verdict);
        }
    }

    /** Another patience of {@link #close}: a test's, which tells a leak from a busy machine. */
    void setCloseMillis(long millis) {
        closeMillis = millis;
    }

    /** Asks every process of its tree to end (SIGTERM). */
    public void terminate() {
        sandbox.terminate();
    }

    /** Kills its whole tree; {@link #nextExit} tells when all are gone. */
    public void kill() {
        killed = true;
        sandbox.hangUp();
    }

    /**
     * Kills its whole tree, waits for all to be gone, half a second at most, and closes the pipes.
     * What the kernel cannot end in that time, it ends as soon as it can.
     */
    @Override
    public void close() {
        kill();
        try {
            awaitEnd(closeMillis);
        } catch (LaunchException e) {
            sandbox.close(); // a wait that fails has no limit, then
        }
        sandbox.abandon();
        stdin.close();
        stdout.close();
        stderr.close();
    }

    private void awaitEnd(long millis) throws LaunchException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (!gone) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0 || !hasNews(left)) {
                return;
            }
            take();
        }
    }
}
