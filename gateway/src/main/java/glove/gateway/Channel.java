package glove.gateway;

import glove.sys.OwnedFd;

import org.jspecify.annotations.Nullable;

/**
 * The descriptors that lead to a peer, all non-blocking: pipes or sockets. Owns them. Handed to
 * the {@link Gateway}, it is closed there.
 */
public final class Channel implements AutoCloseable {
    private final OwnedFd in;
    private final @Nullable OwnedFd out; // null when one descriptor serves both ways
    private final @Nullable OwnedFd diagnostics; // null when the peer has none, or not for us

    private Channel(OwnedFd in, @Nullable OwnedFd out, @Nullable OwnedFd diagnostics) {
        this.in = in;
        this.out = out;
        this.diagnostics = diagnostics;
    }

    /** One socket for both ways. */
    public static Channel of(OwnedFd socket) {
        return new Channel(socket, null, null);
    }

    /**
     * Two descriptors.
     *
     * @param in what the peer says comes from there
     * @param out what it is told goes there
     */
    public static Channel of(OwnedFd in, OwnedFd out) {
        return new Channel(in, out, null);
    }

    /** The same, and a third that gives what a program writes to its standard error. */
    public static Channel of(OwnedFd in, OwnedFd out, OwnedFd diagnostics) {
        return new Channel(in, out, diagnostics);
    }

    OwnedFd in() {
        return in;
    }

    OwnedFd out() {
        return out == null ? in : out;
    }

    boolean isOneSocket() {
        return out == null;
    }

    @Nullable
    OwnedFd diagnostics() {
        return diagnostics;
    }

    /** Closes all of them. */
    @Override
    public void close() {
        in.close();
        if (out != null) {
            out.close();
        }
        if (diagnostics != null) {
            diagnostics.close();
        }
    }
}
