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

    private void refuseHiding(UnixPath path, String what) throws Refusal {
        Optional<Guard> guard = over(path);
        if (guard.isPresent() && guard.get().kind() == Guard.Kind.HIDDEN) {
            throw new Refusal(
                    guard.get().why() + " would hide '" + path + "', " + what,
                    "hide something narrower, or start elsewhere with --cwd");
        }
    }
}
