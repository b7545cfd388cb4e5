package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds what is to be guarded inside the grants of one run. It starts as soon as the command line
 * is read, on a thread of its own, because looking through a big repository takes as long as all
 * the rest of getting ready; {@link #finish} joins it.
 *
 * <p>Owns the watches it made until {@link #takeWatch}. Confined to the thread that started it,
 * but for the walk itself.
 */
public final class GuardSearch implements AutoCloseable {
    private final Linux linux;
    private final List<GrantRequest> requests;
    private final GuardRequests wanted;
    private final Thread thread;

    /** Written by the walk's thread, read after it has ended. */
    private Optional<Grants> walked = Optional.empty();

    private Optional<WalkFindings> found = Optional.empty();
    private Optional<WatchedDirectories> watches = Optional.empty();
    private Optional<Refusal> refusal = Optional.empty();
    private Optional<ErrnoException> failure = Optional.empty();

    /** Only this thread's. */
    private Optional<NameWatch> nameWatch = Optional.empty();

    private GuardSearch(Linux linux, List<GrantRequest> requests, GuardRequests wanted) {
        this.linux = linux;
        this.requests = List.copyOf(requests);
        this.wanted = wanted;
        this.thread = new Thread(new Walk(), "guard-search");
    }

    /** Starts looking; what is requested later is looked through by {@link #finish}. */
    public static GuardSearch start(Linux linux, List<GrantRequest> requests, GuardRequests wanted)
            throws Refusal {
        wanted.check();
        GuardSearch search = new GuardSearch(linux, requests, wanted);
        if (mayTakeLong(requests, wanted)) {
            search.thread.setDaemon(true);
            search.thread.start();
        }
        return search;
    }

    /** A thread and a second look at the grants cost a run with nothing to walk a millisecond. */
    private static boolean mayTakeLong(List<GrantRequest> requests, GuardRequests wanted) {
        for (GrantRequest request : requests) {
            if (request.access() == Access.WRITE) {
                return true;
            }
        }
        return !wanted.hide.isEmpty();
    }

    /** A class: the first lambda of a process costs milliseconds. */
    private final class Walk implements Runnable {
        @Override
        public void run() {
            walkAll();
        }
    }

    private void walkAll() {
        try {
            Grants grants = Grants.of(linux, requests);
            List<Glob> globs = new ArrayList<>();
            for (UnixPath path : wanted.hide) {
                if (Glob.isGlob(path) && !isThere(path)) {
                    globs.add(Glob.of(path));
                }
            }
            HideRules hides = HideRules.of(globs, grants.list());
            WalkFindings findings = new WalkFindings(linux, grants, hides);
            findings.leaveOutClosed();
            found = Optional.of(findings);
            walk(grants, Optional.empty(), findings);
            walked = Optional.of(grants);
        } catch (Refusal e) {
            refusal = Optional.of(e);
        } catch (ErrnoException e) {
            failure = Optional.of(e);
        }
    }

    /** A name may hold a bracket: what exists as it is typed is that very file. */
    private boolean isThere(UnixPath path) throws ErrnoException {
        return linux.lstatIfPresent(path).isPresent();
    }

    private void walk(Grants grants, Optional<Grants> done, WalkFindings findings)
            throws Refusal, ErrnoException {
        boolean readable = !findings.hides().isEmpty();
        for (Grant grant : grants.list()) {
            boolean known = done.isPresent()
                    && done.get().decisiveFor(grant.path()).isPresent()
                    && done.get().decisiveFor(grant.path()).get().path().equals(grant.path());
            boolean wantedHere =
                    grant.identity().isDirectory() && (grant.writable() || readable) && !known;
            if (wantedHere) {
                boolean names = grant.writable() && !wanted.noDefaults;
                if (names && watches.isEmpty()) {
                    watches = openWatches(findings);
                }
                new TreeWalk(linux, grant, findings, names, watches).run();
            }
        }
        for (UnixPath repository : findings.repositories()) {
            Optional<UnixPath> hooks = HooksPath.of(linux, repository);
            if (hooks.isPresent()) {
                findings.protectPath(hooks.get(), "core.hooksPath of '" + repository + "'");
            }
        }
        findings.repositories().clear();
    }

    private Optional<WatchedDirectories> openWatches(WalkFindings findings) throws ErrnoException {
        try {
            return Optional.of(new WatchedDirectories(linux, linux.inotifyInit()));
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EMFILE) {
                throw e;
            }
            findings.warn("cannot watch for protected names made during the run: "
                    + Errno.words(e.errno()) + "; raise fs.inotify.max_user_instances");
            return Optional.empty();
        }
    }

    /**
     * Waits for the walk and decides.
     *
     * @param grants all the run has
     * @param exempt sockets that stay
     */
    public Guards finish(Grants grants, List<AgentSocket> exempt) throws Refusal, ErrnoException {
        join();
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (found.isEmpty()) {
            if (grants.list().isEmpty() && wanted.protect.isEmpty()) {
                return Guards.NONE;
            }
            found = Optional.of(
                    new WalkFindings(linux, grants, HideRules.of(List.of(), grants.list())));
            found.get().leaveOutClosed();
            walk(grants, Optional.empty(), found.get());
            walked = Optional.of(grants);
        }
        WalkFindings findings = found.orElseThrow();
        if (grants.list().size() != walked.orElseThrow().list().size()) {
            findings.decideBy(grants);
            walk(grants, walked, findings);
        }
        GuardChoice choice = new GuardChoice(linux, grants, wanted, findings);
        choice.applyOptions();
        choice.addSockets(exempt);
        Guards guards = choice.guards();
        openNameWatch(choice, guards);
        return new Guards(guards.list(), findings.warnings());
    }

    /** Before the launch, so that nothing is missed between the two. */
    private void openNameWatch(GuardChoice choice, Guards guards) throws Refusal, ErrnoException {
        if (watches.isEmpty() && !(guards.list().isEmpty() && choice.awaited().isEmpty())) {
            watches = openWatches(found.orElseThrow());
        }
        if (watches.isPresent()) {
            nameWatch = Optional.of(new NameWatch(linux, watches.get(), choice, guards));
            watches = Optional.empty();
        } else if (wanted.strict) {
            throw new Refusal(
                    "--strict-protect cannot watch for protected names here",
                    "raise fs.inotify.max_user_instances",
                    "grant something writable, or leave it out");
        }
    }

    /**
     * What watches the names from here on; empty where there is nothing to watch for, or no watch
     * could be had. The caller owns it.
     */
    public Optional<NameWatch> takeWatch() {
        Optional<NameWatch> taken = nameWatch;
        nameWatch = Optional.empty();
        return taken;
    }

    private void join() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // the walk is bounded, and nothing can start without it
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        join();
        if (watches.isPresent()) {
            watches.get().close();
        }
        if (nameWatch.isPresent()) {
            nameWatch.get().close();
        }
    }
}
