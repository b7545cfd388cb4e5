package glove.sandbox;

import static glove.sandbox.BpfAssembler.JEQ;
import static glove.sandbox.BpfAssembler.NEXT;

import glove.sys.Arch;

/**
 * The filter of the sandbox's process 1, once it has given up its powers: an allow-list, everything
 * else ends it, and with it the sandbox (seccomp(2)). Arguments are not looked at, but for those of
 * the two calls it needs for sockets that are published. tgkill and tkill are not on the list:
 * process 1 signals processes, by kill.
 */
final class InitSeccomp {
    private static final int[] SERVING = {
        SeccompCalls.READ,
        SeccompCalls.WRITE,
        SeccompCalls.PPOLL,
        SeccompCalls.POLL,
        SeccompCalls.WAIT4,
        SeccompCalls.WAITID,
        SeccompCalls.KILL,
        SeccompCalls.CLOSE,
        SeccompCalls.GETPID,
        SeccompCalls.RT_SIGPROCMASK,
        SeccompCalls.RT_SIGRETURN,
        SeccompCalls.RESTART_SYSCALL,
        SeccompCalls.EXIT_GROUP,
        SeccompCalls.EXIT,
    };

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;

    /** SOCK_STREAM, SOCK_NONBLOCK and SOCK_CLOEXEC. */
    private static final int SOCKET_TYPE = 1 | 04000 | 02000000;

    /** plan.h: the launcher's channel to who started it. */
    private static final int STATUS_FD = 4;

    private InitSeccomp() {}

    /** What waiting for children, passing signals on and reporting an exit takes. */
    static byte[] program(Arch arch) {
        return program(arch, SERVING);
    }

    /** The same, and making TCP sockets and sending them outside. */
    static byte[] publishing(Arch arch) {
        BpfAssembler filter = new BpfAssembler();
        int kill = filter.label();
        int allow = filter.label();
        SeccompProgram.begin(filter, arch, kill);
        int sendmsg = filter.label();
        int other = filter.label();
        filter.jump(JEQ, SeccompCalls.number(SeccompCalls.SOCKET, arch), NEXT, sendmsg);
        int type = filter.label();
        SeccompProgram.loadArgument(filter, 0);
        filter.jump(JEQ, AF_INET, type, NEXT);
        filter.jump(JEQ, AF_INET6, NEXT, kill);
        filter.place(type);
        SeccompProgram.loadArgument(filter, 1);
        filter.jump(JEQ, SOCKET_TYPE, NEXT, kill);
        SeccompProgram.loadArgument(filter, 2);
        filter.jump(JEQ, 0, allow, kill);
        filter.place(sendmsg);
        filter.jump(JEQ, SeccompCalls.number(SeccompCalls.SENDMSG, arch), NEXT, other);
        SeccompProgram.loadArgument(filter, 0);
        filter.jump(JEQ, STATUS_FD, NEXT, kill);
        SeccompProgram.loadArgument(filter, 2);
        filter.jump(JEQ, 0, allow, kill);
        filter.place(other);
        allow(filter, arch, kill, allow, SERVING);
        return filter.bytes();
    }

    /**
     * A filter that allows these calls only.
     *
     * @param allowed constants of {@link SeccompCalls}, the most frequent first; one that the
     *     architecture lacks (poll on aarch64) is left out
     */
    static byte[] program(Arch arch, int... allowed) {
        BpfAssembler filter = new BpfAssembler();
        int kill = filter.label();
        int allow = filter.label();
        SeccompProgram.begin(filter, arch, kill);
        allow(filter, arch, kill, allow, allowed);
        return filter.bytes();
    }

    private static void allow(BpfAssembler filter, Arch arch, int kill, int allow, int... allowed) {
        for (int call : allowed) {
            int number = SeccompCalls.number(call, arch);
            if (number >= 0) {
                filter.jump(JEQ, number, allow, NEXT);
            }
        }
        filter.place(kill);
        filter.ret(SeccompProgram.KILL_PROCESS);
        filter.place(allow);
        filter.ret(SeccompProgram.ALLOW);
    }
}
