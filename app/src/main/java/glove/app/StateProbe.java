package glove.app;

import glove.journal.AuditException;
import glove.journal.AuditLog;
import glove.sandbox.Refusal;
import glove.sandbox.ShellWord;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tries what runs do with the state directory, in each of its directories by itself: what one of
 * them is closed to, another may still do. Makes nothing that stays. Confined to one thread.
 */
final class StateProbe {
    /** Of homes and pins. */
    static final String STATE = "state_directory";

    /** Of the audit log. */
    static final String AUDIT = "audit_log";

    private static final int PRIVATE = 0700;
    private static final UnixPath LOG = UnixPath.of(ExecAudit.FILE);

    /** A directory of it, and what fails without. */
    private record Use(String directory, String without) {}

    private final Linux linux;
    private final Invocation invocation;
    private final String code;
    private final List<Use> uses;

    private StateProbe(Linux linux, Invocation invocation, String code, List<Use> uses) {
        this.linux = linux;
        this.invocation = invocation;
        this.code = code;
        this.uses = uses;
    }

    /** Where runs leave their record: what has to be recorded is refused without. */
    static StateProbe ofAudit(Linux linux, Invocation invocation) {
        return new StateProbe(
                linux,
                invocation,
                AUDIT,
                List.of(new Use(ExecAudit.DIRECTORY, "run and --egress-allow")));
    }

    /** What else is kept from one run to the next. */
    static StateProbe ofKept(Linux linux, Invocation invocation) {
        return new StateProbe(
                linux,
                invocation,
                STATE,
                List.of(
                        new Use(HomeStore.HOMES, "--home"),
                        new Use(PinDirectory.DIRECTORY, "run")));
    }

    Check look() {
        UnixPath state;
        try {
            state = StateDirectory.ofGlove(invocation);
        } catch (Refusal e) {
            return Check.missing(
                    code,
                    e.getMessage() + "; exec runs without, " + without() + " would be refused",
                    e.hints());
        }
        if (!isThere(state)) {
            return tryToMake(state, new Use("", without()))
                    .orElse(Check.ok(code, "'" + state + "' can be made"));
        }
        List<String> messages = new ArrayList<>();
        List<String> remedies = new ArrayList<>();
        boolean broken = false;
        for (Use use : uses) {
            Optional<Check> found = tryOne(state, use);
            if (found.isPresent()) {
                broken |= found.get().status() == Check.Status.FAILED;
                addNew(messages, List.of(found.get().message()));
                addNew(remedies, found.get().remedies());
            }
        }
        if (messages.isEmpty()) {
            return Check.ok(code, "'" + state + "' can be used");
        }
        String words = String.join("; ", messages) + "; exec runs without";
        return broken ? Check.failed(code, words, remedies) : Check.missing(code, words, remedies);
    }

    /** All that fails where nothing can be kept. */
    private String without() {
        List<String> all = new ArrayList<>();
        uses.forEach(use -> all.add(use.without));
        return String.join(" and ", all);
    }

    private static void addNew(List<String> all, List<String> some) {
        for (String one : some) {
            if (!all.contains(one)) {
                all.add(one);
            }
        }
    }

    /** Empty when it works. */
    private Optional<Check> tryOne(UnixPath state, Use use) {
        UnixPath place = state.resolve(use.directory);
        try {
            Optional<OwnedFd> there =
                    StateDirectory.openIfPresent(linux, invocation, use.directory);
            if (there.isEmpty()) {
                return tryToMake(place, use);
            }
            try (OwnedFd directory = there.get()) {
                boolean log = use.directory.equals(ExecAudit.DIRECTORY)
                        && linux.lstatIfPresent(place.resolve(LOG)).isPresent();
                if (log) {
                    AuditLog.open(linux, place.resolve(LOG)).close();
                } else {
                    tryToWrite(linux, directory);
                }
            }
            return Optional.empty();
        } catch (Refusal e) {
            return broken(use, e.getMessage(), e.hints());
        } catch (AuditException e) {
            return broken(use, e.getMessage(), List.of("move it away"));
        } catch (ErrnoException e) {
            return broken(use, "'" + place + "': " + e.getMessage(), remedy(e, place));
        }
    }

    private Optional<Check> broken(Use use, String why, List<String> remedies) {
        return Optional.of(
                Check.failed(code, why + ": " + use.without + " would be refused", remedies));
    }

    /** What is not there yet is made by who needs it, in the nearest that is there. */
    private Optional<Check> tryToMake(UnixPath place, Use use) {
        UnixPath at = place.parent();
        try {
            while (linux.lstatIfPresent(at).isEmpty() && !at.equals(at.parent())) {
                at = at.parent();
            }
            try (OwnedFd directory = linux.open(at, OpenFlags.O_PATH | OpenFlags.O_DIRECTORY, 0)) {
                tryToWrite(linux, directory);
            }
            return Optional.empty();
        } catch (ErrnoException e) {
            return Optional.of(Check.missing(
                    code,
                    "'" + place + "' cannot be made in '" + at + "': " + e.getMessage() + ": "
                            + use.without + " would be refused",
                    remedy(e, at)));
        }
    }

    private List<String> remedy(ErrnoException e, UnixPath path) {
        return e.errno() == Errno.EACCES && isOwn(path)
                ? List.of("chmod 700 " + ShellWord.operand(path))
                : remedy(e, path, "export XDG_STATE_HOME=/a/directory/of/yours");
    }

    /** And may be looked at. */
    private boolean isThere(UnixPath path) {
        try {
            return linux.lstatIfPresent(path).isPresent();
        } catch (ErrnoException e) {
            return false; // then it cannot be made, either
        }
    }

    private boolean isOwn(UnixPath path) {
        try {
            return linux.lstat(path).uid() == linux.geteuid();
        } catch (ErrnoException e) {
            return false; // then it is nothing to chmod
        }
    }

    /** What to do about a directory that takes nothing. */
    static List<String> remedy(ErrnoException e, UnixPath path, String elsewhere) {
        return switch (e.errno()) {
            case Errno.EFBIG -> List.of("ulimit -f unlimited");
            case Errno.ENOSPC -> List.of("df -h " + ShellWord.operand(path), elsewhere);
            default -> List.of(elsewhere);
        };
    }

    /** Makes a directory and a file with a byte on the disk, and removes both. */
    static void tryToWrite(Linux linux, Fd directory) throws ErrnoException {
        UnixPath name = UnixPath.of(".glove-doctor-" + linux.getpid() + "-"
                + Long.toString(System.nanoTime(), Character.MAX_RADIX));
        linux.mkdirat(directory, name, PRIVATE);
        linux.unlinkat(directory, name, Linux.AT_REMOVEDIR);
        // A full disk still has room for a name.
        int flags = OpenFlags.O_WRONLY | OpenFlags.O_CREAT | OpenFlags.O_EXCL;
        try (OwnedFd file = linux.openat(directory, name, flags, 0600)) {
            linux.writeFully(file, new byte[] {'\n'});
            linux.fsync(file);
        } finally {
            linux.unlinkat(directory, name, 0);
        }
    }
}
