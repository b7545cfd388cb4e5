package glove.sandbox;

import glove.sys.Errno;

/** What on a host is in the way when a call of Glove's own fails, by its errno. Stateless. */
public final class HostHint {
    private static final String FILTER =
            "a seccomp profile of the container or service it runs in forbids it (Docker: "
                    + "--security-opt seccomp=unconfined)";

    private HostHint() {}

    /**
     * A sentence to be added to what failed.
     *
     * @return begins with a semicolon; empty when the errno says all there is to say
     */
    public static String of(int errno) {
        String hint = words(errno);
        return hint.isEmpty() ? "" : "; " + hint;
    }

    static String words(int errno) {
        return switch (errno) {
            case Errno.ENOSYS -> "Linux 5.12 or newer is needed, or " + FILTER;
            case Errno.EPERM -> FILTER;
            case Errno.EMFILE -> "too few files may be open at once: ulimit -n 256";
            case Errno.EFBIG -> "files may not be large enough: ulimit -f unlimited";
            case Errno.EAGAIN, Errno.ENOMEM ->
                "a limit of processes is reached (ulimit -u, pids.max) or memory is";
            case Errno.ENOSPC -> "a limit of mounts is reached (fs.mount-max), or memory is";
            default -> "";
        };
    }
}
