package glove.journal;

import glove.journal.AppendLogException.Fault;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The one thread that changes a log: takes what waits, makes it, writes and syncs once, and tells
 * everybody. While it syncs, others queue up; that is all the grouping there is. When memory ends,
 * those are told who asked for what could not be made, and it goes on, unless something was written
 * of which nobody knows whether it is on disk.
 *
 * <p>Thread-safe.
 */
final class Committer {
    /** Changes that may wait; who comes then waits for room. */
    private static final int WAITING_MAX = 4096;

    /** A batch takes no more changes when it has so many bytes. */
    private static final int BATCH_BYTES = 4 << 20;

    private static final int BATCH_CHANGES = 1024;
    private static final int PUBLISH_TRIES = 3;

    private final AppendFile file;
    private final AppendLayout layout;
    private final Thread thread;
    private final Object lock = new Object();

    // None of these ever grows: one that fails to has lost what it held.
    private ArrayDeque<Waiting<?>> queue = new ArrayDeque<>(WAITING_MAX); // guarded by lock
    private ArrayDeque<Waiting<?>> next = new ArrayDeque<>(WAITING_MAX); // the thread's own
    private final List<Waiting<?>> taken = new ArrayList<>(BATCH_CHANGES); // as next
    private final List<Waiting<?>> made = new ArrayList<>(BATCH_CHANGES); // as next
    private int written; // of those made, how many have a record; as next
    private boolean idle; // the thread waits for something to do; guarded by lock
    private int wantRoom; // callers that wait for the queue to be shorter; guarded by lock
    private boolean closed; // guarded by lock
    private boolean ended; // nobody takes from the queue any more; guarded by lock
    private final AtomicLong records;
    private final String noMemory;
    private final String givenUp;

    /**
     * A change and who waits for it: parked, since a monitor that is notified while it is held
     * wakes its waiter twice. What the committer tells needs no memory: nobody waits for ever when
     * there is none.
     */
    private static final class Waiting<R> {
        private final Change<R> change;
        private final Thread caller = Thread.currentThread();
        private @Nullable R result; // null until told; written before that
        private @Nullable Fault fault; // null unless it failed; as the result
        private String message = "";
        private volatile boolean told;

        Waiting(Change<R> change) {
            this.change = change;
        }

        /** Its answer is made by the committer, but given out by {@link #await} only. */
        void succeed() {
            result = change.done();
            tell();
        }

        void fail(Fault why, String words) {
            if (!told) {
                fault = why;
                message = words;
                tell();
            }
        }

        private void tell() {
            told = true;
            LockSupport.unpark(caller);
        }

        R await() throws AppendLogException {
            boolean interrupted = false;
            while (!told) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted(); // it will be on disk or not, whatever we do
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (fault != null) {
                throw new AppendLogException(fault, message);
            }
            if (result == null) {
                throw new IllegalStateException("a change without an answer");
            }
            return result;
        }
    }

    /** Records of a batch, as they are written; the last one can be taken back. */
    private static final class Frames extends ByteArrayOutputStream {
        void add(byte[] payload) {
            number(payload.length);
            writeBytes(payload);
            number(payload.length);
        }

        private void number(int value) {
            for (int shift = Integer.SIZE - 8; shift >= 0; shift -= 8) {
                write(value >>> shift);
            }
        }

        void cut(int bytes) {
            count = bytes;
        }
    }

    Committer(AppendFile file, AppendLayout layout, long records) {
        this.file = file;
        this.layout = layout;
        this.records = new AtomicLong(records);
        String name = layout.name() + " '" + file.path() + "'";
        this.noMemory = name + " could not take it: there was no memory left";
        this.givenUp = name + " was given up";
        this.thread = new Thread(this::run, "append to " + layout.name());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** On disk. */
    long records() {
        return records.get();
    }

    <R> R commit(Change<R> change) throws AppendLogException {
        Waiting<R> waiting = new Waiting<>(change);
        synchronized (lock) {
            boolean interrupted = false;
            while (queue.size() >= WAITING_MAX && !closed && !ended) {
                wantRoom++;
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                wantRoom--;
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (ended && !closed) {
                file.verify(); // it was given up, and this says why
            }
            if (closed || ended) {
                throw file.place().exception(Fault.CLOSED, "is closed");
            }
            queue.add(waiting);
            if (idle) {
                lock.notifyAll();
            }
        }
        return waiting.await();
    }

    private void run() {
        boolean orderly = false;
        try {
            while (takeFirst()) {
                commit();
                taken.clear();
            }
            orderly = true;
        } finally {
            // A bug in a change: nobody knows what memory holds now, so nothing may be done with
            // it.
            if (!orderly) {
                file.poison("was given up after a bug of this program");
            }
            synchronized (lock) {
                ended = true;
                Fault fault = orderly ? Fault.CLOSED : Fault.POISONED;
                failAll(taken, fault, givenUp);
                failAll(next, fault);
                failAll(queue, fault);
                lock.notifyAll();
            }
        }
    }

    private void failAll(ArrayDeque<Waiting<?>> all, Fault fault) {
        for (Waiting<?> one = all.poll(); one != null; one = all.poll()) {
            one.fail(fault, givenUp);
        }
    }

    /** Waits for one; false when it is closed and none is left. */
    private boolean takeFirst() {
        if (takeNext()) {
            return true;
        }
        synchronized (lock) {
            while (queue.isEmpty() && !closed) {
                idle = true;
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    // Nobody has a reason to: only closing ends this thread.
                }
                idle = false;
            }
        }
        return takeNext();
    }

    /** Takes over all that wait at once: the lock is asked for as seldom as can be. */
    private boolean takeNext() {
        if (next.isEmpty()) {
            synchronized (lock) {
                ArrayDeque<Waiting<?>> empty = next;
                next = queue;
                queue = empty;
                if (wantRoom > 0) {
                    lock.notifyAll();
                }
            }
        }
        Waiting<?> first = next.poll();
        if (first == null) {
            return false;
        }
        taken.add(first);
        return true;
    }

    /** Makes what was taken and what comes meanwhile, and has it on disk once. */
    private void commit() {
        made.clear();
        written = 0;
        Frames frames;
        try {
            file.verify();
            frames = new Frames();
        } catch (AppendLogException e) {
            failAll(taken, e.fault(), e.getMessage());
            return;
        } catch (OutOfMemoryError e) {
            failAll(taken, Fault.SYSTEM, noMemory);
            return;
        }
        int at = 0;
        do {
            make(taken.get(at++), frames);
        } while (frames.size() < BATCH_BYTES && at < BATCH_CHANGES && takeNext());
        if (written > 0 && !write(frames)) {
            return;
        }
        records.addAndGet(written);
        publish();
    }

    /** Makes one; if there is no memory for it, it was not made, and those before it stand. */
    private void make(Waiting<?> waiting, Frames frames) {
        int before = frames.size();
        try {
            Optional<byte[]> payload = waiting.change.make(records() + written + 1);
            if (payload.isPresent()) {
                Optional<String> complaint = complaint(payload.get().length, before, written);
                if (complaint.isPresent()) {
                    String why = layout.name() + " '" + file.path() + "' " + complaint.get();
                    waiting.change.undone(); // the last one made, so nothing rests on it yet
                    waiting.fail(Fault.FULL, why);
                    return;
                }
                frames.add(payload.get());
                written++;
            }
            made.add(waiting);
        } catch (OutOfMemoryError e) {
            frames.cut(before);
            waiting.change.undone();
            waiting.fail(Fault.SYSTEM, noMemory);
        }
    }

    /** Whether all that was made is on disk; else it was taken back, and told so. */
    private boolean write(Frames frames) {
        try {
            file.append(frames.toByteArray());
            return true;
        } catch (AppendLogException e) {
            takeBack(e.fault(), e.getMessage());
            return false;
        } catch (OutOfMemoryError e) {
            takeBack(file.isPoisoned() ? Fault.POISONED : Fault.SYSTEM, noMemory);
            return false;
        }
    }

    private void takeBack(Fault fault, String message) {
        for (int i = made.size() - 1; i >= 0; i--) {
            made.get(i).change.undone();
        }
        failAll(made, fault, message);
    }

    /**
     * Tells everybody. One that is on disk and cannot be shown must not be missing beside those
     * that rest on it: then nothing is shown any more, until the log is opened again.
     */
    private void publish() {
        for (int i = 0; i < made.size(); i++) {
            if (!publish(made.get(i))) {
                file.poison("could not be followed when there was no memory left");
                failAll(made, Fault.POISONED, noMemory);
                return;
            }
        }
    }

    private static boolean publish(Waiting<?> waiting) {
        int left = PUBLISH_TRIES; // what others held may be free at the next one
        while (left > 0) {
            try {
                waiting.succeed();
                return true;
            } catch (OutOfMemoryError e) {
                left--;
            }
        }
        return false;
    }

    private static void failAll(List<Waiting<?>> all, Fault fault, String message) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).fail(fault, message);
        }
    }

    /** Which bound one more record would break; empty when it fits. */
    private Optional<String> complaint(int length, int batchBytes, int batchRecords) {
        AppendLayout.Bounds bounds = layout.bounds();
        if (length < 1 || length > bounds.recordBytesMax()) {
            return Optional.of(
                    "takes no record of " + length + " bytes, at most " + bounds.recordBytesMax());
        }
        if (records() + batchRecords >= bounds.recordsMax()) {
            return Optional.of("is full: it has " + (records() + batchRecords)
                    + " records, and may have " + bounds.recordsMax());
        }
        long size = file.end() + batchBytes + length + AppendLayout.FRAME_BYTES;
        if (size > bounds.fileBytesMax()) {
            return Optional.of("is full: with one more record it would have " + size
                    + " bytes, and may have " + bounds.fileBytesMax());
        }
        return Optional.empty();
    }

    void close() {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
