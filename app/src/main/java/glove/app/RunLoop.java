package glove.app;

import glove.sandbox.Exit;
import glove.sandbox.LaunchException;
import glove.sandbox.RunningSandbox;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.PollFd;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The one loop of a run: waits for the agent's end and for what its {@linkplain Attendant
 * attendants} wait for. One thread does it all: a second one, waiting in a system call, would delay
 * the JVM's end by 300 ms. Confined to the thread that launched the sandbox.
 */
final class RunLoop implements RunEnd {
    private static final int SIGKILL = 9;

    private final Linux linux;
    private final RunningSandbox sandbox;
    private final Notices notices;
    private final List<Attendant> attendants = new ArrayList<>();
    private Optional<Verdict> verdict = Optional.empty();

    /** Borrows the sandbox. */
    RunLoop(Linux linux, RunningSandbox sandbox, Notices notices) {
        this.linux = linux;
        this.sandbox = sandbox;
        this.notices = notices;
    }

    Notices notices() {
        return notices;
    }

    RunningSandbox sandbox() {
        return sandbox;
    }

    /** Attendants have their turns, and hear of the end, in the order they were added. */
    void add(Attendant attendant) {
        attendants.add(attendant);
    }

    @Override
    public void end(Verdict reason) {
        if (verdict.isEmpty()) {
            verdict = Optional.of(reason);
        }
    }

    /** Why Glove ended the run, if it did. */
    Optional<Verdict> verdict() {
        return verdict;
    }

    /** Runs until the agent has ended, by itself or by a verdict. */
    Exit run() throws LaunchException {
        Optional<Exit> exit = Optional.empty();
        try {
            while (exit.isEmpty() && verdict.isEmpty()) {
                exit = turn();
            }
        } catch (LaunchException e) {
            // Something killed process 1: an attendant may know that it was a limit.
            sandbox.close();
            tellEnd(new Exit.Signaled(SIGKILL));
            if (verdict.isEmpty()) {
                throw e;
            }
            return new Exit.Signaled(SIGKILL);
        }
        Exit end = exit.isPresent() ? exit.get() : new Exit.Signaled(SIGKILL);
        if (verdict.isPresent()) {
            sandbox.close(); // kills whatever runs inside
        }
        tellEnd(end);
        return end;
    }

    private void tellEnd(Exit end) {
        for (Attendant attendant : attendants) {
            try {
                attendant.ended(end);
            } catch (ErrnoException e) {
                fail(e);
            }
        }
    }

    private Optional<Exit> turn() throws LaunchException {
        List<PollFd> awaited = new ArrayList<>();
        int[] from = new int[attendants.size()];
        long millis = Attendant.UNLIMITED;
        awaited.add(sandbox.statusToRead());
        for (int i = 0; i < from.length; i++) {
            Attendant attendant = attendants.get(i);
            from[i] = awaited.size();
            awaited.addAll(attendant.awaited());
            long patience = attendant.patience();
            if (patience >= 0 && (millis < 0 || patience < millis)) {
                millis = patience;
            }
        }
        int[] happened = poll(awaited, millis);
        if (happened[0] != 0) {
            Optional<Exit> exit = sandbox.nextExit();
            if (exit.isPresent()) {
                return exit;
            }
        }
        boolean stopped = sandbox.takeStop();
        for (int i = 0; i < from.length; i++) {
            try {
                attendants.get(i).attend(happened, from[i]);
                if (stopped) {
                    attendants.get(i).stopped();
                }
            } catch (ErrnoException e) {
                fail(e);
            }
        }
        return Optional.empty();
    }

    /**
     * Waits for these alone: for who has something to do before the run begins, or after its end.
     *
     * @return what happened to each
     */
    static int[] pause(Linux linux, List<PollFd> awaited, long millis) throws ErrnoException {
        try {
            return linux.poll(awaited, millis);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EINTR) {
                throw e;
            }
            return new int[awaited.size()];
        }
    }

    private int[] poll(List<PollFd> awaited, long millis) {
        try {
            return pause(linux, awaited, millis);
        } catch (ErrnoException e) {
            fail(e);
            return new int[awaited.size()];
        }
    }

    private void fail(ErrnoException e) {
        end(new Verdict(
                ExecVerb.EXIT_CANNOT_LAUNCH,
                "the run was ended, because it could no longer be watched: " + e.getMessage()));
    }
}
