package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;
import glove.sys.Received;

import java.util.List;
import java.util.Optional;

/**
 * A launched sandbox. Owns the channels to it; closing it kills everything inside and reaps the
 * launcher. Confined to the thread that started it.
 */
public final class RunningSandbox implements AutoCloseable {
    private static final byte[] RELEASE = {0};

    /** plan.h, enum control. */
    private static final int EVERYBODY = 128;

    /** For the kernel to end what was killed; not for what waits for a dead disk. */
    private static final long KILL_MILLIS = 300;

    private static final int SIGKILL = 9;
    private static final int SIGTERM = 15;
    private static final int SIGCONT = 18;
    private static final int SIGSTOP = 19;

    private final Linux linux;
    private final LaunchPlan plan;
    private final int launcherPid;
    private final OwnedFd status;
    private final OwnedFd control;
    private final HandedOut handed;
    private boolean stopped;
    private boolean hungUp;
    private boolean reaped;
    private long deadline;
    private boolean timed;

    RunningSandbox(Linux linux, LaunchPlan plan, int launcherPid, OwnedFd status, OwnedFd control) {
        this.linux = linux;
        this.plan = plan;
        this.launcherPid = launcherPid;
        this.status = status;
        this.control = control;
        this.handed = new HandedOut(linux, plan.handed());
    }

    /**
     * From now on no wait for the launcher goes beyond a moment: what is not done then is killed.
     *
     * @param nanos of {@link System#nanoTime}
     */
    void setDeadline(long nanos) {
        deadline = nanos;
        timed = true;
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
        releaseAhead();
        next(LaunchStatus.STARTED);
        try {
            handed.requireAll();
        } catch (LaunchException e) {
            reap();
            throw e;
        }
    }

    /** Lets process 1 build the sandbox as soon as it exists, and waits for nothing. */
    void releaseAhead() throws LaunchException {
        try {
            linux.writeFully(control, RELEASE);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EPIPE) {
                throw lost(e);
            }
            // The launcher has failed already: its status tells why.
        }
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
     * @return how it ended, and nothing of the sandbox is left; empty when something else happened:
     *     see {@link #takeStop}
     */
    public Optional<Exit> nextExit() throws LaunchException {
        LaunchStatus message = receive();
        if (message.kind() == LaunchStatus.HANDED) {
            return Optional.empty();
        }
        if (message.kind() == LaunchStatus.STOPPED) {
            stopped = true;
            return Optional.empty();
        }
        reap();
        return Optional.of(exit(message));
    }

    /** How the agent ended, by the launcher's verdict. */
    Exit exit(LaunchStatus verdict) throws LaunchException {
        return switch (verdict.kind()) {
            case LaunchStatus.EXITED -> new Exit.Exited(verdict.value());
            case LaunchStatus.SIGNALED -> new Exit.Signaled(verdict.value());
            default -> throw failure(verdict);
        };
    }

    /** Whether the agent was stopped (by Ctrl-Z, say) since this was asked last. */
    public boolean takeStop() {
        boolean taken = stopped;
        stopped = false;
        return taken;
    }

    /**
     * The controlling side of the agent's terminal, non-blocking (pty(7)); only of a profile that
     * has one, and once. The caller owns it now.
     */
    public OwnedFd takeTerminal() {
        return handed.take(TerminalSteps.HANDED);
    }

    /** The listener of one of the profile's sockets, non-blocking; once. The caller owns it now. */
    public OwnedFd takeSocket(int number) {
        return handed.take(SocketSteps.HANDED + number);
    }

    /** A watched agent's listener (seccomp_unotify(2)); once. The caller owns it now. */
    public OwnedFd takeListener() {
        return handed.take(AgentSteps.HANDED_LISTENER);
    }

    /**
     * One of the {@linkplain Loopback#listeners listeners} of the profile's loopback, non-blocking;
     * once. The caller owns it now. Empty when it is one on IPv6 and the kernel has none.
     */
    public Optional<OwnedFd> takeLoopbackListener(int index) {
        int knownAs = LoopbackSteps.HANDED + index;
        return handed.isPlanned(knownAs) ? Optional.of(handed.take(knownAs)) : Optional.empty();
    }

    /**
     * Asks process 1 for a TCP socket of the sandbox's network namespace, to reach what listens in
     * there; only of a profile whose loopback publishes, else process 1 ends for it. Does not
     * block; answers come in the order of asking.
     *
     * @param domain {@link Linux#AF_INET} or {@link Linux#AF_INET6}
     */
    public AskedSocket askSocket(int domain) throws ErrnoException {
        AskedSocket socket = handed.ask(domain);
        if (hungUp) {
            return socket; // never answered, as by one that has ended
        }
        try {
            linux.writeFully(control, new byte[] {(byte) HandedOut.control(domain)});
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EPIPE) { // it has ended, which await tells
                throw e;
            }
        }
        return socket;
    }

    /**
     * Forwards a signal to the agent's process group; does nothing once it has ended.
     *
     * @param number 1 to 64
     */
    public void signal(int number) {
        control(number);
    }

    /** Stops every process inside, until {@link #thaw}. */
    public void freeze() {
        control(EVERYBODY + SIGSTOP);
    }

    /** Lets them all go on, also those that were stopped before. */
    public void thaw() {
        control(EVERYBODY + SIGCONT);
    }

    /** Sends SIGTERM to every process inside. */
    void terminate() {
        control(EVERYBODY + SIGTERM);
    }

    /** Begins to kill everything inside, and waits for nothing: process 1 hears the hang-up. */
    void hangUp() {
        hungUp = true;
        control.close();
    }

    private void control(int message) {
        if (hungUp) {
            return;
        }
        try {
            linux.writeFully(control, new byte[] {(byte) message});
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
        LaunchStatus message;
        do {
            message = receive();
        } while (message.kind() == LaunchStatus.HANDED);
        return message;
    }

    /**
     * The launcher's next message; waits for one. The descriptor that came with it has gone where
     * it belongs.
     *
     * @return NONE once the kernel has closed its socket, with the last process
     */
    LaunchStatus receive() throws LaunchException {
        if (timed) {
            awaitInTime();
        }
        Received message;
        try {
            message = linux.receive(status, LaunchStatus.BYTES);
        } catch (ErrnoException e) {
            throw lost(e);
        }
        LaunchStatus decoded = message.bytes().length == LaunchStatus.BYTES
                ? LaunchStatus.decode(message.bytes())
                : LaunchStatus.NONE;
        if (decoded.kind() == LaunchStatus.HANDED || message.fd().isPresent()) {
            try {
                handed.receive(decoded, message.fd());
            } catch (LaunchException e) {
                reap();
                throw e;
            }
        }
        return decoded;
    }

    private void awaitInTime() throws LaunchException {
        try {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0 || !isReadable(millis)) {
                kill();
                throw new LaunchException("it was not ready in time", LaunchStatus.NONE);
            }
        } catch (ErrnoException e) {
            throw lost(e);
        }
    }

    private boolean isReadable(long millis) throws ErrnoException {
        return linux.poll(List.of(statusToRead()), millis)[0] != 0;
    }

    /** The launcher may wait for a dead disk itself, before there is a process 1 to hear us. */
    private void kill() {
        try {
            linux.kill(launcherPid, SIGKILL);
            handed.close();
            hangUp();
            if (isReadable(KILL_MILLIS)) {
                reap();
                return;
            }
        } catch (ErrnoException e) {
            // It has ended, or a signal broke the wait: either way nothing more is to be done.
        }
        abandon();
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
        handed.close();
        hangUp();
        awaitStatusEnd();
        status.close();
        try {
            linux.waitFor(launcherPid);
        } catch (ErrnoException e) {
            // ECHILD: somebody else reaped it; either way it is gone.
        }
    }

    /**
     * Kills everything inside, and leaves what the kernel cannot end yet, a process that waits for
     * a dead disk say, to end without being waited for.
     */
    void abandon() {
        if (!reaped) {
            reaped = true;
            handed.close();
            hangUp();
            status.close();
        }
    }

    /** The kernel closes the socket when the last process of the sandbox is gone. */
    private void awaitStatusEnd() {
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
