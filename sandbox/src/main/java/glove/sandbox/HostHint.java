package glove.sandbox;

import glove.sys.Call;
import glove.sys.Errno;
import glove.sys.ErrnoException;

/** What on a host is in the way when a call of Glove's own fails, by its errno. Stateless. */
public final class HostHint {
    private static final String FILTER =
            "a seccomp profile of the container or service it runs in forbids it (Docker: "
                    + "--security-opt seccomp=unconfined)";

    private static final String MEMORY =
            "this host runs no program from memory (vm.memfd_noexec=2, AppArmor, SELinux): "
                    + "install the launcher as /usr/libexec/glove/launcher, owned by root (README)";

    private static final String FULL =
            "the filesystem it is on is full (df tells): make room there";

    private HostHint() {}

    /**
     * A sentence to be added to what failed.
     *
     * @return begins with a semicolon; empty when the errno says all there is to say
     */
    public static String of(ErrnoException e) {
        boolean memory = e.errno() == Errno.EACCES && runsFromMemory(e.call());
        boolean full = e.errno() == Errno.ENOSPC && fillsDisk(e.call());
        String hint = memory ? MEMORY : full ? FULL : words(e.errno());
        return hint.isEmpty() ? "" : "; " + hint;
    }

    private static boolean runsFromMemory(Call call) {
        return call == Call.MEMFD_CREATE || call == Call.EXECVEAT;
    }

    /** Others say so of tables of the kernel's. */
    private static boolean fillsDisk(Call call) {
        return switch (call) {
            case WRITE,
                    PWRITE64,
                    OPENAT,
                    OPENAT2,
                    MKDIRAT,
                    SYMLINKAT,
                    RENAMEAT2,
                    FTRUNCATE,
                    FSYNC,
                    FDATASYNC -> true;
            default -> false;
        };
    }

    static String words(int errno) {
        return switch (errno) {
            case Errno.ENOSYS -> "Linux 5.12 or newer is needed, or " + FILTER;
            case Errno.EPERM -> FILTER;
            case Errno.EMFILE -> "too few files may be open at once: ulimit -n 256";
            case Errno.ENFILE ->
                "this machine has as many files open as it may (fs.file-max): end programs";
            case Errno.EIO -> "a disk or filesystem fails: dmesg tells more";
            case Errno.EFBIG -> "files may not be large enough: ulimit -f unlimited";
            case Errno.EAGAIN, Errno.ENOMEM ->
                "a limit of processes is reached (ulimit -u, pids.max) or memory is";
            case Errno.EDQUOT ->
                "a quota of this user's is used up: of kernel keys (cat /proc/key-users; sysctl -w "
                        + "kernel.keys.maxkeys=2000), or of the filesystem (quota)";
            case Errno.ENOSPC -> "a limit of mounts is reached (fs.mount-max), or memory is";
            default -> "";
        };
    }
}
