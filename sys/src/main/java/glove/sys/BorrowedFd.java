package glove.sys;

/**
 * A descriptor somebody else owns and keeps open for the time of the call. Only the three standard
 * ones exist by themselves; others are lent by {@link OwnedFd#borrow}. Immutable.
 */
public final class BorrowedFd implements Fd {
    public static final BorrowedFd STDIN = new BorrowedFd(0);
    public static final BorrowedFd STDOUT = new BorrowedFd(1);
    public static final BorrowedFd STDERR = new BorrowedFd(2);

    private final int number;

    BorrowedFd(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
