package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which files really run when a program of the host is executed: the interpreters of {@code #!}
 * lines, and what env(1) looks up in PATH. Confined to one thread.
 */
final class HostInterpreters {
    /** The kernel's own limit is 5, env begins a new chain. */
    private static final int MAX = 16;

    private static final UnixPath ENV = UnixPath.of("env");

    private final Linux linux;
    private final UnixPath start;
    private final List<UnixPath> path;
    private final List<UnixPath> searched;
    private final List<Program.Interpreter> chain = new ArrayList<>();

    /**
     * For one program.
     *
     * @param start its working directory, from which relative paths count
     * @param path directories of the PATH it is given
     * @param searched takes those in which something was looked for
     */
    HostInterpreters(Linux linux, UnixPath start, List<UnixPath> path, List<UnixPath> searched) {
        this.linux = linux;
        this.start = start;
        this.path = path;
        this.searched = searched;
    }

    /**
     * Those of a program, in the order they are executed.
     *
     * @param program absolute, as it was found
     * @param real where that leads, for errors
     * @param arguments those behind the program's name
     */
    List<Program.Interpreter> of(UnixPath program, UnixPath real, List<byte[]> arguments)
            throws Refusal {
        UnixPath file = program;
        List<byte[]> words = new ArrayList<>(arguments);
        for (; ; ) {
            Optional<UnixPath> next = next(file, words);
            if (next.isEmpty()) {
                return chain;
            }
            if (chain.size() == MAX) {
                throw new Refusal(
                        ProgramLookup.EXIT_NOT_EXECUTABLE,
                        "'" + real + "' has a longer chain of interpreters than the kernel "
                                + "takes",
                        List.of());
            }
            file = next.get();
            chain.add(new Program.Interpreter(file, identity(file, real)));
        }
    }

    /** What runs in place of a file, which itself becomes a word behind that. */
    private Optional<UnixPath> next(UnixPath file, List<byte[]> words) throws Refusal {
        byte[] head = head(file);
        Optional<UnixPath> named = Shebang.interpreterOf(head);
        if (named.isPresent()) {
            words.add(0, file.bytes());
            byte[] argument = Shebang.argumentOf(head);
            if (argument.length > 0) {
                words.add(0, argument);
            }
            return Optional.of(start.resolve(named.get()));
        }
        if (!isEnv(file)) {
            return Optional.empty();
        }
        Optional<byte[]> target = EnvWords.takeTarget(words);
        return target.isEmpty() ? Optional.empty() : Optional.of(lookUp(UnixPath.of(target.get())));
    }

    private byte[] head(UnixPath file) throws Refusal {
        try (OwnedFd fd = linux.open(file, OpenFlags.O_RDONLY, 0)) {
            return linux.read(fd, Shebang.BYTES_MAX);
        } catch (ErrnoException e) {
            Trouble.refuse("cannot read '" + file + "'", e);
            return new byte[0]; // only its owner may read it: no script could run so
        }
    }

    private boolean isEnv(UnixPath file) throws Refusal {
        return file.name().equals(ENV) || real(file, file).path().name().equals(ENV);
    }

    private Identity identity(UnixPath file, UnixPath program) throws Refusal {
        return Identity.of(real(file, program).stat());
    }

    private Canonical real(UnixPath file, UnixPath program) throws Refusal {
        try {
            return Canonical.of(linux, file);
        } catch (ErrnoException e) {
            Trouble.refuse("cannot look at '" + file + "'", e);
            throw new Refusal(
                    ProgramLookup.EXIT_NOT_FOUND,
                    "the interpreter '" + file + "' of '" + program + "' does not exist",
                    List.of("install it, or correct the #! line"));
        }
    }

    private UnixPath lookUp(UnixPath name) throws Refusal {
        if (name.hasSlash()) {
            return start.resolve(name);
        }
        for (UnixPath entry : path) {
            UnixPath directory = start.resolve(entry);
            searched.add(directory);
            UnixPath candidate = directory.resolve(name);
            if (isRunnable(candidate)) {
                return candidate;
            }
        }
        throw new Refusal(
                ProgramLookup.EXIT_NOT_FOUND,
                "env would run '" + name + "', which is not in PATH",
                List.of("install it, or name the program by its path"));
    }

    private boolean isRunnable(UnixPath candidate) {
        try {
            return linux.stat(candidate).isRegularFile() && linux.isExecutable(candidate);
        } catch (ErrnoException e) {
            return false;
        }
    }

    /** The directories of a PATH in an environment; the C library's own where there is none. */
    static List<UnixPath> pathOf(List<byte[]> environment) {
        String value = "/bin:/usr/bin";
        for (byte[] entry : environment) {
            String text = new String(entry, StandardCharsets.ISO_8859_1);
            if (text.startsWith("PATH=")) {
                value = text.substring("PATH=".length());
                break;
            }
        }
        List<UnixPath> directories = new ArrayList<>();
        int from = 0;
        while (from <= value.length()) {
            int colon = value.indexOf(':', from);
            int end = colon < 0 ? value.length() : colon;
            String one = end == from ? "." : value.substring(from, end);
            directories.add(UnixPath.of(one.getBytes(StandardCharsets.ISO_8859_1)));
            from = end + 1;
        }
        return directories;
    }
}
