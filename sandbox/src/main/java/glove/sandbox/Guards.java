package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.List;
import java.util.Optional;

/**
 * All guards of one run, sorted by path, and what to tell the caller about them. Immutable.
 *
 * @param warnings sentences: what holds less than one might think
 */
public record Guards(List<Guard> list, List<String> warnings) {
    /** No name gets anything but what its grant says. */
    public static final Guards NONE = new Guards(List.of(), List.of());

    /** Copies the lists. */
    public Guards {
        list = List.copyOf(list);
        warnings = List.copyOf(warnings);
    }

    /** How many there are of a kind. */
    public int count(Guard.Kind kind) {
        int count = 0;
        for (Guard guard : list) {
            count += guard.kind() == kind ? 1 : 0;
        }
        return count;
    }

    /** The guard a canonical path is, or lies below; the innermost. */
    public Optional<Guard> over(UnixPath canonical) {
        Optional<Guard> found = Optional.empty();
        for (Guard guard : list) {
            if (canonical.startsWith(guard.path())) {
                found = Optional.of(guard);
            }
        }
        return found;
    }

    /** Refuses to hide what the run needs: its program, and the directory it starts in. */
    public void refuseHiding(Linux linux, Program program, UnixPath start)
            throws Refusal, ErrnoException {
        refuseHiding(start, "the directory to start in");
        UnixPath typed = start.resolve(program.path());
        Optional<Canonical> real = Canonical.ofIfPresent(linux, typed);
        if (real.isPresent()) {
            refuseHiding(real.get().path(), "the program itself");
        }
        for (Program.Interpreter interpreter : program.interpreters()) {
            Optional<Canonical> path = Canonical.ofIfPresent(linux, interpreter.path());
            if (path.isPresent()) {
                refuseHiding(path.get().path(), "the program's interpreter");
            }
        }
    }

    /**
     * Refuses what does not hold against who may make a mount namespace: in one, the directory
     * above a mount point of another may be renamed, and put back with other content.
     */
    public void refuseNesting(Grants grants) throws Refusal {
        for (Guard guard : list) {
            if (guard.stays()) {
                throw new Refusal(
                        "--allow-nesting: '" + guard.path() + "' (" + guard.why()
                                + ") could not be kept from a command that may make mount "
                                + "namespaces",
                        "grant something narrower, without it",
                        "--allow-userns, if it needs no mount namespace");
            }
        }
        if (!list.isEmpty()) {
            Guard guard = list.get(0);
            throw new Refusal(
                    "--allow-nesting: '" + guard.path() + "' could not be kept "
                            + guard.kind().words() + " from a command that may make mount "
                            + "namespaces",
                    "--no-default-protect, without --protect and --hide: then nothing is kept",
                    "--allow-userns, if it needs no mount namespace");
        }
        for (Grant outer : grants.list()) {
            for (Grant inner : grants.list()) {
                if (outer.writable()
                        && !inner.path().equals(outer.path())
                        && inner.path().startsWith(outer.path())) {
                    throw new Refusal(
                            "--allow-nesting: '" + inner.path() + "', a grant of its own inside the"
                                    + " writable '" + outer.path() + "', could not be held there",
                            "grant only one of them");
                }
            }
        }
    }

    private void refuseHiding(UnixPath path, String what) throws Refusal {
        Optional<Guard> guard = over(path);
        if (guard.isPresent() && guard.get().kind() == Guard.Kind.HIDDEN) {
            throw new Refusal(
                    guard.get().why() + " would hide '" + path + "', " + what,
                    "hide something narrower, or start elsewhere with --cwd");
        }
    }
}
