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
 * everybody. While it syncs, others queue up; that is all the grouping there is.
 *
 * <p>Thread-safe.
 */
final class Committer {
    /** Changes that may wait; who comes then waits for room. */
    private static final int WAITING_MAX = 4096;

    /** A batch takes no more changes when it has so many bytes. */
    private static final int BATCH_BYTES = 4 << 20;

    private static final int BATCH_CHANGES = 1024;

    private final AppendFile file;
    private final AppendLayout layout;
    private final Thread thread;
    private final Object lock = new Object();
    private final ArrayDeque<Waiting<?>> queue = new ArrayDeque<>(); // guarded by lock
    private final ArrayDeque<Waiting<?>> next = new ArrayDeque<>(); // taken over; the thread's own
    private boolean idle; // the thread waits for something to do; guarded by lock
    private int wantRoom; // callers that wait for the queue to be shorter; guarded by lock
    private boolean closed; // guarded by lock
    private boolean ended; // nobody takes from the queue any more; guarded by lock
    private final AtomicLong records;

    /**
     * A change and who waits for it: parked, since a monitor that is notified while it is held
     * wakes its waiter twice.
     */
    private static final class Waiting<R> {
        private final Change<R> change;
        private final Thread caller = Thread.currentThread();
        private @Nullable R result; // null until told; written before that
        private @Nullable AppendLogException failure; // null unless it failed; as the result
        private volatile boolean told;

        Waiting(Change<R> change) {
            this.change = change;
        }

        /** Its answer is made by the committer, but given out by {@link #await} only. */
        void succeed() {
            result = change.done();
            tell();
        }

        void fail(Fault fault, String message) {
            if (!told) {
                failure = new AppendLogException(fault, message);
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
            if (failure != null) {
                throw failure;
            }
            if (result == null) {
                throw new IllegalStateException("a change without an answer");
            }
            return result;
        }
    }

    Committer(AppendFile file, AppendLayout layout, long records) {
        this.file = file;
        this.layout = layout;
        this.records = new AtomicLong(records);
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
        List<Waiting<?>> taken = new ArrayList<>();
        try {
            while (takeFirst(taken)) {
                commit(taken);
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
                taken.addAll(next);
                taken.addAll(queue);
                queue.clear();
                lock.notifyAll();
            }
            Fault fault = orderly ? Fault.CLOSED : Fault.POISONED;
            for (Waiting<?> waiting : taken) {
                waiting.fail(fault, layout.name() + " '" + file.path() + "' was given up");
            }
        }
    }

    /** Waits for one; false when it is closed and none is left. */
    private boolean takeFirst(List<Waiting<?>> taken) {
        if (takeNext(taken)) {
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
        return takeNext(taken);
    }

    /** Takes over all that wait at once: the lock is asked for as seldom as can be. */
    private boolean takeNext(List<Waiting<?>> taken) {
        if (next.isEmpty()) {
            synchronized (lock) {
                next.addAll(queue);
                queue.clear();
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
    private void commit(List<Waiting<?>> taken) {
        try {
            file.verify();
        } catch (AppendLogException e) {
            failAll(taken, e);
            return;
        }
        List<Waiting<?>> made = new ArrayList<>();
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        int written = 0;
        int at = 0;
        do {
            Waiting<?> waiting = taken.get(at++);
            Optional<byte[]> payload = waiting.change.make(records() + written + 1);
            Optional<String> complaint = payload.isPresent()
                    ? complaint(payload.get().length, frames.size(), written)
                    : Optional.empty();
            if (complaint.isPresent()) {
                waiting.change.undone(); // the last one made, so nothing rests on it yet
                waiting.fail(
                        Fault.FULL, layout.name() + " '" + file.path() + "' " + complaint.get());
                continue;
            }
            if (payload.isPresent()) {
                frame(payload.get(), frames);
                written++;
            }
            made.add(waiting);
        } while (frames.size() < BATCH_BYTES && at < BATCH_CHANGES && takeNext(taken));
        if (written > 0) {
            try {
                file.append(frames.toByteArray());
            } catch (AppendLogException e) {
                for (int i = made.size() - 1; i >= 0; i--) {
                    made.get(i).change.undone();
                }
                failAll(made, e);
                return;
            }
            records.addAndGet(written);
        }
        for (Waiting<?> waiting : made) {
            waiting.succeed();
        }
    }

    private static void failAll(List<Waiting<?>> all, AppendLogException e) {
        for (Waiting<?> waiting : all) {
            waiting.fail(e.fault(), e.getMessage());
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

    private static void frame(byte[] payload, ByteArrayOutputStream frames) {
        number(payload.length, frames);
        frames.writeBytes(payload);
        number(payload.length, frames);
    }

    private static void number(int value, ByteArrayOutputStream frames) {
        for (int shift = Integer.SIZE - 8; shift >= 0; shift -= 8) {
            frames.write(value >>> shift);
        }
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
