package glove.sandbox;

import glove.sys.Bug;
import glove.sys.OwnedFd;

import org.jspecify.annotations.Nullable;

/**
 * A TCP socket of the sandbox's network namespace that process 1 was asked for: its answer comes
 * with a later {@link RunningSandbox#nextExit}. Confined to the run's thread. Owns the socket until
 * it is taken; closing it before the answer has that closed as well.
 */
public final class AskedSocket implements AutoCloseable {
    private final int domain;
    private boolean answered;
    private boolean closed;
    private int errno;
    private @Nullable OwnedFd socket; // until taken, and when the answer is one

    AskedSocket(int domain) {
        this.domain = domain;
    }

    /** AF_INET or AF_INET6. */
    int domain() {
        return domain;
    }

    void answer(OwnedFd made) {
        answered = true;
        if (closed) {
            made.close();
        } else {
            socket = made;
        }
    }

    void answer(int failure) {
        answered = true;
        errno = failure;
    }

    /** Whether the answer is here. */
    public boolean isAnswered() {
        return answered;
    }

    /** Why there is none (socket(2)); 0 when there is, or no answer yet. */
    public int errno() {
        return errno;
    }

    /** Unconnected, non-blocking; once, of an answer without an errno. The caller owns it now. */
    public OwnedFd take() {
        OwnedFd taken = socket;
        if (taken == null) {
            throw new Bug("no socket to take");
        }
        socket = null;
        return taken;
    }

    @Override
    public void close() {
        closed = true;
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
