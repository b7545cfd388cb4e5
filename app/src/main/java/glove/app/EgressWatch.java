package glove.app;

import glove.egress.EgressAuditException;
import glove.egress.EgressProxy;
import glove.sandbox.Exit;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.PollFd;

import java.util.List;

/**
 * The proxy of a run, as one of its attendants: what cannot be recorded ends the run. Owns the
 * proxy. Confined to the run's thread.
 */
final class EgressWatch implements Attendant, AutoCloseable {
    private static final long REST_MILLIS = 500;

    private final Linux linux;
    private final RunEnd run;
    private final EgressProxy proxy;
    private final EgressAuditOfRun audit;

    EgressWatch(Linux linux, RunEnd run, EgressProxy proxy, EgressAuditOfRun audit) {
        this.linux = linux;
        this.run = run;
        this.proxy = proxy;
        this.audit = audit;
    }

    @Override
    public List<PollFd> awaited() {
        return List.of(new PollFd(proxy.awaited(), PollFd.POLLIN));
    }

    @Override
    public long patience() {
        return proxy.patience();
    }

    @Override
    public void attend(int[] happened, int from) throws ErrnoException {
        try {
            proxy.turn();
        } catch (EgressAuditException e) {
            fail(e);
        }
    }

    private void fail(EgressAuditException e) {
        run.end(new Verdict(
                ExecVerb.EXIT_CANNOT_LAUNCH,
                "the run was ended, because its way out could not be recorded: " + e.getMessage()));
    }

    @Override
    public void ended(Exit exit) throws ErrnoException {
        try {
            if (!proxy.isClosed()) {
                passOutRest();
            }
        } catch (EgressAuditException e) {
            fail(e);
        }
        cut();
    }

    /** Ends all connections now, and says what was refused. */
    void cut() {
        try {
            if (!proxy.isClosed()) {
                proxy.finish();
            }
        } catch (EgressAuditException e) {
            fail(e);
        }
        audit.tellRefused();
    }

    /** What was sent before the end is still on the way: it has a moment to leave. */
    private void passOutRest() throws ErrnoException, EgressAuditException {
        long end = System.nanoTime() + REST_MILLIS * 1_000_000;
        proxy.turn();
        long left = REST_MILLIS;
        while (left > 0 && proxy.isSending()) {
            long patience = proxy.patience();
            RunLoop.pause(linux, awaited(), patience < 0 ? left : Math.min(patience, left));
            proxy.turn();
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }

    @Override
    public void close() {
        proxy.close();
    }
}
