package glove.host;

import glove.sys.BorrowedFd;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

/**
 * The bound socket of a daemon. Owns the listener; borrows its directory. Confined to one thread.
 */
final class ControlSocket implements AutoCloseable {
    private final Linux linux;
    private final Fd directory;
    private final OwnedFd listener;
    private final Stat made;
    private boolean closed;

    ControlSocket(Linux linux, Fd directory, OwnedFd listener, Stat made) {
        this.linux = linux;
        this.directory = directory;
        this.listener = listener;
        this.made = made;
    }

    /** To accept from. */
    BorrowedFd listener() {
        return listener.borrow();
    }

    /**
     * Nobody connects any more; a second time this does nothing. The name goes only when it is
     * still this socket's.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        listener.close();
        UnixPath name = UnixPath.of(RuntimeDirectory.SOCKET);
        try {
            Stat now = linux.lstatat(directory, name);
            if (now.isSocket() && now.isSameFileAs(made)) {
                linux.unlinkat(directory, name, 0);
            }
        } catch (ErrnoException e) {
            return; // what stays is removed by the next daemon, under the lock
        }
    }
}
