package glove.gateway;

import glove.sys.EpollEvents;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * All descriptors of the gateway behind one epoll(7) descriptor. Edge-triggered: who is not read
 * needs no call to be left alone. An event names a slot and the generation of who had it, so one
 * that was told for a closed descriptor reaches nobody. Confined to the gateway's thread.
 */
final class Watches implements AutoCloseable {
    private static final int EVENTS_AT_ONCE = 64;
    private static final int SLOTS_AT_FIRST = 32;
    private static final int INTEREST = Linux.EPOLLIN | Linux.EPOLLRDHUP | Linux.EPOLLET;

    private final Linux linux;
    private final OwnedFd epoll;
    private final EpollEvents events = new EpollEvents(EVENTS_AT_ONCE);
    private @Nullable Watched[] slots = new Watched[SLOTS_AT_FIRST]; // null where free
    private int[] generations = new int[SLOTS_AT_FIRST];

    Watches(Linux linux) throws ErrnoException {
        this.linux = linux;
        this.epoll = linux.epollCreate();
    }

    Fd epoll() {
        return epoll;
    }

    /**
     * Watches for bytes, ends and errors; for room only when there was none once ({@link
     * #tellOfRoom}): a socket tells of it whenever its peer has read something.
     */
    void add(Fd fd, Watched watched) throws ErrnoException {
        int slot = 0;
        while (slot < slots.length && slots[slot] != null) {
            slot++;
        }
        if (slot == slots.length) {
            slots = Arrays.copyOf(slots, 2 * slot);
            generations = Arrays.copyOf(generations, 2 * slot);
        }
        linux.epollAdd(epoll, fd, INTEREST, data(slot));
        slots[slot] = watched;
        watched.slot = slot;
    }

    private long data(int slot) {
        return (long) generations[slot] << Integer.SIZE | slot;
    }

    /** There was no room to write: from here on it is told when there is again, or by now is. */
    void tellOfRoom(Fd fd, Watched watched) throws ErrnoException {
        if (watched.isWatched() && !watched.tellsOfRoom) {
            linux.epollModify(epoll, fd, INTEREST | Linux.EPOLLOUT, data(watched.slot));
            watched.tellsOfRoom = true;
        }
    }

    /** Its descriptor is about to be closed, which takes it out of the kernel's list. */
    void remove(Watched watched) {
        if (watched.isWatched()) {
            slots[watched.slot] = null;
            generations[watched.slot]++;
            watched.unwatched();
        }
    }

    /** Notes what has happened; how many events that were. */
    int tell() throws ErrnoException {
        int count = events.take(linux, epoll);
        for (int i = 0; i < count; i++) {
            long data = events.data(i);
            Watched watched = slots[(int) data];
            if (watched != null && generations[(int) data] == (int) (data >>> Integer.SIZE)) {
                watched.happened(events.events(i));
            }
        }
        return count;
    }

    @Override
    public void close() {
        epoll.close();
    }
}
