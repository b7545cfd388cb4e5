package glove.host;

import glove.sys.BorrowedFd;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Threads that do what the server's own must not wait for. They know no connection, only its
 * number: they are given work and give back an immutable result, through a queue each. They are
 * made once, at the start, and no failure of a work ends one. No more is under way than there are
 * threads, so queues and results are bounded; the rest waits here.
 *
 * <p>Owns its threads and an eventfd. Everything public to the server is the server's, confined to
 * its thread.
 *
 * @param <T> what is made
 */
final class Workers<T> implements AutoCloseable {
    private static final long LAST_WAIT_MILLIS = 100;

    private final Linux linux;
    private final DaemonLog log;
    private final OwnedFd wake;
    private final List<Thread> threads = new ArrayList<>();
    private final SequencedMap<Long, Job<T>> waiting = new LinkedHashMap<>(); // the server's
    private final BlockingQueue<Job<T>> begun;
    private final BlockingQueue<Done<T>> done;
    private final AtomicBoolean told = new AtomicBoolean(); // the server will look, or does
    private final Map<Long, Long> underWay = new HashMap<>(); // the server's: since when

    /** Something to do, which may take long. */
    interface Work<T> {
        T make();
    }

    /**
     * What became of it. Immutable.
     *
     * @param connection number of the one it was for
     * @param result empty when the work failed
     */
    record Done<T>(long connection, Optional<T> result) {}

    /** Work for a connection. Confined to the thread that has it. */
    private static final class Job<T> {
        private final Work<T> work;
        private Done<T> outcome; // there from the start: a failure may leave no memory for it

        Job(long connection, Work<T> work) {
            this.work = work;
            this.outcome = new Done<>(connection, Optional.empty());
        }

        void carryOut() {
            outcome = new Done<>(outcome.connection, Optional.of(work.make()));
        }
    }

    private Workers(Linux linux, DaemonLog log, int count) throws ErrnoException {
        this.linux = linux;
        this.log = log;
        this.begun = new ArrayBlockingQueue<>(count);
        this.done = new ArrayBlockingQueue<>(count);
        this.wake = linux.eventfd();
    }

    /**
     * Makes them.
     *
     * @throws StartException when there cannot be so many threads
     */
    static <T> Workers<T> start(Linux linux, DaemonLog log, String name, int count)
            throws StartException {
        Workers<T> workers;
        try {
            workers = new Workers<>(linux, log, count);
        } catch (ErrnoException e) {
            throw StartException.failed("its threads cannot be told of work: " + e.getMessage());
        }
        boolean complete = false;
        try {
            for (int i = 1; i <= count; i++) {
                workers.threads.add(DaemonThread.start(name + "-" + i, workers::run));
            }
            complete = true;
            return workers;
        } finally {
            if (!complete) {
                workers.close();
            }
        }
    }

    /** Readable when something is done. */
    BorrowedFd wake() {
        return wake.borrow();
    }

    /** Does something for a connection, when its turn comes. */
    void begin(long connection, Work<T> work) {
        waiting.put(connection, new Job<>(connection, work));
        giveOut();
    }

    /** Forgets what no thread has begun for a connection; false when there is no such thing. */
    boolean forget(long connection) {
        return waiting.remove(connection) != null;
    }

    /** Whether something waits for a thread. */
    boolean isWaiting(long connection) {
        return waiting.containsKey(connection);
    }

    /** Since when a thread has it, of {@link System#nanoTime}; empty when none has. */
    OptionalLong begunNanos(long connection) {
        Long since = underWay.get(connection);
        return since == null ? OptionalLong.empty() : OptionalLong.of(since);
    }

    int count() {
        return threads.size();
    }

    private void giveOut() {
        while (underWay.size() < threads.size() && !waiting.isEmpty()) {
            Map.Entry<Long, Job<T>> next = waiting.pollFirstEntry();
            underWay.put(next.getKey(), System.nanoTime());
            begun.add(next.getValue());
        }
    }

    /** From here on what is done is told anew. Call it before {@link #takeDone}. */
    void takeWake() throws ErrnoException {
        linux.takeSignal(wake);
        told.set(false); // before looking: what is added from now on signals again
    }

    /** The next that is done; empty when no more is. */
    Optional<Done<T>> takeDone() {
        Done<T> next = done.poll();
        if (next == null) {
            return Optional.empty();
        }
        underWay.remove(next.connection);
        giveOut();
        return Optional.of(next);
    }

    /** A thread's life: it ends by an interrupt. */
    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Job<T> job = begun.take();
                // What is left here could not even be told: the thread is needed all the same.
                Isolated.run(() -> carryOut(job));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void carryOut(Job<T> job) {
        try {
            Isolated.run(job::carryOut).ifPresent(thrown -> log.fault("work", thrown));
        } finally {
            done.add(job.outcome); // there is room for all that are under way
            tell();
        }
    }

    private void tell() {
        if (told.getAndSet(true)) {
            return; // it has not begun to look
        }
        try {
            linux.signal(wake);
        } catch (ErrnoException e) {
            told.set(false); // so whoever is done next tells of this, too
            log.error("work_not_told", "why", Errno.words(e.errno()));
        }
    }

    /** Gives what is being done a last moment: the server has waited already. */
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        long end = System.nanoTime() + LAST_WAIT_MILLIS * 1_000_000;
        boolean ended = true;
        try {
            for (Thread thread : threads) {
                thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
                ended &= !thread.isAlive();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ended = false;
        }
        if (ended) {
            wake.close(); // otherwise somebody may still write to it
        }
    }
}
