package glove.sandbox;

import glove.sys.Arch;
import glove.sys.UnixPath;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds the binary form of a {@link LaunchPlan} (native/launcher/plan.h): four phases of steps and
 * the blob their arguments point into. Confined to one thread; used once.
 */
final class PlanWriter {
    private static final int STEP_BYTES = 64;
    private static final int HEADER_BYTES = 80;
    private static final long MAGIC = 0x314e414c50564c47L;
    private static final int VERSION = 1;

    private final Arch arch;
    private final Steps outer = new Steps(this);
    private final Steps init = new Steps(this);
    private final Steps agent = new Steps(this);
    private final Steps settle = new Steps(this);
    private final Arg emptyText;
    private final List<HandOut> handed = new ArrayList<>();

    private byte[] blob = new byte[16 * 1024];
    private int blobBytes;
    private int slots;

    PlanWriter(Arch arch) {
        this.arch = arch;
        this.emptyText = text(new byte[0]);
    }

    Arch arch() {
        return arch;
    }

    /** Steps in the caller's namespaces, before the sandbox exists. */
    Steps outer() {
        return outer;
    }

    /** Steps of process 1 inside. */
    Steps init() {
        return init;
    }

    /** Steps of the agent's process; the last one executes its program. */
    Steps agent() {
        return agent;
    }

    /** Steps by which process 1 gives up its powers, before the agent's first step. */
    Steps settle() {
        return settle;
    }

    Slot newSlot() {
        return new Slot(slots++);
    }

    /** A step sends this outside. */
    void handsOut(HandOut what) {
        handed.add(what);
    }

    Arg emptyText() {
        return emptyText;
    }

    Arg text(String ascii) {
        return text(ascii.getBytes(StandardCharsets.UTF_8));
    }

    Arg text(UnixPath path) {
        return text(path.bytes());
    }

    /** Without its NUL, which is added here; {@code bytes} must hold none. */
    Arg text(byte[] bytes) {
        int at = reserve(bytes.length + 1, 1);
        System.arraycopy(bytes, 0, blob, at, bytes.length);
        return Arg.text(at, bytes.length + 1);
    }

    Arg data(byte[] bytes) {
        int at = reserve(bytes.length, 8);
        System.arraycopy(bytes, 0, blob, at, bytes.length);
        return Arg.data(at, bytes.length);
    }

    /** A structure of 64-bit members. */
    Arg longs(long... members) {
        byte[] bytes = new byte[8 * members.length];
        ByteBuffer buffer = littleEndian(bytes);
        for (long member : members) {
            buffer.putLong(member);
        }
        return data(bytes);
    }

    /** A structure of 32-bit members. */
    Arg ints(int... members) {
        byte[] bytes = new byte[4 * members.length];
        ByteBuffer buffer = littleEndian(bytes);
        for (int member : members) {
            buffer.putInt(member);
        }
        return data(bytes);
    }

    /** Room the launcher fills, zeroed. */
    Arg room(int bytes) {
        return Arg.data(reserve(bytes, 8), bytes);
    }

    private int reserve(int bytes, int alignment) {
        int at = (blobBytes + alignment - 1) & -alignment;
        if (at + bytes > blob.length) {
            blob = Arrays.copyOf(blob, Math.max(2 * blob.length, at + bytes));
        }
        blobBytes = at + bytes;
        return at;
    }

    /** The finished plan. */
    LaunchPlan finish(long cloneFlags, Ids ids) {
        return finish(cloneFlags, ids.initUidMap(), ids.initGidMap(), ids.deniesSetgroups());
    }

    /** The same with these maps of ids; without CLONE_NEWUSER nobody reads them. */
    LaunchPlan finish(long cloneFlags, String uids, String gids, boolean denySetgroups) {
        Arg uidMap = text(uids);
        Arg gidMap = text(gids);
        int paddedBlob = (blobBytes + 7) & -8;
        int steps = outer.count() + init.count() + agent.count() + settle.count();
        int total = HEADER_BYTES + steps * STEP_BYTES + paddedBlob;
        byte[] bytes = new byte[total];
        ByteBuffer out = littleEndian(bytes);
        out.putLong(MAGIC).putInt(VERSION).putInt(arch.auditArch()).putLong(total);
        out.putInt(outer.count()).putInt(init.count());
        out.putInt(agent.count()).putInt(settle.count());
        out.putLong(paddedBlob).putLong(cloneFlags);
        out.putLong(uidMap.value).putLong(gidMap.value).putLong(denySetgroups ? 1 : 0);
        List<StepSubject> subjects = new ArrayList<>(steps);
        LongBuffer words = out.asLongBuffer();
        Steps[] phases = {outer, init, agent, settle};
        for (Steps phase : phases) {
            phase.copyTo(words);
            subjects.addAll(phase.subjects());
        }
        System.arraycopy(blob, 0, bytes, total - paddedBlob, blobBytes);
        return new LaunchPlan(bytes, subjects, handed);
    }

    static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
