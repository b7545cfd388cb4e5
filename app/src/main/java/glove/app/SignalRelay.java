package glove.app;

import glove.sandbox.Exit;
import glove.sandbox.LaunchException;
import glove.sandbox.RunningSandbox;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Pipe;

/**
 * Passes signals sent to Glove on to the agent. SIGTERM and SIGHUP mean the end: an agent that has
 * not ended {@value #GRACE_MILLIS} ms later is killed with all it started. So does SIGINT, unless
 * it comes from the terminal the agent reads from: there Ctrl-C belongs to the agent.
 *
 * <p>Owns a pipe, whose write end the handler keeps for the life of the process. Confined to one
 * thread: a second one, waiting in a system call, would delay the JVM's end by 300 ms.
 */
final class SignalRelay {
    static final int GRACE_MILLIS = 5000;

    private static final int SIGHUP = 1;
    private static final int SIGINT = 2;
    private static final int SIGQUIT = 3;
    private static final int SIGKILL = 9;
    private static final int SIGUSR1 = 10;
    private static final int SIGTERM = 15;
    private static final int SIGTSTP = 20;
    private static final long FOREVER = -1;

    private final Linux linux;
    private final Pipe caught;
    private final boolean interactive;

    private SignalRelay(Linux linux, Pipe caught, boolean interactive) {
        this.linux = linux;
        this.caught = caught;
        this.interactive = interactive;
    }

    /**
     * From here on signals wait to be relayed instead of ending this process.
     *
     * @param interactive whether the agent reads from the terminal. Ctrl-Z is then relayed too,
     *     and without effect on an agent in a session of its own: were this process stopped, the
     *     caller's shell and the agent would both read what is typed.
     */
    static SignalRelay install(Linux linux, boolean interactive) throws ErrnoException {
        SignalRelay relay = new SignalRelay(linux, linux.pipe(), interactive);
        linux.catchSignals(relay.caught.write(), SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1);
        if (interactive) {
            linux.catchSignals(relay.caught.write(), SIGTSTP);
        }
        return relay;
    }

    /** Relays what was and will be caught until the agent has ended. */
    Exit relayUntilEnd(RunningSandbox sandbox) throws LaunchException {
        long deadline = 0;
        boolean ending = false;
        for (; ; ) {
            switch (sandbox.awaitEndOr(caught.read(), ending ? left(deadline) : FOREVER)) {
                case FIRST -> {
                    return sandbox.await();
                }
                case SECOND -> {
                    int signal = nextSignal();
                    sandbox.signal(signal);
                    if (!ending && isEnd(signal)) {
                        ending = true;
                        deadline = System.nanoTime() + GRACE_MILLIS * 1_000_000L;
                    }
                }
                case NEITHER -> {
                    if (ending && left(deadline) == 0) {
                        sandbox.signal(SIGKILL);
                        return sandbox.await();
                    }
                }
            }
        }
    }

    private static long left(long deadline) {
        return Math.max(0, (deadline - System.nanoTime()) / 1_000_000);
    }

    /** Deaf to signals is worse than ended. */
    private int nextSignal() {
        try {
            return linux.read(caught.read(), 1)[0];
        } catch (ErrnoException e) {
            return SIGKILL;
        }
    }

    private boolean isEnd(int signal) {
        return signal == SIGTERM || signal == SIGHUP || (signal == SIGINT && !interactive);
    }
}
