package glove.sys;

/**
 * A descriptor with one owner, who closes it. Close-on-exec from birth. Taking one as a parameter
 * takes ownership; {@link #release} hands it on. Thread-safe as far as closing goes: the first
 * close wins, and use after it is a {@link Bug}.
 */
public final class OwnedFd implements Fd, AutoCloseable {
    private static final int CLOSED = -1;

    private final Syscalls syscalls;
    private int number; // guarded by this

    OwnedFd(Syscalls syscalls, int number) {
        this.syscalls = syscalls;
        this.number = number;
        FdLeaks.opened(this);
    }

    synchronized int number() {
        if (number == CLOSED) {
            throw new Bug("use of a closed descriptor");
        }
        return number;
    }

    /** Lends it: the borrower uses it only while this is open. */
    public BorrowedFd borrow() {
        return new BorrowedFd(number());
    }

    /** Gives ownership to a new object; this one counts as closed. */
    public synchronized OwnedFd release() {
        int handed = number();
        number = CLOSED;
        FdLeaks.closed(this);
        return new OwnedFd(syscalls, handed);
    }

    /** Closes it once. A failing close(2) has closed it all the same, so it is never repeated. */
    @Override
    public synchronized void close() {
        if (number != CLOSED) {
            int closing = number;
            number = CLOSED;
            FdLeaks.closed(this);
            syscalls.call(Call.CLOSE, closing, 0, 0, 0, 0, 0);
        }
    }
}
