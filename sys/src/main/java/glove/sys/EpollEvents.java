package glove.sys;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Room for what epoll_wait(2) tells, in memory the kernel writes directly. Confined to one thread.
 */
public final class EpollEvents {
    /** Of struct epoll_event on either machine (linux/eventpoll.h): packed on x86-64 only. */
    static final int SIZE_MAX = 16;

    private final int count;
    private final int size;
    private final int dataAt;
    private final ByteBuffer memory;
    private final long address;

    /**
     * Empty.
     *
     * @param count events told at once; those beyond are told the next time
     */
    public EpollEvents(int count) {
        this.count = count;
        this.size = size(Arch.host());
        this.dataAt = dataAt(Arch.host());
        NativeSyscalls.load();
        this.memory = ByteBuffer.allocateDirect(count * size).order(ByteOrder.nativeOrder());
        this.address = NativeSyscalls.address(memory);
    }

    static int size(Arch arch) {
        return arch == Arch.X86_64 ? 12 : 16;
    }

    static int dataAt(Arch arch) {
        return arch == Arch.X86_64 ? 4 : 8;
    }

    /** What has happened, without waiting for it (epoll_pwait(2)); how many events. */
    public int take(Linux linux, Fd epoll) throws ErrnoException {
        return (int) linux.checked(Call.EPOLL_PWAIT, "", Calls.number(epoll), address, count, 0, 0);
    }

    /**
     * The same, waiting for it.
     *
     * @param millis at most; negative: without limit
     * @return how many; 0 when the time is over, or a signal came
     */
    public int await(Linux linux, Fd epoll, long millis) throws ErrnoException {
        int most = (int) Math.min(millis, Integer.MAX_VALUE);
        long told = linux.once(Call.EPOLL_PWAIT, Calls.number(epoll), address, count, most, 0);
        if (told < 0 && told != -Errno.EINTR) {
            throw new ErrnoException(Call.EPOLL_PWAIT, (int) -told, "");
        }
        return (int) Math.max(told, 0);
    }

    /** What happened, {@code EPOLL*}. */
    public int events(int index) {
        return memory.getInt(index * size);
    }

    /** To what: see {@link Linux#epollAdd}. */
    public long data(int index) {
        return memory.getLong(index * size + dataAt);
    }
}
