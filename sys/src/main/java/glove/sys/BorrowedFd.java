package glove.sys;

/** A descriptor somebody else owns and keeps open for the time of the call. */
public record BorrowedFd(int number) implements Fd {
    public static final BorrowedFd STDIN = new BorrowedFd(0);
    public static final BorrowedFd STDOUT = new BorrowedFd(1);
    public static final BorrowedFd STDERR = new BorrowedFd(2);
}
