package glove.sandbox;

import glove.sys.Arch;
import java.util.Arrays;

/**
 * The seccomp filters (seccomp(2)), as classic BPF. One list of checks read from top to bottom, the
 * ones that look at arguments first; every check skips to the next when the call is another, so no
 * jump is longer than a few instructions.
 *
 * <p>Arguments are compared as the kernel takes them: families, modes, flags, commands and process
 * ids are 32 bits wide there, and the upper half of the register is ignored.
 */
final class SeccompProgram {
    private static final int KILL_PROCESS = 0x8000_0000;
    private static final int ALLOW = 0x7fff_0000;
    private static final int ERRNO = 0x0005_0000;
    private static final int EPERM = ERRNO | 1;
    private static final int ENOSYS = ERRNO | 38;

    private static final int LD_WORD = 0x20;
    private static final int JEQ = 0x15;
    private static final int JGT = 0x25;
    private static final int JGE = 0x35;
    private static final int JSET = 0x45;
    private static final int RET = 0x06;

    private static final int NR = 0;
    private static final int ARCH = 4;
    private static final int FIRST_ARGUMENT = 16;

    private static final int X32_BIT = 0x4000_0000;
    private static final int SET_ID_BITS = 06000;

    /** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
    private static final int CLONE_NAMESPACES = 0x7E02_0000;

    /** For unshare; in clone the same bit is part of the exit signal. */
    private static final int CLONE_NEWTIME = 0x80;

    private static final int O_CREAT = 0100;
    private static final int O_TMPFILE_ALONE = 020000000;

    /**
     * TIOCSTI and TIOCLINUX type into a terminal, TIOCSETD loads line disciplines, TIOCCONS takes
     * the console's output.
     */
    private static final int[] DENIED_IOCTLS = {0x5412, 0x541C, 0x5423, 0x541D};

    /** PER_LINUX, PER_LINUX32, both with UNAME26, and the query. */
    private static final int[] PERSONALITIES = {0, 8, 0x20000, 0x20008, -1};

    private static final int AF_UNIX = 1;
    private static final int AF_NETLINK = 16;
    private static final int NETLINK_ROUTE = 0;

    private final boolean x86;
    private int[] code = new int[1024];
    private int used;

    private SeccompProgram(Arch arch) {
        this.x86 = arch == Arch.X86_64;
        load(ARCH);
        jump(JEQ, arch.auditArch(), 1, 0);
        ret(KILL_PROCESS);
        load(NR);
        if (x86) {
            jump(JGE, X32_BIT, 0, 1);
            ret(KILL_PROCESS);
        }
    }

    /** What the agent and all it starts may call, without a network. */
    static byte[] forAgent(Arch arch) {
        SeccompProgram program = new SeccompProgram(arch);
        program.addArgumentChecks();
        program.jump(JGT, SeccompCalls.NEWEST_KNOWN, 0, 1);
        program.ret(ENOSYS);
        program.answer(SeccompCalls.ABSENT, ENOSYS);
        program.answer(SeccompCalls.DENIED, EPERM);
        program.ret(ALLOW);
        return program.bytes();
    }

    /** What process 1 may call while it serves: a handful; anything else ends it. */
    static byte[] forInit(Arch arch) {
        SeccompProgram program = new SeccompProgram(arch);
        program.answer(SeccompCalls.INIT, ALLOW);
        program.ret(KILL_PROCESS);
        return program.bytes();
    }

    private void addArgumentChecks() {
        // Anything that makes a file with a mode: no set-user-id or set-group-id bit, ever.
        denyOpening(257, 56, 2, 3);
        denyOpening(2, -1, 1, 2);
        denyBits(83, -1, 1, SET_ID_BITS); // mkdir
        denyBits(258, 34, 2, SET_ID_BITS); // mkdirat
        denyBits(90, -1, 1, SET_ID_BITS); // chmod
        denyBits(91, 52, 1, SET_ID_BITS); // fchmod
        denyBits(268, 53, 2, SET_ID_BITS); // fchmodat
        denyBits(452, 452, 2, SET_ID_BITS); // fchmodat2
        denyBits(85, -1, 1, SET_ID_BITS); // creat
        denyBits(133, -1, 1, SET_ID_BITS); // mknod
        denyBits(259, 33, 2, SET_ID_BITS); // mknodat
        denyBits(56, 220, 0, CLONE_NAMESPACES); // clone
        denyBits(272, 97, 0, CLONE_NAMESPACES | CLONE_NEWTIME); // unshare
        denyBits(302, 261, 0, -1); // prlimit64 on another process
        decide(16, 29, 1, DENIED_IOCTLS, EPERM, ALLOW);
        decide(135, 92, 0, PERSONALITIES, ALLOW, EPERM);
        decide(53, 199, 0, new int[] {AF_UNIX}, ALLOW, EPERM); // socketpair
        decideSocket(41, 198);
    }

    /** Runs the instructions that follow for one call only; they must end in a return. */
    private int beginCall(int x86Number, int armNumber) {
        int number = x86 ? x86Number : armNumber;
        if (number < 0) {
            return -1;
        }
        jump(JEQ, number, 0, 0);
        return used;
    }

    private void endCall(int begun) {
        int length = (used - begun) / 2;
        code[begun - 2] |= length << 24; // jf of the jump in front: past this call's instructions
    }

    /** EPERM when the argument has one of the bits. */
    private void denyBits(int x86Number, int armNumber, int argument, int bits) {
        int begun = beginCall(x86Number, armNumber);
        if (begun >= 0) {
            loadArgument(argument);
            jump(JSET, bits, 0, 1);
            ret(EPERM);
            ret(ALLOW);
            endCall(begun);
        }
    }

    /** The mode of open counts only where a file may be made. */
    private void denyOpening(int x86Number, int armNumber, int flags, int mode) {
        int begun = beginCall(x86Number, armNumber);
        if (begun >= 0) {
            loadArgument(flags);
            jump(JSET, O_CREAT | O_TMPFILE_ALONE, 1, 0);
            ret(ALLOW);
            loadArgument(mode);
            jump(JSET, SET_ID_BITS, 0, 1);
            ret(EPERM);
            ret(ALLOW);
            endCall(begun);
        }
    }

    private void decide(int x86Number, int armNumber, int argument, int[] values, int match, int other) {
        int begun = beginCall(x86Number, armNumber);
        loadArgument(argument);
        for (int value : values) {
            jump(JEQ, value, 0, 1);
            ret(match);
        }
        ret(other);
        endCall(begun);
    }

    /**
     * AF_UNIX, and route netlink, which without capabilities reads the namespace's own addresses;
     * run-times list interfaces with it.
     */
    private void decideSocket(int x86Number, int armNumber) {
        int begun = beginCall(x86Number, armNumber);
        loadArgument(0);
        jump(JEQ, AF_UNIX, 0, 1);
        ret(ALLOW);
        jump(JEQ, AF_NETLINK, 1, 0);
        ret(EPERM);
        loadArgument(2);
        jump(JEQ, NETLINK_ROUTE, 0, 1);
        ret(ALLOW);
        ret(EPERM);
        endCall(begun);
    }

    private void answer(short[] calls, int action) {
        for (int i = 0; i < calls.length; i += 2) {
            int number = calls[x86 ? i : i + 1];
            if (number >= 0) {
                jump(JEQ, number, 0, 1);
                ret(action);
            }
        }
    }

    private void loadArgument(int index) {
        load(FIRST_ARGUMENT + 8 * index); // little-endian: the low word stands first
    }

    private void load(int offset) {
        add(LD_WORD, 0, 0, offset);
    }

    private void jump(int test, int value, int ifTrue, int ifFalse) {
        add(test, ifTrue, ifFalse, value);
    }

    private void ret(int action) {
        add(RET, 0, 0, action);
    }

    /** Two words an instruction: code, jt and jf in the first, k in the second. */
    private void add(int operation, int ifTrue, int ifFalse, int k) {
        if (used + 2 > code.length) {
            code = Arrays.copyOf(code, 2 * code.length);
        }
        code[used++] = operation | ifTrue << 16 | ifFalse << 24;
        code[used++] = k;
    }

    private byte[] bytes() {
        byte[] bytes = new byte[used * Integer.BYTES];
        var out = PlanWriter.littleEndian(bytes);
        for (int i = 0; i < used; i++) {
            out.putInt(code[i]);
        }
        return bytes;
    }
}
