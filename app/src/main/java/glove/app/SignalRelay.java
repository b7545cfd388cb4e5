package glove.app;

import glove.sandbox.RunningSandbox;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.Pipe;

/**
 * Passes signals sent to Glove on to the agent. SIGTERM and SIGHUP mean the end: an agent that has
 * not ended {@value #GRACE_MILLIS} ms later is killed with all it started. So does SIGINT, unless
 * it comes from the terminal the agent reads from: there Ctrl-C belongs to the agent.
 *
 * <p>Owns a pipe, whose write end the handler keeps, and one daemon thread.
 */
final class SignalRelay {
    static final int GRACE_MILLIS = 5000;

    private static final int SIGHUP = 1;
    private static final int SIGINT = 2;
    private static final int SIGQUIT = 3;
    private static final int SIGKILL = 9;
    private static final int SIGUSR1 = 10;
    private static final int SIGTERM = 15;

    private final Linux linux;
    private final OwnedFd caught;
    private final OwnedFd handlersEnd;
    private final boolean interactive;

    private SignalRelay(Linux linux, Pipe pipe, boolean interactive) {
        this.linux = linux;
        this.caught = pipe.read();
        this.handlersEnd = pipe.write();
        this.interactive = interactive;
    }

    /** From here on signals wait to be relayed instead of ending this process. */
    static SignalRelay install(Linux linux, boolean interactive) throws ErrnoException {
        SignalRelay relay = new SignalRelay(linux, linux.pipe(), interactive);
        linux.catchSignals(relay.handlersEnd, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1);
        return relay;
    }

    /** Relays what was and will be caught. */
    void start(RunningSandbox sandbox) {
        Thread thread = new Thread(
                new Runnable() {
                    @Override
                    public void run() {
                        relay(sandbox);
                    }
                },
                "glove-signals");
        thread.setDaemon(true);
        thread.start();
    }

    private void relay(RunningSandbox sandbox) {
        try {
            for (; ; ) {
                byte[] signal = linux.read(caught, 1);
                sandbox.signal(signal[0]);
                if (isEnd(signal[0])) {
                    endSoon(sandbox);
                }
            }
        } catch (ErrnoException e) {
            sandbox.signal(SIGKILL); // deaf to signals is worse than ended
        }
    }

    private boolean isEnd(int signal) {
        return signal == SIGTERM || signal == SIGHUP || (signal == SIGINT && !interactive);
    }

    /** Further signals are still passed on meanwhile. */
    private void endSoon(RunningSandbox sandbox) throws ErrnoException {
        long deadline = System.nanoTime() + GRACE_MILLIS * 1_000_000L;
        for (; ; ) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                sandbox.signal(SIGKILL);
                return;
            }
            if (linux.awaitReadable(caught, left)) {
                sandbox.signal(linux.read(caught, 1)[0]);
            }
        }
    }
}
