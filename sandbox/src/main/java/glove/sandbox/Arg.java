package glove.sandbox;

/**
 * One argument of a {@linkplain Steps step}: its kind (plan.h, {@code enum kind}) and value.
 * Immutable.
 */
final class Arg {
    static final int IMM = 0;
    static final int SLOT = 1;
    static final int TEXT = 2;
    static final int DATA = 3;
    static final int OUT = 4;

    /** The number 0, which stands for a null pointer too. */
    static final Arg ZERO = imm(0);

    /** {@code AT_FDCWD} (fcntl.h). */
    static final Arg CWD = imm(-100);

    final int kind;
    final long value;

    private Arg(int kind, long value) {
        this.kind = kind;
        this.value = value;
    }

    static Arg imm(long value) {
        return new Arg(IMM, value);
    }

    static Arg slot(Slot slot) {
        return new Arg(SLOT, slot.number());
    }

    /** Bytes of the plan's blob that end in the only NUL among them. */
    static Arg text(int offset, int length) {
        return new Arg(TEXT, range(offset, length));
    }

    static Arg data(int offset, int length) {
        return new Arg(DATA, range(offset, length));
    }

    /** {@code length} bytes of the launcher's scratch memory. */
    static Arg out(int offset, int length) {
        return new Arg(OUT, range(offset, length));
    }

    /** Part of a {@link #DATA} argument. */
    Arg part(int offset, int length) {
        return data((int) value + offset, length);
    }

    /** Length in bytes of a ranged argument. */
    int length() {
        return (int) (value >>> 32);
    }

    private static long range(int offset, int length) {
        return offset | (long) length << 32;
    }
}
