package glove.app;

import glove.sandbox.RunningSandbox;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Pipe;
import glove.sys.PollFd;

import java.util.List;

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
    static final int SIGTERM = 15;
    static final int SIGTSTP = 20;
    private static final long NANOS = 1_000_000;

    private final Linux linux;
    private final Pipe caught;
    private final boolean interactive;
    private final RunningSandbox sandbox;
    private boolean ending;
    private long deadline;

    /**
     * Relays what was and will be caught.
     *
     * @param caught what {@link #catchAll} returned
     * @param interactive as there
     */
    SignalRelay(Linux linux, Pipe caught, boolean interactive, RunningSandbox sandbox) {
        this.linux = linux;
        this.caught = caught;
        this.interactive = interactive;
        this.sandbox = sandbox;
    }

    /**
     * From here on signals wait to be relayed instead of ending this process.
     *
     * @param interactive whether the agent reads from the terminal. Ctrl-Z is then relayed too,
     *     and without effect on an agent in a session of its own: were this process stopped, the
     *     caller's shell and the agent would both read what is typed.
     * @return the pipe they wait in; its write end stays open for the life of the process
     */
    static Pipe catchAll(Linux linux, boolean interactive) throws ErrnoException {
        Pipe caught = linux.pipe();
        linux.catchSignals(caught.write(), SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1);
        if (interactive) {
            linux.catchSignals(caught.write(), SIGTSTP);
        }
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

    private void relay(int signal) {
        sandbox.signal(signal);
        if (!ending && isEnd(signal)) {
            ending = true;
            deadline = System.nanoTime() + GRACE_MILLIS * NANOS;
        }
    }

    private boolean isEnd(int signal) {
        return signal == SIGTERM || signal == SIGHUP || (signal == SIGINT && !interactive);
    }
}
