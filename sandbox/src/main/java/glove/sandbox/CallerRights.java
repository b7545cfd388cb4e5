package glove.sandbox;

import glove.sys.Arch;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;

/**
 * What this process may do and hands on to {@linkplain HostProgram host programs}.
 *
 * @param mayMount whether it has CAP_SYS_ADMIN, and so needs no user namespace for the others
 * @param uid its effective user id
 * @param gid its effective group id
 * @param openFiles RLIMIT_NOFILE; kept because the soft limit of this process may be raised later
 */
record CallerRights(Arch arch, boolean mayMount, int uid, int gid, Linux.Limit openFiles) {
    private static final int CAP_SYS_ADMIN = 21;
    private static final int STATUS_BYTES_MAX = 64 << 10;
    private static final byte[] EFFECTIVE = "\nCapEff:\t".getBytes(StandardCharsets.US_ASCII);

    static CallerRights read(Linux linux) throws ErrnoException {
        byte[] status = linux.readFile(UnixPath.of("/proc/self/status"), STATUS_BYTES_MAX);
        return new CallerRights(
                Arch.host(),
                (effective(status) >>> CAP_SYS_ADMIN & 1) != 0,
                linux.geteuid(),
                linux.getegid(),
                linux.openFileLimit());
    }

    /** The effective capabilities a proc_pid_status(5) tells; none when it tells of none. */
    static long effective(byte[] status) {
        for (int at = 0; at + EFFECTIVE.length <= status.length; at++) {
            if (isAt(status, at)) {
                long set = 0;
                for (int i = at + EFFECTIVE.length; i < status.length; i++) {
                    int digit = Character.digit(status[i], 16);
                    if (digit < 0) {
                        break;
                    }
                    set = set << 4 | digit;
                }
                return set;
            }
        }
        return 0;
    }

    private static boolean isAt(byte[] status, int at) {
        for (int i = 0; i < EFFECTIVE.length; i++) {
            if (status[at + i] != EFFECTIVE[i]) {
                return false;
            }
        }
        return true;
    }
}
