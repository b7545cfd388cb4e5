package glove.app;

import glove.sandbox.RunningSandbox;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Pipe;
import glove.sys.PollFd;

import java.util.List;
import java.util.Optional;

/**
 * Passes signals sent to Glove on to the agent. SIGTERM and SIGHUP mean the end: an agent that has
 * not ended {@value #GRACE_MILLIS} ms later is killed with all it started. So does SIGINT, unless
 * it comes from the terminal the agent reads from: there Ctrl-C belongs to the agent.
 *
 * <p>Confined to the run's thread.
 */
final class SignalRelay implements Attendant {
    static final int GRACE_MILLIS = 5000;

    static final int SIGHUP = 1;
    static final int SIGINT = 2;
    static final int SIGQUIT = 3;
    static final int SIGKILL = 9;
    static final int SIGUSR1 = 10;
    static final int SIGALRM = 14;
    static final int SIGTERM = 15;
    static final int SIGCONT = 18;
    static final int SIGTSTP = 20;
    static final int SIGXCPU = 24;
    static final int SIGVTALRM = 26;
    static final int SIGWINCH = 28;
    static final int SIGPWR = 30;
    private static final long NANOS = 1_000_000;

    private final Linux linux;
    private final Pipe caught;
    private final RunningSandbox sandbox;
    private final Optional<Terminal> terminal;
    private final boolean interactive;
    private boolean ending;
    private long deadline;

    /**
     * Relays what was and will be caught.
     *
     * @param caught what {@link #catchAll} returned
     * @param interactive whether the agent reads from the terminal
     */
    SignalRelay(
            Linux linux,
            Pipe caught,
            RunningSandbox sandbox,
            Optional<Terminal> terminal,
            boolean interactive) {
        this.linux = linux;
        this.caught = caught;
        this.sandbox = sandbox;
        this.terminal = terminal;
        this.interactive = interactive;
    }

    /**
     * From here on signals wait to be relayed instead of ending this process.
     *
     * @param more beside those that would
     * @return the pipe they wait in; its write end stays open for the life of the process
     */
    static Pipe catchAll(Linux linux, int... more) throws ErrnoException {
        Pipe caught = linux.pipe();
        linux.catchSignals(caught.write(), SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1);
        // Seldom sent; but what ends this process unseen leaves a terminal in raw mode behind.
        linux.catchSignals(caught.write(), SIGALRM, SIGXCPU, SIGVTALRM, SIGPWR);
        linux.catchSignals(caught.write(), more);
        return caught;
    }

    @Override
    public List<PollFd> awaited() {
        return List.of(new PollFd(caught.read(), PollFd.POLLIN));
    }

    @Override
    public long patience() {
        return ending ? Math.max(0, (deadline - System.nanoTime()) / NANOS) : UNLIMITED;
    }

    @Override
    public void attend(int[] happened, int from) throws ErrnoException {
        if (happened[from] != 0) {
            relay(linux.read(caught.read(), 1)[0]);
        }
        if (ending && patience() == 0) {
            sandbox.signal(SIGKILL);
        }
    }

    private void relay(int signal) throws ErrnoException {
        if (terminal.isPresent() && (signal == SIGWINCH || signal == SIGCONT)) {
            terminal.get().adjust();
            return;
        }
        sandbox.signal(signal);
        if (!ending && isEnd(signal)) {
            ending = true;
            deadline = System.nanoTime() + GRACE_MILLIS * NANOS;
        }
    }

    private boolean isEnd(int signal) {
        boolean relayed = signal == SIGQUIT || signal == SIGUSR1 || signal == SIGTSTP;
        return !relayed && (signal != SIGINT || !interactive);
    }
}
