package glove.sys;

/** An open file descriptor: {@linkplain OwnedFd owned} or {@linkplain BorrowedFd lent}. */
public sealed interface Fd permits OwnedFd, BorrowedFd {
    /** The number, for the kernel only; a {@link Bug} once closed. */
    int number();
}
