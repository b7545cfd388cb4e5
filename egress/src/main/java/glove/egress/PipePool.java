package glove.egress;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Pipe;

import java.util.ArrayDeque;

/**
 * Empty pipes for bytes on their way. A direction has one only while bytes are stuck in it, so
 * that idle connections have none. Confined to the thread of the proxy.
 */
final class PipePool implements AutoCloseable {
    /** What one splice moves at most. */
    static final int PIPE_BYTES = 256 << 10;

    /** Beyond these they are closed. */
    private static final int KEPT = 16;

    private final Linux linux;
    private final ArrayDeque<Pipe> empty = new ArrayDeque<>();
    private int lent;

    PipePool(Linux linux) {
        this.linux = linux;
    }

    /** An empty one. */
    Pipe take() throws ErrnoException {
        Pipe pipe = empty.isEmpty() ? linux.nonBlockingPipe(PIPE_BYTES) : empty.removeLast();
        lent++;
        return pipe;
    }

    /** It is empty again. */
    void give(Pipe pipe) {
        lent--;
        if (empty.size() < KEPT) {
            empty.addLast(pipe);
        } else {
            pipe.close();
        }
    }

    /** What is in it is to be forgotten. */
    void drop(Pipe pipe) {
        lent--;
        pipe.close();
    }

    /** How many hold bytes now. */
    int lent() {
        return lent;
    }

    @Override
    public void close() {
        while (!empty.isEmpty()) {
            empty.removeLast().close();
        }
    }
}
