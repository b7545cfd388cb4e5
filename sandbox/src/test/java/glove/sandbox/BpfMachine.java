package glove.sandbox;

import glove.sys.Arch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An interpreter of classic BPF, written from linux/filter.h and net/core/filter.c and not from the
 * assembler under test. It refuses what the kernel's checker refuses. Immutable.
 */
final class BpfMachine {
    static final int KILL_PROCESS = 0x8000_0000;
    static final int EPERM = 0x0005_0001;
    static final int EOPNOTSUPP = 0x0005_005f;

    /** Answered with success, and not done. */
    static final int DONE = 0x0005_0000;

    static final int ENOSYS = 0x0005_0026;
    static final int ALLOW = 0x7fff_0000;

    private static final int SECCOMP_DATA_BYTES = 64;
    private static final int SOCK_FILTER_BYTES = 8;

    private final int[] code;
    private final int[] jt;
    private final int[] jf;
    private final int[] k;

    /** Loads a program, as the kernel would. */
    BpfMachine(byte[] program) {
        require(program.length % SOCK_FILTER_BYTES == 0, "half an instruction");
        int length = program.length / SOCK_FILTER_BYTES;
        require(length >= 1 && length <= 4096, length + " instructions");
        code = new int[length];
        jt = new int[length];
        jf = new int[length];
        k = new int[length];
        ByteBuffer in = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < length; i++) {
            code[i] = Short.toUnsignedInt(in.getShort());
            jt[i] = Byte.toUnsignedInt(in.get());
            jf[i] = Byte.toUnsignedInt(in.get());
            k[i] = in.getInt();
        }
        for (int i = 0; i < length; i++) {
            checkInstruction(i);
        }
        require(code[length - 1] == 0x06, "the last instruction is no return");
    }

    int length() {
        return code.length;
    }

    /** The filter's answer to a call; missing arguments are 0. */
    int run(Arch arch, int number, long... arguments) {
        return run(arch.auditArch(), number, arguments);
    }

    /** The same with any AUDIT_ARCH value. */
    int run(int auditArch, int number, long... arguments) {
        ByteBuffer data = ByteBuffer.allocate(SECCOMP_DATA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(number).putInt(auditArch).putLong(0x7fff_dead_beefL);
        for (long argument : arguments) {
            data.putLong(argument);
        }
        return run(data);
    }

    private int run(ByteBuffer data) {
        int a = 0;
        for (int pc = 0; ; pc++) {
            int order = Integer.compareUnsigned(a, k[pc]);
            switch (code[pc]) {
                case 0x20 -> a = data.getInt(k[pc]);
                case 0x54 -> a &= k[pc];
                case 0x15 -> pc += order == 0 ? jt[pc] : jf[pc];
                case 0x25 -> pc += order > 0 ? jt[pc] : jf[pc];
                case 0x35 -> pc += order >= 0 ? jt[pc] : jf[pc];
                case 0x45 -> pc += (a & k[pc]) != 0 ? jt[pc] : jf[pc];
                case 0x06 -> {
                    return k[pc];
                }
                default -> throw new AssertionError("checked before");
            }
        }
    }

    private void checkInstruction(int i) {
        switch (code[i]) {
            case 0x20 ->
                require(
                        k[i] >= 0 && k[i] < SECCOMP_DATA_BYTES && k[i] % 4 == 0,
                        "load of offset " + k[i]);
            case 0x15, 0x25, 0x35, 0x45 ->
                require(
                        i + 1 + Math.max(jt[i], jf[i]) < code.length,
                        "jump out of the program at " + i);
            case 0x54, 0x06 -> {}
            default -> throw new IllegalArgumentException("code " + code[i] + " at " + i);
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
