package glove.sandbox;

import static glove.sandbox.BpfAssembler.JEQ;
import static glove.sandbox.BpfAssembler.NEXT;

import glove.sys.Arch;

/**
 * The filter of the sandbox's process 1, once it has given up its powers: an allow-list, everything
 * else ends it, and with it the sandbox (seccomp(2)). Arguments are not looked at. tgkill and tkill
 * are not on the list: process 1 signals processes, by kill.
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

    private InitSeccomp() {}

    /** What waiting for children, passing signals on and reporting an exit takes. */
    static byte[] program(Arch arch) {
        return program(arch, SERVING);
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
        return filter.bytes();
    }
}
