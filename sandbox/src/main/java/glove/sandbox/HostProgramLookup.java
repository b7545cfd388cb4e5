package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds a program of the host the way execvp(3) does: a name with a slash is a path, any other is
 * looked up in PATH. Confined to one thread.
 */
public final class HostProgramLookup {
    private final Linux linux;
    private final List<UnixPath> path;

    /**
     * For one PATH.
     *
     * @param path its directories; relative ones count from this process's working directory
     */
    public HostProgramLookup(Linux linux, List<UnixPath> path) {
        this.linux = linux;
        this.path = List.copyOf(path);
    }

    /**
     * Resolves and pins the first argument.
     *
     * @param subject what errors call the program, such as {@code upstream 'files'}
     * @param argv arguments, the first the program
     * @param environment the whole environment of it, {@code NAME=VALUE}
     * @param start where it starts; a relative program path counts from there
     */
    public HostProgram find(
            String subject, List<byte[]> argv, List<byte[]> environment, UnixPath start)
            throws Refusal {
        if (argv.isEmpty() || argv.get(0).length == 0) {
            throw new Refusal(subject + ": no program is named", "name the program to run");
        }
        refuseNul(subject, "an argument", argv);
        refuseNul(subject, "a variable", environment);
        refuseNameless(subject, environment);
        Canonical directory = directory(subject, start);
        List<UnixPath> searched = new ArrayList<>();
        UnixPath name = UnixPath.of(argv.get(0));
        UnixPath found =
                name.hasSlash() ? directory.path().resolve(name) : inPath(subject, name, searched);
        Canonical real = real(subject, name, found);
        if (!real.isExecutable(linux, found)) {
            throw notExecutable(subject, name, real.path());
        }
        HostInterpreters interpreters = new HostInterpreters(
                linux, directory.path(), HostInterpreters.pathOf(environment), searched);
        Program program = new Program(
                found, Identity.of(real.stat()), told(subject, interpreters, found, real, argv));
        HostProgram.Origin origin = new HostProgram.Origin(
                directory.path(), start, Identity.of(directory.stat()), searched);
        return new HostProgram(subject, program, argv, environment, origin);
    }

    private static void refuseNul(String subject, String what, List<byte[]> texts) throws Refusal {
        for (byte[] text : texts) {
            for (byte b : text) {
                if (b == 0) {
                    throw new Refusal(
                            subject + ": " + what + " holds a NUL, which no program can be given",
                            "remove the NUL");
                }
            }
        }
    }

    private static void refuseNameless(String subject, List<byte[]> environment) throws Refusal {
        for (byte[] variable : environment) {
            int name = 0;
            while (name < variable.length && variable[name] != '=') {
                name++;
            }
            if (name == 0 || name == variable.length) {
                throw new Refusal(
                        subject + ": a variable of its environment has no name or no value",
                        "give it as NAME=VALUE");
            }
        }
    }

    private Canonical directory(String subject, UnixPath start) throws Refusal {
        try {
            Canonical real = Canonical.of(linux, linux.absolute(start));
            if (real.stat().isDirectory()) {
                return real;
            }
            throw new Refusal(
                    subject + ": its working directory '" + start + "' is no directory",
                    "name a directory");
        } catch (ErrnoException e) {
            Trouble.refuse(subject + ": its working directory", e);
            throw new Refusal(
                    subject + ": its working directory '" + start + "': " + Errno.words(e.errno()),
                    "name a directory that exists");
        }
    }

    private UnixPath inPath(String subject, UnixPath name, List<UnixPath> searched) throws Refusal {
        Optional<UnixPath> unusable = Optional.empty();
        for (UnixPath directory : path) {
            UnixPath place = absolute(directory);
            searched.add(place);
            UnixPath candidate = place.resolve(name);
            Optional<Canonical> real = Canonical.lookFor(linux, candidate);
            if (real.isPresent() && real.get().isExecutable(linux, candidate)) {
                return candidate;
            }
            if (real.isPresent() && unusable.isEmpty()) {
                unusable = Optional.of(candidate);
            }
        }
        if (unusable.isPresent()) {
            throw notExecutable(subject, name, unusable.get());
        }
        throw new Refusal(
                ProgramLookup.EXIT_NOT_FOUND,
                subject + ": '" + name + "' is not in PATH",
                List.of("install it, or give its path"));
    }

    /** A directory this process cannot name itself holds nothing it could run. */
    private UnixPath absolute(UnixPath directory) throws Refusal {
        try {
            return linux.absolute(directory);
        } catch (ErrnoException e) {
            Trouble.refuse("cannot look at '" + directory + "'", e);
            return directory;
        }
    }

    private Canonical real(String subject, UnixPath name, UnixPath found) throws Refusal {
        try {
            return Canonical.of(linux, found);
        } catch (ErrnoException e) {
            Trouble.refuse(subject + ": cannot look at '" + found + "'", e);
            int status = e.errno() == Errno.EACCES
                    ? ProgramLookup.EXIT_NOT_EXECUTABLE
                    : ProgramLookup.EXIT_NOT_FOUND;
            throw new Refusal(
                    status,
                    subject + ": '" + name + "': " + Errno.words(e.errno()),
                    List.of("check the path"));
        }
    }

    private static Refusal notExecutable(String subject, UnixPath name, UnixPath file) {
        return new Refusal(
                ProgramLookup.EXIT_NOT_EXECUTABLE,
                subject + ": '" + name + "' is not an executable file",
                List.of("chmod +x " + ShellWord.operand(file) + ", or name its interpreter"));
    }

    private static List<Program.Interpreter> told(
            String subject,
            HostInterpreters of,
            UnixPath program,
            Canonical real,
            List<byte[]> argv)
            throws Refusal {
        try {
            return of.of(program, real.path(), argv.subList(1, argv.size()));
        } catch (Refusal e) {
            throw new Refusal(e.exitStatus(), subject + ": " + e.getMessage(), e.hints());
        }
    }
}
