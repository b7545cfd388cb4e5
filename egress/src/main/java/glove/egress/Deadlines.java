package glove.egress;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Moments to come, the earliest first: a binary heap that can move what is in it. Confined to the
 * thread of the proxy.
 */
final class Deadlines {
    private static final int PLACES_AT_FIRST = 64;

    private @Nullable Timed[] heap = new Timed[PLACES_AT_FIRST]; // null from size on
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** The earliest moment; only when not empty. */
    long earliest() {
        return at(0).due;
    }

    private Timed at(int place) {
        Timed timed = heap[place];
        if (timed == null) {
            throw new IllegalStateException("nothing at place " + place);
        }
        return timed;
    }

    /** Its moment is this from now on. */
    void set(Timed timed, long due) {
        timed.due = due;
        if (timed.place == Timed.NOWHERE) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, 2 * size);
            }
            put(size++, timed);
        }
        down(up(timed.place));
    }

    /** It has none any more. */
    void remove(Timed timed) {
        int place = timed.place;
        if (place == Timed.NOWHERE) {
            return;
        }
        timed.place = Timed.NOWHERE;
        Timed last = at(--size);
        heap[size] = null;
        if (place != size) {
            put(place, last);
            down(up(place));
        }
    }

    /** Whose moment has come, taken out; null when there is none. */
    @Nullable
    Timed take(long now) {
        if (size == 0 || at(0).due - now > 0) {
            return null;
        }
        Timed timed = at(0);
        remove(timed);
        return timed;
    }

    private void put(int place, Timed timed) {
        heap[place] = timed;
        timed.place = place;
    }

    private int up(int from) {
        int place = from;
        while (place > 0 && at(place).due - at((place - 1) / 2).due < 0) {
            swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
        return place;
    }

    private void down(int from) {
        int place = from;
        for (; ; ) {
            int child = 2 * place + 1;
            if (child >= size) {
                return;
            }
            if (child + 1 < size && at(child + 1).due - at(child).due < 0) {
                child++;
            }
            if (at(child).due - at(place).due >= 0) {
                return;
            }
            swap(place, child);
            place = child;
        }
    }

    private void swap(int one, int other) {
        Timed moved = at(one);
        put(one, at(other));
        put(other, moved);
    }
}
