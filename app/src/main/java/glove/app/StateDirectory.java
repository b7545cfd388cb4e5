package glove.app;

import glove.sandbox.Grants;
import glove.sandbox.Refusal;
import glove.sandbox.ShellWord;
import glove.sandbox.Trouble;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Where Glove keeps what outlives a run: {@code glove} in the owner's state directory, by the XDG
 * base directory specification (sheet 80 §1.5). Stateless.
 */
final class StateDirectory {
    private static final byte[] HOME = "HOME".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] XDG = "XDG_STATE_HOME".getBytes(StandardCharsets.US_ASCII);
    private static final UnixPath ROOT = UnixPath.of("/");
    private static final int PRIVATE = 0700;
    private static final int OTHERS_WRITE = 022;
    private static final int OWNER_SEARCH = 0100;

    private StateDirectory() {}

    /**
     * Names what no agent may see, to be hidden where grants show it: all of it, but for the home
     * that is mounted by itself. Where they do, it is made if it is missing: else an agent could
     * make it, with records and homes of its own.
     *
     * @param making false to change nothing on this machine
     * @throws Refusal where it lies cannot be told, for the machine is in trouble
     */
    static List<UnixPath> ofGloveAlone(
            Linux linux, Invocation invocation, Grants grants, boolean making) throws Refusal {
        UnixPath glove;
        try {
            glove = ofGlove(invocation);
        } catch (Refusal e) {
            return List.of(); // then nothing of Glove's is there: whatever needs it says why
        }
        if (making && !grants.list().isEmpty() && grants.show(nearest(linux, glove))) {
            makeIfPossible(linux, glove);
        }
        return List.of(glove);
    }

    /** It, or what is there of the directories above it: where that really is. */
    private static UnixPath nearest(Linux linux, UnixPath path) throws Refusal {
        UnixPath at = path;
        while (!at.equals(ROOT)) {
            try (OwnedFd opened = linux.open(at, OpenFlags.O_PATH, 0)) {
                return linux.pathOf(opened);
            } catch (ErrnoException e) {
                Trouble.refuse("cannot look for Glove's own state at '" + at + "'", e);
                at = at.parent(); // missing, or not to be looked at
            }
        }
        return ROOT;
    }

    /** What this user cannot make an agent of the same user cannot make, either. */
    private static void makeIfPossible(Linux linux, UnixPath glove) throws Refusal {
        try {
            openOrMake(linux, glove).close();
        } catch (ErrnoException e) {
            // Else whatever stands there is hidden all the same.
            Trouble.refuse("cannot make '" + glove + "', to hide it from the agent", e);
        }
    }

    /** Where it is, or would be. */
    static UnixPath ofGlove(Invocation invocation) throws Refusal {
        return path(invocation).resolve("glove");
    }

    /** Opens a directory in it, and makes what is missing. */
    static OwnedFd open(Linux linux, Invocation invocation, String name) throws Refusal {
        UnixPath state = path(invocation);
        try (OwnedFd base = openOrMake(linux, state);
                OwnedFd glove = own(linux, base, "glove", true).orElseThrow()) {
            return own(linux, glove, name, true).orElseThrow();
        } catch (ErrnoException e) {
            throw unusable(state, name, e);
        }
    }

    /** Opens a directory in it if there is one; makes nothing. */
    static Optional<OwnedFd> openIfPresent(Linux linux, Invocation invocation, String name)
            throws Refusal {
        UnixPath state = path(invocation);
        try (OwnedFd base = linux.open(state, OpenFlags.O_PATH | OpenFlags.O_DIRECTORY, 0)) {
            Optional<OwnedFd> glove = own(linux, base, "glove", false);
            if (glove.isEmpty()) {
                return Optional.empty();
            }
            try (OwnedFd parent = glove.get()) {
                return own(linux, parent, name, false);
            }
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw unusable(state, name, e);
        }
    }

    private static UnixPath path(Invocation invocation) throws Refusal {
        Optional<UnixPath> home = directoryIn(invocation, HOME, "HOME");
        if (home.isEmpty()) {
            throw new Refusal(
                    "HOME is not set: what Glove keeps lives below it", "HOME=/home/you glove ...");
        }
        return directoryIn(invocation, XDG, "XDG_STATE_HOME")
                .orElse(home.get().resolve(".local/state"));
    }

    private static Optional<UnixPath> directoryIn(Invocation invocation, byte[] name, String shown)
            throws Refusal {
        Optional<byte[]> value = invocation.variable(name);
        if (value.isEmpty() || value.get().length == 0) {
            return Optional.empty();
        }
        UnixPath path = UnixPath.of(value.get()).normalize();
        if (!path.isAbsolute() || path.equals(ROOT)) {
            throw new Refusal(
                    shown + " is '" + path + "': it must be an absolute path other than /",
                    "set " + shown + " to a directory of your own");
        }
        return Optional.of(path);
    }

    private static Refusal unusable(UnixPath state, String name, ErrnoException e) {
        if (Trouble.is(e.errno())) {
            return Trouble.refusal("cannot use '" + state + "/glove/" + name + "'", e);
        }
        return new Refusal(
                "cannot use '" + state + "/glove/" + name + "': " + e.getMessage(),
                "check the permissions along the path, or set XDG_STATE_HOME to a directory of "
                        + "your own");
    }

    private static OwnedFd openOrMake(Linux linux, UnixPath path) throws ErrnoException {
        int flags = OpenFlags.O_PATH | OpenFlags.O_DIRECTORY;
        try {
            return linux.open(path, flags, 0);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOENT || path.equals(ROOT)) {
                throw e;
            }
        }
        try (OwnedFd parent = openOrMake(linux, path.parent())) {
            makeDirectory(linux, parent, path.name(), PRIVATE);
        }
        return linux.open(path, flags, 0);
    }

    private static void makeDirectory(Linux linux, Fd parent, UnixPath name, int mode)
            throws ErrnoException {
        try {
            linux.mkdirat(parent, name, mode);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EEXIST) {
                throw e;
            }
        }
    }

    /** A directory nobody but this user can put anything into. */
    private static Optional<OwnedFd> own(Linux linux, Fd parent, String name, boolean making)
            throws ErrnoException, Refusal {
        Optional<OwnedFd> opened = openDirectory(linux, parent, UnixPath.of(name), making);
        boolean good = false;
        try {
            int mode = opened.isPresent() ? linux.fstat(opened.get()).mode() : PRIVATE;
            boolean closed = (mode & OWNER_SEARCH) == 0 && linux.geteuid() != 0;
            if ((mode & OTHERS_WRITE) != 0 || closed) {
                UnixPath path = linux.pathOf(opened.orElseThrow());
                throw new Refusal(
                        "'" + path + "' "
                                + (closed ? "is closed to yourself" : "can be written by others"),
                        "chmod 700 " + ShellWord.operand(path));
            }
            good = true;
            return opened;
        } finally {
            if (!good && opened.isPresent()) {
                opened.get().close();
            }
        }
    }

    /** A directory of this user's, not through a link; made when asked for. */
    static Optional<OwnedFd> openDirectory(Linux linux, Fd parent, UnixPath name, boolean making)
            throws ErrnoException, Refusal {
        if (making) {
            makeDirectory(linux, parent, name, PRIVATE);
        }
        OwnedFd opened;
        try {
            opened = linux.openat(
                    parent,
                    name,
                    OpenFlags.O_PATH | OpenFlags.O_DIRECTORY | OpenFlags.O_NOFOLLOW,
                    0);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            Trouble.refuse("cannot look at '" + linux.pathOf(parent).resolve(name) + "'", e);
            throw new Refusal(
                    "'" + linux.pathOf(parent).resolve(name) + "': "
                            + (e.errno() == Errno.ENOTDIR
                                    ? "is a link, or no directory"
                                    : Errno.words(e.errno())),
                    "move it away");
        }
        boolean good = false;
        try {
            if (linux.fstat(opened).uid() != linux.geteuid()) {
                throw new Refusal(
                        "'" + linux.pathOf(opened) + "' belongs to another user",
                        "set XDG_STATE_HOME to a directory of your own");
            }
            good = true;
            return Optional.of(opened);
        } finally {
            if (!good) {
                opened.close();
            }
        }
    }
}
