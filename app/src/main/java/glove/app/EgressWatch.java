package glove.app;

import glove.egress.EgressJournalException;
import glove.egress.EgressProxy;
import glove.sandbox.Exit;
import glove.sys.ErrnoException;
import glove.sys.PollFd;

import java.util.List;

/**
 * The proxy of a run, as one of its attendants: what cannot be recorded ends the run. Owns the
 * proxy. Confined to the run's thread.
 */
final class EgressWatch implements Attendant, AutoCloseable {
    private final RunEnd run;
    private final EgressProxy proxy;
    private final EgressJournalOfRun journal;

    EgressWatch(RunEnd run, EgressProxy proxy, EgressJournalOfRun journal) {
        this.run = run;
        this.proxy = proxy;
        this.journal = journal;
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
        } catch (EgressJournalException e) {
            fail(e);
        }
    }

    private void fail(EgressJournalException e) {
        run.end(new Verdict(
                ExecVerb.EXIT_CANNOT_LAUNCH,
                "the run was ended, because its way out could not be recorded: " + e.getMessage()));
    }

    @Override
    public void ended(Exit exit) {
        try {
            proxy.finish();
        } catch (EgressJournalException e) {
            fail(e);
        }
        journal.tellRefused();
    }

    @Override
    public void close() {
        proxy.close();
    }
}
