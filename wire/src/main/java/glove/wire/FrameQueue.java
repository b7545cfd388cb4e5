package glove.wire;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Lines on their way out, for a peer that may take them slowly or in parts. Bounded: who gets
 * {@code false} has to stop making more until some of it left. Confined to one thread.
 */
public final class FrameQueue {
    private final int bytesMax;
    private final ArrayDeque<byte[]> lines = new ArrayDeque<>();

    /** Of the first line, how much was written. */
    private int written;

    private int bytes;

    /**
     * An empty queue.
     *
     * @param bytesMax of all lines that wait; a longer one is taken when none waits
     */
    public FrameQueue(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * Adds a line, to which the LF is added here.
     *
     * @return whether it was taken; false when there is no room for it now
     * @throws IllegalArgumentException when the frame holds an LF: it would be two
     */
    public boolean offer(byte[] frame) {
        for (byte b : frame) {
            if (b == '\n') {
                throw new IllegalArgumentException("a line end within a frame");
            }
        }
        if (!hasRoomFor(frame.length)) {
            return false;
        }
        byte[] line = Arrays.copyOf(frame, frame.length + 1);
        line[frame.length] = '\n';
        lines.add(line);
        bytes += line.length;
        return true;
    }

    /** Whether a frame of so many bytes would be taken now. */
    public boolean hasRoomFor(int frameBytes) {
        return lines.isEmpty() || (long) bytes + frameBytes + 1 <= bytesMax;
    }

    /** Whether nothing waits. */
    public boolean isEmpty() {
        return lines.isEmpty();
    }

    /** How many bytes wait. */
    public int waitingBytes() {
        return bytes;
    }

    /** The array to write from next, from {@link #offset} to its end; there must be one. */
    public byte[] first() {
        return lines.element();
    }

    /** Where in {@link #first} to go on. */
    public int offset() {
        return written;
    }

    /** So many bytes of {@link #first} were written. */
    public void wrote(int count) {
        if (count < 0 || count > first().length - written) {
            throw new IllegalArgumentException("more was written than there was");
        }
        written += count;
        bytes -= count;
        if (written == first().length) {
            lines.remove();
            written = 0;
        }
    }
}
