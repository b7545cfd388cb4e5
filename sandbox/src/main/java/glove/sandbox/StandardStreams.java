package glove.sandbox;

import glove.sys.BorrowedFd;
import glove.sys.Fd;

/** The agent's three standard streams, lent for the launch. */
public record StandardStreams(Fd stdin, Fd stdout, Fd stderr) {
    /** This process's own: bytes pass untouched. */
    public static StandardStreams inherited() {
        return new StandardStreams(BorrowedFd.STDIN, BorrowedFd.STDOUT, BorrowedFd.STDERR);
    }
}
