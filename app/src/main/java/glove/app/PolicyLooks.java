package glove.app;

import glove.app.PolicyLook.End;
import glove.app.PolicyLook.Kind;
import glove.host.PathTrust;
import glove.policy.session.LaunchTemplate;
import glove.policy.session.PathAlias;
import glove.policy.session.PolicyNotes;
import glove.policy.session.RuntimeTemplate;
import glove.policy.session.SecretMount;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks where a session policy points, and starts, opens and changes nothing but to read whether an
 * executable is a script. Confined to one thread, for one policy.
 */
final class PolicyLooks implements PolicyNotes {
    private static final int X_OK = 1;
    private static final int PERMISSIONS = 07777;
    private static final int OWNER_ONLY = 0600;
    private static final long SECRET_BYTES_MAX = 1 << 20;
    private static final String NO_PROGRAM = "is nothing that can be executed";
    private static final String NO_FORMAT =
            "is neither an ELF program nor a script: the kernel does not start it (ENOEXEC), "
                    + "unless binfmt_misc knows it; that was not looked at";

    private final Linux linux;
    private final List<PolicyLook> all = new ArrayList<>();

    PolicyLooks(Linux linux) {
        this.linux = linux;
    }

    /** What was looked at up to now. */
    List<PolicyLook> all() {
        return List.copyOf(all);
    }

    private List<String> words(int from) {
        List<String> words = new ArrayList<>();
        all.subList(from, all.size()).forEach(look -> words.addAll(look.words()));
        return words;
    }

    @Override
    public List<String> onLaunch(RuntimeTemplate template) {
        int from = all.size();
        String of = template.templateId().text();
        LaunchTemplate launch = template.launch().orElseThrow();
        if (launch.isDiscovered()) {
            discover(of, launch);
        } else {
            executable(of, UnixPath.of(launch.executable()));
        }
        for (AbsolutePath path : launch.readOnlyPaths()) {
            UnixPath file = UnixPath.of(path.text());
            PathTrust trust = PathTrust.of(linux, file);
            String beyond = trust.stat().filter(Stat::isDirectory).isPresent()
                    ? "; what is in it was not looked at"
                    : "";
            all.add(look(new Subject(Kind.READ_ONLY_PATH, of, file), trust, "", beyond));
        }
        return words(from);
    }

    /** The first directory nobody else can change that has one (sheet 10, 2.10). */
    private void discover(String of, LaunchTemplate launch) {
        for (AbsolutePath path : launch.searchPaths()) {
            UnixPath directory = UnixPath.of(path.text());
            PathTrust trust = PathTrust.of(linux, directory);
            boolean isFile = trust.stat().filter(stat -> !stat.isDirectory()).isPresent();
            if (isFile || !trust.isTrusted()) {
                String why = isFile ? "is no directory" : "";
                all.add(look(
                        new Subject(Kind.SEARCH_PATH, of, directory),
                        trust,
                        why,
                        "; not searched"));
            } else if (executable(of, directory.resolve(launch.discoveredName()))) {
                return;
            }
        }
        all.add(nothing(
                Kind.EXECUTABLE,
                of,
                "",
                "no '" + launch.discoveredName() + "' is found there: nothing starts"));
    }

    private static PolicyLook nothing(Kind kind, String of, String path, String words) {
        return new PolicyLook(kind, of, path, Optional.empty(), false, List.of(words));
    }

    /** Whether one is there; then what reads it is looked at, too. */
    private boolean executable(String of, UnixPath path) {
        PathTrust trust = PathTrust.of(linux, path);
        String why = noProgram(trust);
        boolean there = trust.stat().isPresent() && why.isEmpty();
        all.add(look(new Subject(Kind.EXECUTABLE, of, path), trust, why, ""));
        if (there) {
            interpreters(of, trust.end());
        }
        return there;
    }

    /**
     * Why execve(2) would not take what is there, for this user: asked of the kernel, which knows
     * whose bit counts, lists of access, and mounts without execution. Empty when nothing is there.
     */
    private String noProgram(PathTrust trust) {
        if (trust.stat().isEmpty()) {
            return "";
        }
        if (!trust.stat().get().isRegularFile()) {
            return NO_PROGRAM;
        }
        int errno = linux.accessErrno(trust.end(), X_OK);
        return errno == 0
                ? ""
                : NO_PROGRAM + " by this user, or where it is mounted: " + Errno.words(errno);
    }

    /** A script is as good as what reads it, which may be one, too. */
    private void interpreters(String of, UnixPath executable) {
        Optional<UnixPath> next = Optional.of(executable);
        for (int readers = 0; next.isPresent(); readers++) {
            UnixPath program = next.get();
            String script = readers == 0 ? "it" : "'" + program + "'";
            byte[] start;
            try (OwnedFd fd = linux.open(program, OpenFlags.O_RDONLY | OpenFlags.O_NONBLOCK, 0)) {
                start = linux.pread(fd, ScriptLine.BYTES, 0);
            } catch (ErrnoException e) {
                String words = "'" + program + "' cannot be read (" + Errno.words(e.errno())
                        + "): whether it is a script is not known";
                all.add(nothing(Kind.INTERPRETER, of, program.toString(), words));
                return;
            }
            if (!ScriptLine.isFormat(start)) {
                String words = "'" + program + "' " + NO_FORMAT;
                all.add(nothing(Kind.INTERPRETER, of, program.toString(), words));
                return;
            }
            ScriptLine line = ScriptLine.of(start);
            String why = line.unusable();
            if (readers == ScriptLine.READERS_MAX && line.reader().isPresent()) {
                why = "the kernel follows " + ScriptLine.READERS_MAX
                        + " scripts of scripts, and it is one more";
            }
            if (!why.isEmpty()) {
                String words = script + " is a script nothing starts: " + why;
                all.add(nothing(Kind.INTERPRETER, of, program.toString(), words));
                return;
            }
            next = line.reader().isPresent()
                    ? interpreter(of, script, line.reader().get())
                    : Optional.empty();
        }
    }

    /** What reads a script; where that is, if it can be started. */
    private Optional<UnixPath> interpreter(String of, String script, UnixPath reader) {
        if (!reader.isAbsolute()) {
            String words = script + " is a script of '" + reader + "', which is no absolute path";
            all.add(nothing(Kind.INTERPRETER, of, reader.toString(), words));
            return Optional.empty();
        }
        PathTrust trust = PathTrust.of(linux, reader);
        String unusable = noProgram(trust);
        boolean isEnv = reader.name().equals(UnixPath.of("env"))
                || trust.end().name().equals(UnixPath.of("env"));
        all.add(look(
                new Subject(Kind.INTERPRETER, of, reader),
                script + " is a script of ",
                trust,
                unusable,
                isEnv ? "; what it looks for in the session's PATH was not looked at" : ""));
        return trust.stat().isPresent() && unusable.isEmpty()
                ? Optional.of(trust.end())
                : Optional.empty();
    }

    /** What is looked at, and which member of the policy points there. Immutable. */
    private record Subject(Kind kind, String of, UnixPath path) {}

    /**
     * A path with all that is to be said of it.
     *
     * @param why it is not good, beside what the walk says
     * @param beyond said at the end of the first sentence
     */
    private PolicyLook look(Subject what, PathTrust trust, String why, String beyond) {
        return look(what, "", trust, why, beyond);
    }

    /** The same behind some words. */
    private PolicyLook look(
            Subject what, String before, PathTrust trust, String why, String beyond) {
        UnixPath path = what.path;
        String subject = before + "'" + path;
        List<String> words = new ArrayList<>();
        Optional<End> end = End.of(trust);
        if (end.isEmpty()) {
            words.add(subject + "' " + trust.broken());
        } else {
            boolean same = end.get().path().equals(path);
            String where = same ? "': " : "' leads to '" + end.get().path() + "': ";
            String verdict = why.isEmpty() ? "" : "; it " + why;
            words.add(subject + where + end.get().rights() + verdict + verdict(trust) + beyond);
        }
        trust.doubts().forEach(doubt -> words.add("  " + doubt));
        boolean good = trust.isTrusted() && why.isEmpty();
        return new PolicyLook(what.kind, what.of, path.toString(), end, good, words);
    }

    private String verdict(PathTrust trust) {
        return trust.doubts().isEmpty()
                ? "; only " + (linux.geteuid() == 0 ? "root" : "root and you")
                        + " can change it or what leads to it"
                : "; UNSAFE: others can change it, or what leads to it";
    }

    @Override
    public List<String> onSource(PathAlias alias) {
        int from = all.size();
        all.add(plain(
                Kind.SOURCE, alias.alias().text(), alias.hostPath(), stat -> Optional.empty()));
        return words(from);
    }

    /** The content is never read: a session checks the same when it starts (sheet 50, 10). */
    @Override
    public List<String> onSecret(SecretMount mount) {
        int from = all.size();
        all.add(plain(Kind.SECRET, mount.handle().text(), mount.sourcePath(), this::complaint));
        return words(from);
    }

    private Optional<String> complaint(Stat stat) {
        if (!stat.isRegularFile()) {
            return Optional.of("no regular file");
        }
        if (stat.uid() != linux.geteuid()) {
            return Optional.of("not yours: chown it");
        }
        if ((stat.mode() & PERMISSIONS) != OWNER_ONLY) {
            return Optional.of("chmod 600 it");
        }
        if (stat.nlink() != 1) {
            return Optional.of("it has " + stat.nlink() + " names: make a copy");
        }
        return stat.size() >= 1 && stat.size() <= SECRET_BYTES_MAX
                ? Optional.empty()
                : Optional.of(
                        "it has " + stat.size() + " bytes, and may have 1 to " + SECRET_BYTES_MAX);
    }

    /** What is wrong with a file, if anything. */
    private interface Complaint {
        Optional<String> of(Stat stat);
    }

    /** A path whose last name is no link. */
    private PolicyLook plain(Kind kind, String of, AbsolutePath path, Complaint complaint) {
        UnixPath file = UnixPath.of(path.text());
        try {
            End end = new End(file, linux.lstat(file));
            Optional<String> wrong = complaint.of(end.stat());
            String what = end.stat().isDirectory()
                    ? "a directory "
                    : end.stat().isSymbolicLink() ? "a symbolic link " : "a file ";
            String words = "is " + (end.stat().isRegularFile() ? "there: " : "there, ") + what
                    + end.rights();
            return new PolicyLook(
                    kind,
                    of,
                    path.text(),
                    Optional.of(end),
                    wrong.isEmpty(),
                    List.of("'" + file + "' " + words
                            + wrong.map(why -> "; UNUSABLE: " + why + "; nothing starts with it")
                                    .orElse("")));
        } catch (ErrnoException e) {
            String why = e.errno() == Errno.ENOENT
                    ? "does not exist"
                    : "cannot be looked at: " + Errno.words(e.errno());
            String words = "'" + file + "' " + why + ": nothing starts with it";
            return new PolicyLook(kind, of, path.text(), Optional.empty(), false, List.of(words));
        }
    }
}
