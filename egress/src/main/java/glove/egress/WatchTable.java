package glove.egress;

import glove.sys.EpollEvents;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Everything the proxy waits for, behind one epoll(7) descriptor. Edge-triggered: a stalled
 * direction needs no further call to be left alone, and a peer that has hung up is told once
 * instead of for ever. An event names a slot and the generation of who had it, so one that was
 * told for a closed descriptor reaches nobody. Confined to the thread of the proxy.
 */
final class WatchTable implements AutoCloseable {
    private static final int EVENTS_AT_ONCE = 256;
    private static final int SLOTS_AT_FIRST = 64;

    private final Linux linux;
    private final OwnedFd epoll;
    private final EpollEvents events = new EpollEvents(EVENTS_AT_ONCE);
    private @Nullable Watched[] slots = new Watched[SLOTS_AT_FIRST]; // null where free
    private int[] generations = new int[SLOTS_AT_FIRST];
    private int[] free = new int[SLOTS_AT_FIRST];
    private int freeCount;
    private int used; // slots given out at least once

    WatchTable(Linux linux) throws ErrnoException {
        this.linux = linux;
        this.epoll = linux.epollCreate();
    }

    Fd epoll() {
        return epoll;
    }

    /** How many are watched. */
    int size() {
        return used - freeCount;
    }

    /** Watches for bytes, urgent ones too, room, ends and errors. */
    void add(Fd fd, Watched watched) throws ErrnoException {
        int slot = freeCount > 0 ? free[--freeCount] : newSlot();
        long data = (long) generations[slot] << Integer.SIZE | slot;
        int interest =
                Linux.EPOLLIN | Linux.EPOLLPRI | Linux.EPOLLOUT | Linux.EPOLLRDHUP | Linux.EPOLLET;
        try {
            linux.epollAdd(epoll, fd, interest, data);
        } catch (ErrnoException e) {
            release(slot);
            throw e;
        }
        slots[slot] = watched;
        watched.slot = slot;
    }

    private int newSlot() {
        if (used == slots.length) {
            slots = Arrays.copyOf(slots, 2 * used);
            generations = Arrays.copyOf(generations, 2 * used);
            free = Arrays.copyOf(free, 2 * used);
        }
        return used++;
    }

    /** Its descriptor is about to be closed, which takes it out of the kernel's list. */
    void remove(Watched watched) {
        if (watched.slot != Watched.NOWHERE) {
            int slot = watched.slot;
            watched.slot = Watched.NOWHERE;
            slots[slot] = null;
            release(slot);
        }
    }

    private void release(int slot) {
        generations[slot]++;
        free[freeCount++] = slot;
    }

    /** Tells everybody what has happened; how many events that were. */
    int tell() throws ErrnoException {
        int count = events.take(linux, epoll);
        for (int i = 0; i < count; i++) {
            long data = events.data(i);
            int slot = (int) data;
            Watched watched = slots[slot];
            if (watched != null && generations[slot] == (int) (data >>> Integer.SIZE)) {
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
