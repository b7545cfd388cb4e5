package glove.app;

import glove.sandbox.Grant;
import glove.sandbox.Guard;
import glove.sandbox.Profile;
import glove.sandbox.ShellWord;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.util.Optional;

/**
 * Whether the sandbox denies an attempt, by which rule, and what would allow it. Looks at the same
 * path inside and on the host; changes nothing.
 */
final class DenialRules {
    private static final long RESOLVE_IN_ROOT = 0x10;
    private static final String NOT_GRANTED = "not granted";

    /** The sandbox has its own: what is missing there is nothing a grant could give. */
    private static final UnixPath[] KERNELS = {
        UnixPath.of("/proc"), UnixPath.of("/sys"), UnixPath.of("/dev"),
    };

    private final Linux linux;
    private final Profile profile;

    DenialRules(Linux linux, Profile profile) {
        this.linux = linux;
        this.profile = profile;
    }

    /**
     * Judges an attempt on a path.
     *
     * @param root of the sandbox, O_PATH
     * @param path absolute inside
     */
    Optional<Denial> judge(Attempt attempt, Fd root, UnixPath path) {
        UnixPath normal = path.normalize();
        for (UnixPath kernels : KERNELS) {
            if (normal.startsWith(kernels)) {
                return Optional.empty();
            }
        }
        int flags = attempt.kind() == Attempt.Kind.REMOVE
                ? OpenFlags.O_PATH | OpenFlags.O_NOFOLLOW
                : OpenFlags.O_PATH;
        try (OwnedFd inside = linux.openat2(root, normal, flags, 0, RESOLVE_IN_ROOT)) {
            return judgeVisible(attempt, root, normal, inside);
        } catch (ErrnoException e) {
            return judgeAbsent(attempt, root, normal);
        }
    }

    private Optional<Denial> judgeVisible(Attempt attempt, Fd root, UnixPath path, Fd inside)
            throws ErrnoException {
        return switch (attempt.kind()) {
            case WRITE, CREATE -> readOnly(attempt, path, inside);
            case REMOVE -> {
                int flags = OpenFlags.O_PATH;
                try (OwnedFd parent =
                        linux.openat2(root, path.parent(), flags, 0, RESOLVE_IN_ROOT)) {
                    yield linux.mountOf(parent).equals(linux.mountOf(inside))
                            ? readOnly(attempt, path, parent)
                            : Optional.of(held(attempt, path));
                }
            }
            default -> Optional.empty();
        };
    }

    /** Something is mounted there, which keeps its name in place. */
    private Denial held(Attempt attempt, UnixPath path) {
        Optional<Grant> grant = profile.grants().decisiveFor(path);
        if (grant.isPresent() && grant.get().path().equals(path)) {
            return denial(attempt, path, "a granted path keeps its place", "");
        }
        Optional<Guard> guard = profile.guards().over(path);
        return guard.isPresent()
                ? guarded(attempt, path, guard.get())
                : denial(attempt, path, "something protected lies below", "");
    }

    private static Denial guarded(Attempt attempt, UnixPath path, Guard guard) {
        return switch (guard.kind()) {
            case PROTECTED ->
                denial(
                        attempt,
                        path,
                        "protected, " + guard.why(),
                        option("--no-protect", guard.path()));
            case HIDDEN -> denial(attempt, path, "hidden, " + guard.why(), "");
            case SOCKET -> denial(attempt, path, NOT_GRANTED, option("--socket", path));
        };
    }

    private Optional<Denial> readOnly(Attempt attempt, UnixPath path, Fd where)
            throws ErrnoException {
        if (!linux.isReadOnly(where)) {
            return Optional.empty();
        }
        Optional<Grant> grant = profile.grants().decisiveFor(path);
        if (grant.isEmpty()) {
            return Optional.of(denial(attempt, path, "system files are read-only", ""));
        }
        Optional<Guard> guard = profile.guards().over(path);
        if (grant.get().writable() && guard.isPresent()) {
            return Optional.of(guarded(attempt, path, guard.get()));
        }
        return Optional.of(denial(
                attempt,
                path,
                "granted read-only",
                option("--write", grant.get().path())));
    }

    private Optional<Denial> judgeAbsent(Attempt attempt, Fd root, UnixPath path) {
        Optional<Guard> guard = profile.guards().over(path);
        if (guard.isPresent() && guard.get().kind() != Guard.Kind.PROTECTED) {
            return Optional.of(guarded(attempt, path, guard.get()));
        }
        if (existsOutside(path)) {
            String own = forbidden(attempt, path);
            return Optional.of(
                    own.isEmpty()
                            ? denial(attempt, path, NOT_GRANTED, option(attempt, path))
                            : denial(attempt, path, NOT_GRANTED + own, ""));
        }
        UnixPath parent = path.parent();
        if (attempt.kind() != Attempt.Kind.CREATE || parent.equals(path)) {
            return Optional.empty();
        }
        try (OwnedFd directory =
                linux.openat2(root, parent, OpenFlags.O_PATH, 0, RESOLVE_IN_ROOT)) {
            return readOnly(attempt, path, directory);
        } catch (ErrnoException e) {
            return existsOutside(parent)
                    ? Optional.of(denial(attempt, path, NOT_GRANTED, option("--write", parent)))
                    : Optional.empty();
        }
    }

    /** As a shell takes it, whatever the name: people paste it. */
    private static String option(String option, UnixPath path) {
        return option + " " + ShellWord.of(path);
    }

    private static String option(Attempt attempt, UnixPath path) {
        return switch (attempt.kind()) {
            case CONNECT -> option("--socket", path);
            case WRITE, CREATE, REMOVE -> option("--write", path);
            case EXECUTE -> option("--tool", path);
            default -> option("--read", path);
        };
    }

    /** A grant gives no more than the caller has: said where that is too little. */
    private String forbidden(Attempt attempt, UnixPath path) {
        int mode = switch (attempt.kind()) {
            case READ -> Linux.R_OK;
            case WRITE, CONNECT -> Linux.W_OK;
            case EXECUTE -> Linux.X_OK;
            default -> 0; // CREATE and REMOVE are of the directory
        };
        boolean may = mode == 0 || linux.accessErrno(path, mode) != Errno.EACCES;
        return may ? "" : ", and you may not " + attempt.words() + " it yourself";
    }

    private boolean existsOutside(UnixPath path) {
        try {
            return linux.lstatIfPresent(path).isPresent();
        } catch (ErrnoException e) {
            return false; // the caller may not look there either
        }
    }

    private static Denial denial(Attempt attempt, UnixPath path, String rule, String option) {
        return new Denial(attempt.words(), path.toString(), rule, option);
    }
}
