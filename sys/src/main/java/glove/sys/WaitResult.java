package glove.sys;

/**
 * What waitid(2) tells of a child.
 *
 * @param code {@code CLD_*}: how it changed
 * @param status its exit code, or the signal that killed, stopped or continued it
 */
public record WaitResult(int pid, int code, int status) {
    public static final int CLD_EXITED = 1;
    public static final int CLD_KILLED = 2;
    public static final int CLD_DUMPED = 3;
    public static final int CLD_STOPPED = 5;
    public static final int CLD_CONTINUED = 6;

    /** Whether it ended by itself, so that the status is its exit code. */
    public boolean exited() {
        return code == CLD_EXITED;
    }

    /** Whether a signal ended it, so that the status is the signal. */
    public boolean signaled() {
        return code == CLD_KILLED || code == CLD_DUMPED;
    }
}
