package glove.host;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;

import java.util.List;
import java.util.Optional;

/**
 * Where clients come in. No failure to take one in ends the daemon: it is counted, and after a
 * pause the next is tried. Borrows its descriptors; confined to the server's thread.
 */
final class Entrance {
    /** Between two attempts when one failed. */
    private static final long PAUSE_NANOS = 50_000_000;

    private final Linux linux;
    private final ControlSocket socket;
    private final Watch watch;
    private final DropReport drops;
    private final int user;
    private boolean open = true;
    private long openAgainNanos;

    /** Has epoll tell, or not, that somebody waits. */
    interface Watch {
        void set(boolean on) throws ErrnoException;
    }

    Entrance(Linux linux, ControlSocket socket, Watch watch, DropReport drops) {
        this.linux = linux;
        this.socket = socket;
        this.watch = watch;
        this.drops = drops;
        this.user = linux.geteuid();
    }

    boolean isOpen() {
        return open;
    }

    /** Whether somebody waits to come in: nobody has to go for one who is not there. */
    boolean isAwaited() throws ErrnoException {
        PollFd listener = new PollFd(socket.listener(), PollFd.POLLIN);
        return linux.poll(List.of(listener), 0)[0] != 0;
    }

    /** The next client; empty when none waits, or there is a pause. */
    Optional<OwnedFd> next() throws ErrnoException {
        try {
            return linux.accept(socket.listener());
        } catch (ErrnoException e) {
            // Of the next client or of this machine: both may be another one in a moment.
            boolean shortage = Errno.isShortage(e.errno());
            drops.count(shortage ? DropReport.Reason.SHORTAGE : DropReport.Reason.BROKEN);
            pause();
            return Optional.empty();
        }
    }

    /** Whether it is the daemon's own user who came. */
    boolean isOwner(OwnedFd client) throws ErrnoException {
        Linux.Peer peer = linux.peer(client);
        return peer.uid() == user && peer.pid() > 0;
    }

    /** Lets nobody in for a moment. */
    void pause() throws ErrnoException {
        openAgainNanos = System.nanoTime() + PAUSE_NANOS;
        open = false;
        watch.set(false);
    }

    /** When it has to be opened again. */
    long openAgainNanos() {
        return open ? Long.MAX_VALUE : openAgainNanos;
    }

    /** Opens it again when it is time to. */
    void open(long nowNanos) throws ErrnoException {
        if (!open && openAgainNanos <= nowNanos) {
            open = true;
            watch.set(true);
        }
    }

    /** For ever. */
    void close() {
        open = false;
        openAgainNanos = Long.MAX_VALUE;
        socket.close();
    }
}
