package glove.sys;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bytes on their way from one descriptor to another, in memory the kernel reads and writes
 * directly: they never become Java's. Confined to one thread.
 */
public final class TransferBuffer {
    private final Linux linux;
    private final ByteBuffer memory;
    private final long address;
    private int start;
    private int end;

    /**
     * An empty one.
     *
     * @param bytes it holds at most
     */
    public TransferBuffer(Linux linux, int bytes) {
        this.linux = linux;
        this.memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        this.address = NativeSyscalls.address(memory);
    }

    public boolean isEmpty() {
        return start == end;
    }

    /** Whether there is room for more. */
    public boolean isFull() {
        return end == memory.capacity();
    }

    /** Bytes that wait to be written. */
    public int waiting() {
        return end - start;
    }

    /** Forgets what waits. */
    public void clear() {
        start = 0;
        end = 0;
    }

    /** Forgets what waits beyond this many bytes. */
    public void cutTo(int bytes) {
        end = Math.min(end, start + bytes);
    }

    /**
     * read(2) once, behind what waits; only when not {@linkplain #isFull full}.
     *
     * @return bytes read; 0 at the end
     */
    public int fill(Fd from) throws ErrnoException {
        int number = Calls.number(from);
        int count =
                (int) linux.checked(Call.READ, "", number, address + end, memory.capacity() - end);
        end += count;
        return count;
    }

    /** write(2) once of what waits; how many bytes were taken. */
    public int drain(Fd to) throws ErrnoException {
        int count =
                (int) linux.checked(Call.WRITE, "", Calls.number(to), address + start, end - start);
        start += count;
        if (start == end) {
            clear();
        }
        return count;
    }
}
