package glove.sys;

/**
 * What to wait for on a descriptor (poll(2)), which is lent for the wait.
 *
 * @param events {@code POLL*}; errors and hang-up are always reported
 */
public record PollFd(Fd fd, int events) {
    public static final int POLLIN = 0x1;
    /** For files of cgroups: something changed since they were last read. */
    public static final int POLLPRI = 0x2;

    public static final int POLLOUT = 0x4;
    public static final int POLLERR = 0x8;
    public static final int POLLHUP = 0x10;
    public static final int POLLNVAL = 0x20;
}
