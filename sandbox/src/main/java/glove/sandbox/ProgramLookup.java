package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.List;
import java.util.Optional;

/**
 * Finds the program an argument names, the way execvp(3) would inside: a name with a slash is a
 * path, any other is looked up in the PATH of the sandbox. What the agent could not see inside is
 * no match; where it would have been found outside is told.
 */
public final class ProgramLookup implements Interpreters.Sight {
    /** Exit statuses of a shell that cannot run a command (POSIX sh, 2.8.2). */
    public static final int EXIT_NOT_EXECUTABLE = 126;

    /** See {@link #EXIT_NOT_EXECUTABLE}. */
    public static final int EXIT_NOT_FOUND = 127;

    private final Linux linux;
    private final Host host;
    private final Grants grants;

    /** For one set of grants. */
    public ProgramLookup(Linux linux, Host host, Grants grants) {
        this.linux = linux;
        this.host = host;
        this.grants = grants;
    }

    /** Whether the agent can see a canonical host path. */
    @Override
    public boolean isVisible(UnixPath canonical) {
        return host.surface().shows(canonical) || grants.show(canonical);
    }

    /**
     * Resolves the first argument. A path counts from where the command starts, or else from the
     * caller's working directory.
     *
     * @param start where the command starts
     * @param sandboxPath directories of the PATH inside
     * @param callersPath directories of the caller's PATH, only to tell where it would be
     */
    public Program find(
            UnixPath name, UnixPath start, List<UnixPath> sandboxPath, List<UnixPath> callersPath)
            throws Refusal {
        if (name.hasSlash()) {
            UnixPath fromStart = start.resolve(name).normalize();
            if (Canonical.lookFor(linux, fromStart).isEmpty()) {
                return pin(absolute(name), name);
            }
            Program program = pin(fromStart, name);
            // A script is told the path it was executed by: the one that was typed.
            return program.path().equals(fromStart) ? program.calledAs(name) : program;
        }
        boolean foundUnusable = false;
        for (UnixPath directory : sandboxPath) {
            UnixPath candidate = directory.resolve(name);
            Optional<Canonical> real = Canonical.lookFor(linux, candidate);
            if (real.isPresent() && isVisible(real.get().path())) {
                if (real.get().isExecutable(linux, candidate)) {
                    return pin(candidate, name);
                }
                foundUnusable = true;
            }
        }
        if (foundUnusable) {
            throw new Refusal(
                    EXIT_NOT_EXECUTABLE,
                    "'" + name + "' is not executable",
                    List.of("chmod +x it, or name its interpreter"));
        }
        throw notFound(name, callersPath);
    }

    private UnixPath absolute(UnixPath name) throws Refusal {
        try {
            return linux.absolute(name);
        } catch (ErrnoException e) {
            throw Trouble.refusal("cannot tell the working directory", e);
        }
    }

    private Refusal notFound(UnixPath name, List<UnixPath> callersPath) throws Refusal {
        Optional<UnixPath> outside = inCallersPath(name, callersPath);
        if (outside.isPresent()) {
            return new Refusal(
                    EXIT_NOT_FOUND,
                    "'" + name + "' is at '" + outside.get() + "', outside what the sandbox shows",
                    List.of("--tool " + name + "    grants it and what it needs, read-only"));
        }
        return new Refusal(
                EXIT_NOT_FOUND,
                "'" + name + "' is not in the sandbox's PATH, nor in " + "yours",
                List.of("install it, or give its path"));
    }

    /** Where the caller's own PATH would find a name. */
    public Optional<UnixPath> inCallersPath(UnixPath name, List<UnixPath> callersPath)
            throws Refusal {
        for (UnixPath directory : callersPath) {
            UnixPath candidate = directory.resolve(name);
            Optional<Canonical> real = Canonical.lookFor(linux, candidate);
            if (real.isPresent() && real.get().isExecutable(linux, candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    private Program pin(UnixPath found, UnixPath name) throws Refusal {
        Canonical real;
        try {
            real = Canonical.of(linux, found);
        } catch (ErrnoException e) {
            Trouble.refuse("cannot look at '" + found + "'", e);
            int status = e.errno() == Errno.EACCES ? EXIT_NOT_EXECUTABLE : EXIT_NOT_FOUND;
            throw new Refusal(
                    status, "'" + name + "': " + Errno.words(e.errno()), List.of("check the path"));
        }
        if (!isVisible(real.path())) {
            throw new Refusal(
                    EXIT_NOT_FOUND,
                    "'" + name + "' is at '" + real.path() + "', outside what the sandbox shows",
                    List.of("--read " + ShellWord.of(real.path().parent())));
        }
        if (!real.isExecutable(linux, real.path())) {
            throw new Refusal(
                    EXIT_NOT_EXECUTABLE,
                    "'" + name + "' is not an executable file",
                    List.of("chmod +x " + ShellWord.operand(real.path())
                            + ", or name its interpreter"));
        }
        UnixPath path = isVisible(found) ? found : real.path();
        return new Program(
                path, Identity.of(real.stat()), Interpreters.of(linux, real.path(), this));
    }
}
