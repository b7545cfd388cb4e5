package glove.sandbox;

import glove.sys.Bug;

import java.util.Arrays;

/**
 * Classic BPF for seccomp(2) (linux/filter.h, linux/bpf_common.h) with labels. It writes what the
 * filters need, no more: loads from {@code struct seccomp_data}, comparisons with a constant,
 * returns.
 *
 * <p>All jumps go forward, at most 255 instructions, as the format has it; a program that needs
 * more is a bug, to be mended by placing a label's return nearer. Confined to one thread.
 */
final class BpfAssembler {
    /** {@code BPF_MAXINSNS}. */
    static final int INSTRUCTIONS_MAX = 4096;

    /** {@code sizeof(struct sock_filter)}. */
    static final int INSTRUCTION_BYTES = 8;

    /** BPF_JMP|BPF_K with BPF_JEQ, BPF_JGT, BPF_JGE (these unsigned) and BPF_JSET. */
    static final int JEQ = 0x15;

    static final int JGT = 0x25;
    static final int JGE = 0x35;
    static final int JSET = 0x45;

    /** The label that needs no place: the instruction behind the jump. */
    static final int NEXT = 0;

    private static final int LD_W_ABS = 0x20;
    private static final int ALU_AND_K = 0x54;
    private static final int RET_K = 0x06;
    private static final int JUMP_MAX = 255;
    private static final int UNPLACED = -1;

    /** Three words an instruction: code, k, and both labels (the true one in the low half). */
    private int[] words = new int[3 * 256];

    private int[] places = new int[64];
    private int used;
    private int labels = 1;

    /** A new label, to be placed once, behind all jumps to it. */
    int label() {
        if (labels == places.length) {
            places = Arrays.copyOf(places, 2 * labels);
        }
        places[labels] = UNPLACED;
        return labels++;
    }

    /** The label means the next instruction. */
    void place(int label) {
        if (label == NEXT || places[label] != UNPLACED) {
            throw new Bug("label " + label + " cannot be placed here");
        }
        places[label] = used / 3;
    }

    /** A := the word at an offset of {@code struct seccomp_data}. */
    void load(int offset) {
        add(LD_W_ABS, offset, NEXT, NEXT);
    }

    /** A := A and bits. */
    void and(int bits) {
        add(ALU_AND_K, bits, NEXT, NEXT);
    }

    /** Compares A with a value. */
    void jump(int test, int value, int ifTrue, int ifFalse) {
        add(test, value, ifTrue, ifFalse);
    }

    /** The filter's answer. */
    void ret(int action) {
        add(RET_K, action, NEXT, NEXT);
    }

    /** The program as an array of {@code struct sock_filter}, little-endian. */
    byte[] bytes() {
        int instructions = used / 3;
        if (instructions == 0 || instructions > INSTRUCTIONS_MAX) {
            throw new Bug("a filter of " + instructions + " instructions");
        }
        byte[] bytes = new byte[instructions * INSTRUCTION_BYTES];
        for (int i = 0, to = 0; i < instructions; i++, to += INSTRUCTION_BYTES) {
            int code = words[3 * i];
            int k = words[3 * i + 1];
            int both = words[3 * i + 2];
            bytes[to] = (byte) code;
            bytes[to + 1] = (byte) (code >> 8);
            bytes[to + 2] = (byte) distance(i, both & 0xffff);
            bytes[to + 3] = (byte) distance(i, both >>> 16);
            bytes[to + 4] = (byte) k;
            bytes[to + 5] = (byte) (k >> 8);
            bytes[to + 6] = (byte) (k >> 16);
            bytes[to + 7] = (byte) (k >> 24);
        }
        return bytes;
    }

    private int distance(int from, int label) {
        if (label == NEXT) {
            return 0;
        }
        int distance = places[label] - from - 1;
        // Covers the unplaced label too; one at the very end of the program has no instruction.
        if (distance < 0 || distance > JUMP_MAX || places[label] == used / 3) {
            throw new Bug("instruction " + from + " cannot reach label " + label);
        }
        return distance;
    }

    private void add(int code, int k, int ifTrue, int ifFalse) {
        if (used == words.length) {
            words = Arrays.copyOf(words, 2 * used);
        }
        words[used++] = code;
        words[used++] = k;
        words[used++] = ifTrue | ifFalse << 16;
    }
}
