package glove.app;

import glove.sandbox.StandardStreams;
import glove.sys.BorrowedFd;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;

/**
 * Standard streams of an agent without a terminal of its own: they are passed as they are, but
 * where one is the caller's terminal the agent gets it in one direction only. A terminal is open
 * for both, and by its output an agent could read what is typed to the shell. The terminal's
 * attributes are put back at the end.
 *
 * <p>Owns the descriptors it opened. Confined to one thread.
 */
final class LooseStreams implements AutoCloseable {
    private static final byte[] NONE = new byte[0];

    private final Linux linux;
    private final List<OwnedFd> opened = new ArrayList<>();
    private Fd terminal = BorrowedFd.STDOUT;
    private byte[] before = NONE;

    LooseStreams(Linux linux) {
        this.linux = linux;
    }

    /**
     * The streams.
     *
     * @param interactive whether what is typed is for the agent. Job control does not reach into
     *     its session: in the background it would take what is typed to the caller's shell.
     * @param nothing what it reads in place of a terminal that is not for it
     */
    StandardStreams streams(boolean interactive, Fd nothing) {
        boolean typed = linux.isTerminal(BorrowedFd.STDIN);
        Fd stdin =
                typed && !interactive ? nothing : oneWay(BorrowedFd.STDIN, 0, OpenFlags.O_RDONLY);
        return new StandardStreams(
                stdin,
                oneWay(BorrowedFd.STDOUT, 1, OpenFlags.O_WRONLY),
                oneWay(BorrowedFd.STDERR, 2, OpenFlags.O_WRONLY));
    }

    /** A terminal that cannot be opened by name (after su, say) is passed as it is. */
    private Fd oneWay(BorrowedFd stream, int number, int direction) {
        if (!linux.isTerminal(stream)) {
            return stream;
        }
        try {
            if (before.length == 0) {
                terminal = stream;
                before = linux.terminalAttributes(stream);
            }
            UnixPath path = UnixPath.of("/proc/self/fd/" + number);
            OwnedFd fd = linux.open(path, direction | OpenFlags.O_NOCTTY, 0);
            opened.add(fd);
            return fd;
        } catch (ErrnoException e) {
            return stream;
        }
    }

    @Override
    public void close() {
        for (OwnedFd fd : opened) {
            fd.close();
        }
        if (before.length > 0 && !linux.isInBackground(terminal)) {
            try {
                linux.setTerminalAttributes(terminal, before);
            } catch (ErrnoException e) {
                // It has hung up: there is nothing to put back.
            }
        }
    }
}
