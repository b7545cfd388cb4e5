package glove.sandbox;

import glove.sys.Call;
import glove.sys.IpEndpoint;
import glove.sys.UnixPath;

import java.nio.LongBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One phase of a plan under construction: each method adds one step, named as the kernel names the
 * call. The launcher stops at the first step that fails. Confined to one thread.
 */
final class Steps {
    private static final int STEP_WORDS = 8;
    private static final int NO_SLOT = 0xffff;

    private static final int OP_CALL = 1;
    private static final int OP_EXPECT = 2;
    private static final int OP_EXPECT_BYTES = 3;
    private static final int OP_STORE = 4;
    private static final int OP_STRINGS = 5;
    private static final int OP_FILTER = 6;
    private static final int OP_USERNS = 7;
    private static final int OP_EXEC = 8;
    private static final int OP_EXPECT_FILE = 9;
    private static final int OP_HAND_OUT = 10;
    private static final int SECCOMP_FILTER_FLAG_NEW_LISTENER = 8;

    private final PlanWriter plan;
    private final List<StepSubject> subjects = new ArrayList<>();
    private long[] words = new long[256 * STEP_WORDS];
    private int used;
    private final ArrayDeque<Slot> free = new ArrayDeque<>();
    private StepSubject subject = new StepSubject("launch", StepSubject.NO_PATH);

    Steps(PlanWriter plan) {
        this.plan = plan;
    }

    PlanWriter plan() {
        return plan;
    }

    /** The steps added from now on serve this purpose. */
    Steps about(String purpose) {
        return about(purpose, StepSubject.NO_PATH);
    }

    Steps about(String purpose, UnixPath path) {
        subject = new StepSubject(purpose, path);
        return this;
    }

    int count() {
        return subjects.size();
    }

    /** The steps, each as the eight little-endian words of plan.h's struct step. */
    void copyTo(LongBuffer out) {
        out.put(words, 0, used);
    }

    List<StepSubject> subjects() {
        return subjects;
    }

    /** A call whose result nobody needs. */
    void run(Call call, Arg... args) {
        add(OP_CALL, call.number(), NO_SLOT, 0, args);
    }

    /** A call that may fail with one errno: then it is as if it had not been asked for. */
    void runUnless(int toleratedErrno, Call call, Arg... args) {
        add(OP_CALL, call.number(), NO_SLOT, toleratedErrno, args);
    }

    /** A call whose result later steps use. */
    Slot get(Call call, Arg... args) {
        Slot slot = free.isEmpty() ? plan.newSlot() : free.removeLast();
        add(OP_CALL, call.number(), slot.number(), 0, args);
        return slot;
    }

    /** Closes the descriptor in a slot of this phase; the slot may serve again. */
    void close(Slot slot) {
        run(Call.CLOSE, Arg.slot(slot));
        free.addLast(slot);
    }

    /** Fails with {@code errno} unless eight bytes of scratch, masked, are as wanted. */
    void expect(int offset, long mask, long wanted, int errno) {
        add(
                OP_EXPECT,
                0,
                NO_SLOT,
                0,
                Arg.imm(offset),
                Arg.imm(mask),
                Arg.imm(wanted),
                Arg.imm(errno));
    }

    /** Fails with ESTALE unless the descriptor is this very file. */
    void expectFile(Slot fd, Identity identity) {
        add(
                OP_EXPECT_FILE,
                0,
                NO_SLOT,
                0,
                Arg.slot(fd),
                Arg.imm(identity.inode()),
                Arg.imm(identity.deviceWord()),
                Arg.imm(identity.type()));
    }

    /** Fails with {@code errno} unless scratch begins with this text and a NUL. */
    void expectText(String wanted, int errno) {
        add(OP_EXPECT_BYTES, 0, NO_SLOT, 0, Arg.ZERO, plan.text(wanted), Arg.imm(errno));
    }

    /** Copies a slot into a part of the blob: a descriptor into a structure. */
    void store(Slot slot, Arg part) {
        add(OP_STORE, 0, NO_SLOT, 0, Arg.slot(slot), part);
    }

    /** A null-ended array of pointers to the strings, as execve wants it. */
    Arg strings(List<byte[]> strings) {
        int bytes = 0;
        for (byte[] string : strings) {
            bytes += string.length + 1;
        }
        if (bytes == 0) {
            return plan.room(Long.BYTES);
        }
        byte[] joined = new byte[bytes];
        int at = 0;
        for (byte[] string : strings) {
            System.arraycopy(string, 0, joined, at, string.length);
            at += string.length + 1;
        }
        Arg pointers = plan.room((strings.size() + 1) * Long.BYTES);
        add(OP_STRINGS, 0, NO_SLOT, 0, pointers, plan.data(joined));
        return pointers;
    }

    /** Installs a classic BPF program on the process (seccomp(2)). */
    void filter(byte[] program) {
        add(OP_FILTER, 0, NO_SLOT, 0, plan.data(program), Arg.ZERO);
    }

    /** The same; the result is a descriptor that hears of calls the program reports. */
    Slot filterWithListener(byte[] program) {
        Slot listener = plan.newSlot();
        Arg flags = Arg.imm(SECCOMP_FILTER_FLAG_NEW_LISTENER);
        add(OP_FILTER, 0, listener.number(), 0, plan.data(program), flags);
        return listener;
    }

    /** Sends a descriptor to who reads the launcher's status, to be known there as a number. */
    void handOut(Slot fd, int knownAs) {
        handOut(fd, new HandOut(knownAs, Optional.empty()));
    }

    /** The same, of a TCP listener, which the receiver compares with this. */
    void handOutListener(Slot fd, int knownAs, IpEndpoint listener) {
        handOut(fd, new HandOut(knownAs, Optional.of(listener)));
    }

    private void handOut(Slot fd, HandOut what) {
        plan.handsOut(what);
        add(OP_HAND_OUT, 0, NO_SLOT, 0, Arg.slot(fd), Arg.imm(what.knownAs()));
    }

    /** A descriptor of a new user namespace, for an idmapped mount. */
    Slot userns(String uidMap, String gidMap) {
        Slot slot = plan.newSlot();
        Arg[] maps = {plan.text(uidMap), plan.text(gidMap)};
        add(OP_USERNS, 0, slot.number(), 0, maps);
        return slot;
    }

    /** execveat(2): the end of the agent's phase. */
    void exec(Arg dir, Arg path, Arg argv, Arg envp, int flags) {
        add(OP_EXEC, 0, NO_SLOT, 0, dir, path, argv, envp, Arg.imm(flags));
    }

    /** Stores into an array: a buffer costs several calls a word while nothing is compiled. */
    private void add(int op, int call, int result, int tolerate, Arg... args) {
        if (used + STEP_WORDS > words.length) {
            words = Arrays.copyOf(words, 2 * words.length);
        }
        long first = op | (long) call << 16 | (long) result << 32;
        long second = (long) tolerate << 32;
        for (int i = 0; i < args.length; i++) {
            Arg arg = args[i];
            if (i < 2) {
                first |= (long) arg.kind << (48 + 8 * i);
            } else {
                second |= (long) arg.kind << (8 * (i - 2));
            }
            words[used + 2 + i] = arg.value;
        }
        words[used] = first;
        words[used + 1] = second;
        used += STEP_WORDS;
        subjects.add(subject);
    }
}
