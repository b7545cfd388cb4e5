package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which programs the kernel runs for a {@code #!} script (execve(2)). */
final class Interpreters {
    private static final int MAX = 4; // the kernel's own limit is 5 rewrites

    private Interpreters() {}

    /** What whoever runs the script can see of the host. */
    interface Sight {
        /** Whether it sees a canonical host path. */
        boolean isVisible(UnixPath canonical);
    }

    /** Those of a file, outermost first; none for a binary, or a file only its owner may read. */
    static List<Program.Interpreter> of(Linux linux, UnixPath script, Sight sight) throws Refusal {
        List<Program.Interpreter> chain = new ArrayList<>();
        UnixPath file = script;
        for (; ; ) {
            Optional<UnixPath> named = named(linux, file);
            if (named.isEmpty()) {
                return chain;
            }
            if (chain.size() == MAX) {
                throw new Refusal(
                        ProgramLookup.EXIT_NOT_EXECUTABLE,
                        "'" + script + "' has a longer chain of interpreters than the kernel takes",
                        List.of());
            }
            UnixPath path = named.get();
            Optional<Canonical> real = Canonical.lookFor(linux, path);
            if (real.isEmpty()) {
                throw new Refusal(
                        ProgramLookup.EXIT_NOT_FOUND,
                        "the interpreter '" + path + "' of '" + file + "' does not exist",
                        List.of("install it, or correct the #! line"));
            }
            if (!sight.isVisible(real.get().path())) {
                throw new Refusal(
                        ProgramLookup.EXIT_NOT_FOUND,
                        "the interpreter '" + path + "' of '" + file + "' is outside what the "
                                + "sandbox shows",
                        List.of("--read " + ShellWord.of(real.get().path().parent())));
            }
            chain.add(new Program.Interpreter(path, Identity.of(real.get().stat())));
            file = real.get().path();
        }
    }

    /** The path after {@code #!}. */
    private static Optional<UnixPath> named(Linux linux, UnixPath file) throws Refusal {
        try (OwnedFd fd = linux.open(file, OpenFlags.O_RDONLY, 0)) {
            return Shebang.interpreterOf(linux.read(fd, Shebang.BYTES_MAX));
        } catch (ErrnoException e) {
            Trouble.refuse("cannot read '" + file + "'", e);
            return Optional.empty();
        }
    }
}
