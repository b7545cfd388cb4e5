package glove.app;

import glove.sandbox.Exit;
import glove.sandbox.Guard;
import glove.sandbox.GuardRepair;
import glove.sandbox.LaunchException;
import glove.sandbox.NameWatch;
import glove.sandbox.Refusal;
import glove.sandbox.RunningSandbox;
import glove.sandbox.Sighting;
import glove.sys.ErrnoException;
import glove.sys.PollFd;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Speaks up when a protected name is made during a run, and puts guards back that the host dropped
 * by replacing a file: everything inside is stopped meanwhile. What can't be guarded again ends the
 * run. Owns what it was given. Confined to the run's thread.
 */
final class GuardWatch implements Attendant, AutoCloseable {
    /** Lines while the run goes on; the rest is told at the end. */
    private static final UnixPath COMMONDIR = UnixPath.of("commondir");

    private static final UnixPath WORKTREES = UnixPath.of("worktrees");
    private static final int TOLD_AT_ONCE_MAX = 20;

    private static final int TOLD_AT_END_MAX = 100;

    /** Failures in a row; a file that changes all the time keeps the agent stopped, no more. */
    private static final int ATTEMPTS_MAX = 5;

    private final NameWatch watch;
    private final Optional<GuardRepair> repair;
    private final RunningSandbox sandbox;
    private final Notices notices;
    private final RunEnd run;
    private final List<Sighting> sightings = new ArrayList<>();
    private List<Guard> pending = List.of();
    private boolean frozen;
    private int failures;

    /** Of one sandbox of the run. */
    GuardWatch(
            NameWatch watch,
            Optional<GuardRepair> repair,
            RunningSandbox sandbox,
            Notices notices,
            RunEnd run) {
        this.watch = watch;
        this.repair = repair;
        this.sandbox = sandbox;
        this.notices = notices;
        this.run = run;
    }

    @Override
    public List<PollFd> awaited() {
        return List.of(watch.toRead());
    }

    @Override
    public long patience() {
        return pending.isEmpty() ? UNLIMITED : 0;
    }

    @Override
    public void attend(int[] happened, int from) throws ErrnoException {
        if (happened[from] == 0 && pending.isEmpty()) {
            return;
        }
        read();
        guardAgain();
        tellNew();
    }

    private void read() throws ErrnoException {
        try {
            watch.read();
        } catch (Refusal e) {
            end(e.getMessage());
        }
    }

    private void tellNew() {
        for (Sighting sighting : watch.takeSightings()) {
            sightings.add(sighting);
            if (isTrap(sighting.path())) {
                end("'" + sighting.path() + "' was created, which no repository has: git on this "
                        + "machine would take settings and hooks from where it leads. The run was "
                        + "ended; remove that file before you use git there");
                return;
            }
            if (watch.isStrict()) {
                end("'" + sighting.path() + "' was created, and --strict-protect ends the run: "
                        + sighting.why());
                return;
            }
            if (sightings.size() <= TOLD_AT_ONCE_MAX) {
                notices.say("'" + sighting.path() + "' was created: " + sighting.why());
            }
        }
    }

    /** Git writes commondir for linked worktrees alone (gitrepository-layout(5)). */
    private static boolean isTrap(UnixPath path) {
        return path.name().equals(COMMONDIR) && !path.parent().parent().name().equals(WORKTREES);
    }

    /**
     * The host has replaced, removed or restored what a guard was mounted over. Everything inside
     * stays stopped until nothing is left to guard again; others have their turns meanwhile.
     */
    private void guardAgain() throws ErrnoException {
        pending = watch.stillThere(join(pending, watch.takeLost()));
        if (pending.isEmpty() || repair.isEmpty()) {
            thaw();
            return;
        }
        if (!frozen) {
            sandbox.freeze();
            frozen = true;
        }
        try {
            repair.get().repair(pending);
            pending = List.of();
            failures = 0;
        } catch (LaunchException e) {
            // Most likely replaced in this very moment: the next turn looks again.
            failures++;
            if (failures == ATTEMPTS_MAX) {
                end("'" + pending.getFirst().path() + "' was replaced on the host and could not be "
                        + "guarded again: " + e.getMessage());
                return;
            }
        }
        read(); // it may have been replaced once more
        pending = watch.stillThere(join(pending, watch.takeLost()));
        if (pending.isEmpty()) {
            thaw();
        }
    }

    private void thaw() {
        if (frozen) {
            sandbox.thaw();
            frozen = false;
        }
    }

    private static List<Guard> join(List<Guard> some, List<Guard> more) {
        List<Guard> all = new ArrayList<>(some);
        for (Guard guard : more) {
            boolean known = false;
            for (Guard other : some) {
                known |= other.path().equals(guard.path());
            }
            if (!known) {
                all.add(guard);
            }
        }
        return all;
    }

    private void end(String why) {
        run.end(new Verdict(ExecVerb.EXIT_CANNOT_LAUNCH, why));
    }

    @Override
    public void ended(Exit exit) throws ErrnoException {
        try {
            summarize();
        } finally {
            close();
        }
    }

    private void summarize() throws ErrnoException {
        read();
        boolean again = rescan();
        sightings.addAll(watch.takeSightings());
        List<Sighting> left = new ArrayList<>();
        for (Sighting sighting : sightings) {
            if (watch.isThere(sighting.path())) {
                left.add(sighting);
            }
        }
        if (again) {
            notices.say("more happened in the granted directories than could be watched: names "
                    + "made and removed again meanwhile are not told");
        }
        if (left.isEmpty()) {
            return;
        }
        notices.say("during the run " + (left.size() == 1 ? "a name" : left.size() + " names")
                + " appeared that can make this machine run code: look at "
                + (left.size() == 1 ? "it" : "them")
                + " before you use git, an editor or a shell"
                + " there");
        for (int i = 0; i < left.size() && i < TOLD_AT_END_MAX; i++) {
            notices.say("  '" + left.get(i).path() + "'");
        }
        if (left.size() > TOLD_AT_END_MAX) {
            notices.say("  and " + (left.size() - TOLD_AT_END_MAX) + " more");
        }
    }

    private boolean rescan() throws ErrnoException {
        try {
            return watch.rescan();
        } catch (Refusal e) {
            notices.say(e.getMessage());
            return true;
        }
    }

    @Override
    public void close() {
        watch.close();
        if (repair.isPresent()) {
            repair.get().close();
        }
    }
}
