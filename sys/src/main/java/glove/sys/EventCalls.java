package glove.sys;

/** Calls that wait for many descriptors and move bytes between them: see {@link Linux}. */
abstract class EventCalls extends InetCalls {
    public static final int EPOLLIN = 0x1;
    public static final int EPOLLPRI = 0x2;
    public static final int EPOLLOUT = 0x4;
    public static final int EPOLLERR = 0x8;
    public static final int EPOLLHUP = 0x10;

    /** The peer will send no more (since Linux 2.6.17). */
    public static final int EPOLLRDHUP = 0x2000;

    /** Told once for each change, not as long as it lasts. */
    public static final int EPOLLET = 1 << 31;

    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLL_CTL_MOD = 3;
    private static final int F_SETPIPE_SZ = 1031;
    private static final int SPLICE_F_MOVE_NONBLOCK = 1 | 2;

    EventCalls(Syscalls syscalls) {
        super(syscalls);
    }

    /** epoll_create1(2). It can itself be polled: it is readable while something has happened. */
    public OwnedFd epollCreate() throws ErrnoException {
        return own(checked(Call.EPOLL_CREATE1, "", OpenFlags.O_CLOEXEC));
    }

    /**
     * epoll_ctl(2), EPOLL_CTL_ADD. A descriptor leaves by being closed, when it has no copy.
     *
     * @param data comes back with each event of it
     */
    public void epollAdd(Fd epoll, Fd fd, int events, long data) throws ErrnoException {
        epollControl(epoll, EPOLL_CTL_ADD, fd, events, data);
    }

    /**
     * epoll_ctl(2), EPOLL_CTL_MOD: what holds already is told anew, also to who asked for edges.
     *
     * @param events in place of those there were, as the data
     */
    public void epollModify(Fd epoll, Fd fd, int events, long data) throws ErrnoException {
        epollControl(epoll, EPOLL_CTL_MOD, fd, events, data);
    }

    private void epollControl(Fd epoll, int operation, Fd fd, int events, long data)
            throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(EpollEvents.SIZE_MAX);
        memory.structure().putInt(0, events);
        memory.structure().putLong(EpollEvents.dataAt(Arch.host()), data);
        checked(Call.EPOLL_CTL, "", number(epoll), operation, number(fd), address);
    }

    /** eventfd(2), non-blocking: a counter that one thread adds to and another waits for. */
    public OwnedFd eventfd() throws ErrnoException {
        return own(checked(Call.EVENTFD2, "", 0, OpenFlags.O_CLOEXEC | OpenFlags.O_NONBLOCK));
    }

    /** Adds one: whoever waits for it is woken. */
    public void signal(Fd eventfd) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(Long.BYTES);
        memory.structure().putLong(0, 1);
        moved(Call.WRITE, number(eventfd), address, Long.BYTES); // full is signalled, too
    }

    /** Sets it to zero. */
    public void takeSignal(Fd eventfd) throws ErrnoException {
        moved(Call.READ, number(eventfd), CallMemory.get().structure(Long.BYTES), Long.BYTES);
    }

    /**
     * A non-blocking pipe that holds at least as many bytes, where the kernel grants it: beyond
     * what a user may have in all (pipe-user-pages-soft of proc(5)) it stays as small as it is.
     */
    public Pipe nonBlockingPipe(int bytes) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        int flags = OpenFlags.O_CLOEXEC | OpenFlags.O_NONBLOCK;
        checked(Call.PIPE2, "", memory.structure(2 * Integer.BYTES), flags);
        int read = memory.structure().getInt(0);
        Pipe pipe = new Pipe(own(read), own(memory.structure().getInt(Integer.BYTES)));
        raw(Call.FCNTL, read, F_SETPIPE_SZ, bytes); // EPERM: see above
        return pipe;
    }

    /** From now on reads and writes of this open file that would wait do not (O_NONBLOCK). */
    public void setNonBlocking(Fd fd) throws ErrnoException {
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL, 0) | OpenFlags.O_NONBLOCK);
    }

    /**
     * splice(2) between a non-blocking pipe and a non-blocking socket, EINTR retried.
     *
     * @return bytes moved; 0 at the end of {@code from}; {@link #WOULD_BLOCK}
     */
    public int splice(Fd from, Fd to, int max) throws ErrnoException {
        return moved(Call.SPLICE, number(from), 0, number(to), 0, max, SPLICE_F_MOVE_NONBLOCK);
    }

    /**
     * read(2) of a non-blocking descriptor of any kind, EINTR retried.
     *
     * @param max bytes, at most 64 KiB and what is free behind {@code at}
     * @return bytes; 0 at the end; {@link #WOULD_BLOCK}
     */
    public int readNow(Fd from, byte[] into, int at, int max) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        int room = Math.min(Math.min(max, into.length - at), CallMemory.CHUNK_BYTES);
        int count = moved(Call.READ, number(from), memory.bulk(), room);
        if (count > 0) {
            memory.bulkBuffer().get(0, into, at, count);
        }
        return count;
    }

    /**
     * write(2) to a non-blocking descriptor of any kind, EINTR retried. To a pipe or socket that
     * nobody reads any more it fails with EPIPE: the JVM ignores SIGPIPE.
     *
     * @param length bytes; of more than 64 KiB only so many
     * @return bytes taken, or {@link #WOULD_BLOCK}
     */
    public int writeNow(Fd to, byte[] bytes, int at, int length) throws ErrnoException {
        int count = Math.min(length, CallMemory.CHUNK_BYTES);
        long address = CallMemory.get().bulk(bytes, at, count);
        return moved(Call.WRITE, number(to), address, count);
    }
}
