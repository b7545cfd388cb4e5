package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.Optional;

/** Where the agent starts: what was asked for, else the workspace, else its private home. */
public final class WorkingDirectory {
    private WorkingDirectory() {}

    /** The canonical path, which is visible inside. */
    public static UnixPath of(
            Linux linux,
            ProgramLookup lookup,
            PrivateDirectories directories,
            Optional<UnixPath> workspace,
            Optional<UnixPath> asked)
            throws Refusal {
        Optional<UnixPath> chosen = asked.isPresent() ? asked : workspace;
        if (chosen.isEmpty()) {
            return directories.home();
        }
        String option = asked.isPresent() ? "--cwd" : "--workspace";
        String words = option + " '" + chosen.get() + "'";
        if (isPrivate(directories, chosen.get())) {
            return chosen.get();
        }
        Canonical real;
        try {
            real = Canonical.of(linux, chosen.get());
        } catch (ErrnoException e) {
            Trouble.refuse(words, e);
            throw new Refusal(
                    words + ": " + Errno.words(e.errno()), way(linux, workspace, asked, e.errno()));
        }
        if (!real.stat().isDirectory()) {
            throw new Refusal(words + " is not a directory", "name the directory it is in");
        }
        if (!lookup.isVisible(real.path())) {
            throw new Refusal(
                    words + " is outside what the sandbox shows",
                    "--read " + ShellWord.of(real.path()) + ", or --write");
        }
        return real.path();
    }

    /** What to type instead of one that is not there. */
    private static String way(
            Linux linux, Optional<UnixPath> workspace, Optional<UnixPath> asked, int errno) {
        if (asked.isEmpty() || workspace.isEmpty()) {
            return "name an existing directory";
        }
        UnixPath below = workspace.get().resolve(asked.get());
        if (!asked.get().isAbsolute() && linux.isAccessible(below, Linux.X_OK)) {
            return "--cwd " + ShellWord.of(below);
        }
        return errno == Errno.ENOENT
                ? "mkdir -p " + ShellWord.operand(asked.get())
                : "--cwd " + ShellWord.of(workspace.get());
    }

    private static boolean isPrivate(PrivateDirectories directories, UnixPath path) {
        return path.equals(directories.home())
                || path.equals(directories.temporary())
                || (directories.varTmp() && path.equals(PrivateDirectories.VAR_TMP));
    }
}
