package glove.sys;

/**
 * An open file descriptor: {@linkplain OwnedFd owned} or {@linkplain BorrowedFd lent}. Its number
 * stays inside this module, so that nobody can use one that is closed and given out again.
 */
public sealed interface Fd permits OwnedFd, BorrowedFd {}
