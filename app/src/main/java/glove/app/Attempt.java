package glove.app;

import glove.sys.Call;
import glove.sys.Notification;
import glove.sys.OpenFlags;

import java.util.List;

/**
 * What a reported system call tries, by its arguments.
 *
 * @param kind what is tried
 * @param directory descriptor the path counts from, or {@link #WORKING_DIRECTORY}
 * @param address of the path, or of the socket's address
 */
record Attempt(Kind kind, int directory, long address) {
    static final int WORKING_DIRECTORY = -100;

    private static final int ACCESS_MODE = 3;

    enum Kind {
        READ,
        WRITE,
        CREATE,
        REMOVE,
        EXECUTE,
        CONNECT,
        NETWORK,
        OTHER
    }

    /** Numbers of x86-64 that aarch64 has not, and {@link Call} does not name. */
    private static final int OPEN = 2;

    private static final int EXECVE_X86 = 59;
    private static final int EXECVE_ARM = 221;
    private static final int RENAME = 82;
    private static final int MKDIR = 83;
    private static final int RMDIR = 84;
    private static final int CREAT = 85;
    private static final int UNLINK = 87;
    private static final int CHMOD = 90;
    private static final int RENAMEAT_X86 = 264;
    private static final int RENAMEAT_ARM = 38;
    private static final int FCHMODAT_X86 = 268;
    private static final int FCHMODAT_ARM = 53;

    /** One, or two for a rename: of the old name and the new. */
    static List<Attempt> of(Notification call, boolean x86) {
        Attempt first = x86 ? ofX86(call) : ofCommon(call, false);
        long[] arg = call.arguments();
        int number = call.number();
        if (x86 && number == RENAME) {
            return List.of(first, here(Kind.CREATE, arg[1]));
        }
        if (isRenameAt(number, x86)) {
            return List.of(first, new Attempt(Kind.CREATE, (int) arg[2], arg[3]));
        }
        return List.of(first);
    }

    private static boolean isRenameAt(int number, boolean x86) {
        return number == Call.RENAMEAT2.number() || number == (x86 ? RENAMEAT_X86 : RENAMEAT_ARM);
    }

    private static Attempt ofX86(Notification call) {
        long[] arg = call.arguments();
        return switch (call.number()) {
            case OPEN -> here(opening(arg[1]), arg[0]);
            case RENAME, UNLINK, RMDIR -> here(Kind.REMOVE, arg[0]);
            case MKDIR, CREAT -> here(Kind.CREATE, arg[0]);
            case CHMOD -> here(Kind.WRITE, arg[0]);
            default -> ofCommon(call, true);
        };
    }

    private static Attempt ofCommon(Notification call, boolean x86) {
        long[] arg = call.arguments();
        int number = call.number();
        if (number == Call.OPENAT.number()) {
            return at(opening(arg[2]), arg);
        }
        if (number == (x86 ? EXECVE_X86 : EXECVE_ARM)) {
            return here(Kind.EXECUTE, arg[0]);
        }
        if (number == Call.EXECVEAT.number()) {
            return at(Kind.EXECUTE, arg);
        }
        if (number == Call.UNLINKAT.number() || isRenameAt(number, x86)) {
            return at(Kind.REMOVE, arg);
        }
        if (number == Call.MKDIRAT.number()) {
            return at(Kind.CREATE, arg);
        }
        if (number == (x86 ? FCHMODAT_X86 : FCHMODAT_ARM)) {
            return at(Kind.WRITE, arg);
        }
        if (number == Call.CONNECT.number()) {
            return here(Kind.CONNECT, arg[1]);
        }
        return here(number == Call.SOCKET.number() ? Kind.NETWORK : Kind.OTHER, 0);
    }

    private static Attempt here(Kind kind, long address) {
        return new Attempt(kind, WORKING_DIRECTORY, address);
    }

    private static Attempt at(Kind kind, long[] arguments) {
        return new Attempt(kind, (int) arguments[0], arguments[1]);
    }

    private static Kind opening(long flags) {
        if ((flags & OpenFlags.O_CREAT) != 0) {
            return Kind.CREATE;
        }
        boolean writing =
                (flags & ACCESS_MODE) != OpenFlags.O_RDONLY || (flags & OpenFlags.O_TRUNC) != 0;
        return writing ? Kind.WRITE : Kind.READ;
    }

    /** For the person who reads it. */
    String words() {
        return switch (kind) {
            case READ -> "read";
            case WRITE -> "write";
            case CREATE -> "create";
            case REMOVE -> "remove or rename";
            case EXECUTE -> "execute";
            case CONNECT -> "connect to";
            case NETWORK -> "use";
            case OTHER -> "call";
        };
    }
}
