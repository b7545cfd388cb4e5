package glove.sys;

/** A system call failed. */
public final class ErrnoException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Call call;
    private final int errno;

    ErrnoException(Call call, int errno, String subject) {
        super(call.kernelName() + (subject.isEmpty() ? "" : " '" + subject + "'") + ": "
                + Errno.words(errno));
        this.call = call;
        this.errno = errno;
    }

    /** Which call. */
    public Call call() {
        return call;
    }

    /** Why: see {@link Errno}. */
    public int errno() {
        return errno;
    }
}
