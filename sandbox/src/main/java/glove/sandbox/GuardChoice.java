package glove.sandbox;

import glove.sys.DirectoryLister;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What was found and what was asked for, put together: {@code --hide} beats {@code --protect},
 * which beats the defaults; {@code --no-protect} lifts one default. Confined to one thread; used
 * once.
 */
final class GuardChoice {
    private static final String PROTECT = "--protect";

    private final Linux linux;
    private final Grants grants;
    private final GuardRequests wanted;
    private final WalkFindings findings;
    private final List<UnixPath> awaited = new ArrayList<>();
    private final List<UnixPath> lifted = new ArrayList<>();

    GuardChoice(Linux linux, Grants grants, GuardRequests wanted, WalkFindings findings) {
        this.linux = linux;
        this.grants = grants;
        this.wanted = wanted;
        this.findings = findings;
    }

    Grants grants() {
        return grants;
    }

    GuardRequests wanted() {
        return wanted;
    }

    /** Names of {@code --protect} that do not exist: never made here, only watched for. */
    List<UnixPath> awaited() {
        return awaited;
    }

    /** Names of {@code --no-protect}. */
    List<UnixPath> lifted() {
        return lifted;
    }

    void applyOptions() throws Refusal, ErrnoException {
        for (UnixPath path : wanted.unprotect) {
            lifted.add(lift(path));
        }
        for (UnixPath path : wanted.protect) {
            protect(path);
        }
        for (UnixPath path : wanted.hide) {
            if (!Glob.isGlob(path) || linux.lstatIfPresent(path).isPresent()) {
                hide(path);
            }
        }
        for (UnixPath path : wanted.own) {
            hideOwn(path);
        }
        for (UnixPath path : wanted.running) {
            holdRunning(path);
        }
    }

    /**
     * What Glove keeps is none of an agent's, even to look at; nor may one lead Glove to another
     * place by a link on the way.
     */
    private void hideOwn(UnixPath asGiven) throws Refusal, ErrnoException {
        LinkChain chain = LinkChain.of(linux, asGiven);
        findings.protectLinks(chain, Guard.OWN_STATE);
        if (chain.target().isEmpty()) {
            return;
        }
        Canonical own = chain.target().get();
        for (Grant grant : grants.list()) {
            if (grant.path().startsWith(own.path())) {
                throw new Refusal(
                        "'" + grant.path() + "' is " + Guard.OWN_STATE
                                + " (homes, records, keys), which no agent may see",
                        "grant something else");
            }
        }
        if (grants.show(own.path())) {
            findings.hide(own.path(), Guard.OWN_STATE, WalkFindings.typeOf(own.stat()));
        }
    }

    /** Who could write there would run code outside, with the rights of whoever runs Glove. */
    private void holdRunning(UnixPath asGiven) throws Refusal, ErrnoException {
        LinkChain chain = LinkChain.of(linux, asGiven);
        if (chain.target().isPresent()) {
            UnixPath own = chain.target().get().path();
            for (Grant grant : grants.list()) {
                if (grant.writable() && grant.path().startsWith(own)) {
                    throw new Refusal(
                            grant.reason() + " '" + grant.path() + "' lets the agent write '" + own
                                    + "', from which Glove itself runs: it would run code outside",
                            "--read " + ShellWord.of(grant.path()),
                            "run a Glove that lies elsewhere");
                }
            }
        }
        findings.protectChain(chain, Guard.OWN_PROGRAM);
    }

    /** Where a name stands: its directory is canonical, itself it may be a link, or missing. */
    private UnixPath place(UnixPath path, String option) throws Refusal {
        UnixPath name = path.name();
        boolean plain = name.length() > 0
                && !name.equals(UnixPath.of("."))
                && !name.equals(UnixPath.of(".."));
        UnixPath parent = path.parent().length() == 0 ? UnixPath.of(".") : path.parent();
        try {
            return plain
                    ? Canonical.of(linux, parent).path().resolve(name)
                    : Canonical.of(linux, path).path();
        } catch (ErrnoException e) {
            Trouble.refuse(option + " '" + path + "'", e);
            throw new Refusal(
                    option + " '" + path + "': its directory: " + Errno.words(e.errno()),
                    "correct the path; a relative one counts from where you are");
        }
    }

    private UnixPath lift(UnixPath asGiven) throws Refusal, ErrnoException {
        UnixPath path = place(asGiven, "--no-protect");
        boolean guarded = findings.guards().remove(path) != null;
        boolean awaitedName = !guarded
                && linux.lstatIfPresent(path).isEmpty()
                && grants.decisiveFor(path).isPresent();
        if (guarded || awaitedName || wanted.noDefaults) {
            return path;
        }
        throw new Refusal(
                "--no-protect '" + asGiven + "': nothing protects '" + path + "'",
                isGitDirectory(path)
                        ? "--no-protect " + ShellWord.of(asGiven + "/config") + " --no-protect "
                                + ShellWord.of(asGiven + "/hooks")
                        : "--explain lists what is protected",
                "leave it out");
    }

    private boolean isGitDirectory(UnixPath path) {
        return findings.guards().containsKey(path.resolve("config"))
                || findings.guards().containsKey(path.resolve("hooks"));
    }

    private void protect(UnixPath asGiven) throws Refusal, ErrnoException {
        UnixPath path = place(asGiven, PROTECT);
        if (lifted.contains(path)) {
            throw new Refusal(
                    "'" + path + "' is named by both --protect and --no-protect",
                    "leave one of the two out");
        }
        Optional<Grant> grant = grants.decisiveFor(path);
        if (grant.isEmpty() || !grant.get().writable()) {
            throw new Refusal(
                    PROTECT + " '" + asGiven + "' lies in no writable grant: "
                            + (grant.isEmpty() ? "it is not shown at all" : "it is read-only"),
                    "leave it out");
        }
        if (grant.get().path().equals(path)) {
            throw new Refusal(
                    PROTECT + " '" + asGiven + "' is itself granted writable",
                    "--read " + ShellWord.of(asGiven) + " instead of the writable grant");
        }
        Optional<Stat> stat = linux.lstatIfPresent(path);
        if (stat.isEmpty()) {
            awaited.add(path);
        } else {
            findings.protect(path, PROTECT, WalkFindings.typeOf(stat.get()));
        }
    }

    private void hide(UnixPath asGiven) throws Refusal, ErrnoException {
        String words = "--hide '" + asGiven + "'";
        UnixPath path = place(asGiven, "--hide");
        Optional<Stat> stat = linux.lstatIfPresent(path);
        if (stat.isEmpty()) {
            throw new Refusal(
                    words + " does not exist",
                    "--hide '**/" + asGiven.name() + "' for that name at any depth",
                    "correct the path; a relative one counts from where you are");
        }
        byte[] bytes = asGiven.bytes();
        if (bytes[bytes.length - 1] == '/' && !stat.get().isDirectory()) {
            throw new Refusal(
                    words + " is no directory, as the slash at its end says",
                    "--hide " + ShellWord.of(asGiven.parent().resolve(asGiven.name())));
        }
        if (!grants.show(path)) {
            throw new Refusal(words + " lies in no grant: it is not shown anyway", "leave it out");
        }
        findings.hide(path, words, WalkFindings.typeOf(stat.get()));
    }

    /** Of the host's services; a read-only mount does not keep anybody from connecting. */
    void addSockets(List<AgentSocket> exempt) throws Refusal, ErrnoException {
        List<UnixPath> sockets = findings.sockets();
        if (hasReadOnlyDirectory()) {
            BoundSockets bound = BoundSockets.read(linux);
            sockets.addAll(bound.paths());
            if (bound.relative()) {
                walkReadOnly();
            }
        }
        for (UnixPath socket : sockets) {
            Optional<Canonical> real = Canonical.ofIfPresent(linux, socket);
            if (real.isEmpty() || !real.get().stat().isSocket()) {
                continue; // gone; or bound elsewhere, in another mount namespace
            }
            UnixPath path = real.get().path();
            boolean shown = grants.show(path) && !findings.isOutOfReach(path);
            if (shown && !isExempt(path, exempt)) {
                findings.guards()
                        .putIfAbsent(
                                path,
                                new Guard(
                                        path,
                                        Guard.Kind.SOCKET,
                                        "a socket of the host; --socket " + ShellWord.of(path)
                                                + " opens it",
                                        DirectoryLister.DT_SOCK));
            }
        }
    }

    private boolean hasReadOnlyDirectory() {
        for (Grant grant : grants.list()) {
            if (!grant.writable() && grant.identity().isDirectory()) {
                return true;
            }
        }
        return false;
    }

    /** Some socket is bound to a path that does not say where it is: look everywhere. */
    private void walkReadOnly() throws Refusal, ErrnoException {
        if (!findings.hides().isEmpty()) {
            return; // walked already
        }
        for (Grant grant : grants.list()) {
            if (!grant.writable() && grant.identity().isDirectory()) {
                new TreeWalk(linux, grant, findings, false, Optional.empty()).run();
            }
        }
    }

    private static boolean isExempt(UnixPath path, List<AgentSocket> exempt) {
        for (AgentSocket socket : exempt) {
            boolean served = socket.service().isPresent()
                    && socket.service().get().path().equals(path);
            if (served || socket.path().equals(path)) {
                return true;
            }
        }
        return false;
    }

    Guards guards() throws Refusal, ErrnoException {
        List<Guard> sorted = new ArrayList<>(findings.guards().values());
        Collections.sort(sorted);
        List<Guard> kept = new ArrayList<>(sorted.size());
        Optional<UnixPath> hidden = Optional.empty();
        for (Guard guard : sorted) {
            if (hidden.isPresent() && guard.path().startsWith(hidden.get())) {
                continue;
            }
            kept.add(guard);
            if (guard.kind() != Guard.Kind.SOCKET) {
                warnOfOtherNames(guard);
            }
            if (guard.kind() == Guard.Kind.HIDDEN) {
                hidden = guard.isDirectory() ? Optional.of(guard.path()) : hidden;
            }
        }
        if (kept.size() > WalkFindings.GUARDS_MAX) {
            throw new Refusal(
                    kept.size() + " names to protect, hide or mask are more than the "
                            + WalkFindings.GUARDS_MAX + " one run can have, '"
                            + kept.getLast().path() + "' for one",
                    "grant a narrower directory",
                    "hide the directory the files stand in");
        }
        return new Guards(kept, findings.warnings());
    }

    private void warnOfOtherNames(Guard guard) throws ErrnoException {
        Optional<Stat> stat = linux.lstatIfPresent(guard.path());
        if (stat.isPresent() && stat.get().isRegularFile() && stat.get().nlink() > 1) {
            findings.warn("'" + guard.path() + "' is "
                    + (guard.kind() == Guard.Kind.HIDDEN ? "hidden" : "protected")
                    + ", but it has " + stat.get().nlink()
                    + " names (hard links): another may be in a grant (find -samefile)");
        }
    }
}
