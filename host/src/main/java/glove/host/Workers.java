package glove.host;

import glove.sys.BorrowedFd;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that carry out what waits for disks. Each has one connection at a time, and gives it back
 * through a queue; the queue of work is no longer than there are connections. Owns its eventfd.
 * {@link #begin}, {@link #takeDone} and {@link #close} are the server's.
 */
final class Workers implements AutoCloseable {
    /** So many requests share one sync of the store. */
    private static final int THREADS = 16;

    private static final long IDLE_SECONDS = 10;
    private static final long LAST_WAIT_MILLIS = 100;

    private final Linux linux;
    private final OwnedFd wake;
    private final ThreadPoolExecutor threads;
    private final Queue<Connection> done = new ConcurrentLinkedQueue<>();
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicBoolean told = new AtomicBoolean(); // the server will look, or does

    /** Makes a response. */
    interface Work {
        byte[] response();
    }

    Workers(Linux linux, DaemonLog log) throws ErrnoException {
        this.linux = linux;
        this.wake = linux.eventfd();
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> thread(task, log));
        threads.allowCoreThreadTimeOut(true);
    }

    /** A bug costs the client its connection, and its owner reads where it is. */
    private Thread thread(Runnable task, DaemonLog log) {
        Thread thread = new Thread(task, "worker-" + started.incrementAndGet());
        thread.setUncaughtExceptionHandler((failed, thrown) -> {
            StackTraceElement[] trace = thrown.getStackTrace();
            String place = trace.length == 0 ? "" : trace[0].toString();
            log.error("fault", "what", thrown.toString(), "where", place);
        });
        return thread;
    }

    /** Readable when something is done. */
    BorrowedFd wake() {
        return wake.borrow();
    }

    /** Has a worker make the response of a connection, which is the worker's until then. */
    void begin(Connection connection, Work work, long sendNanos) {
        threads.execute(() -> {
            try {
                byte[] response = work.response();
                connection.respond(response, System.nanoTime() + sendNanos);
            } finally {
                giveBack(connection);
            }
        });
    }

    private void giveBack(Connection connection) {
        done.add(connection);
        if (told.getAndSet(true)) {
            return; // it has not begun to look
        }
        try {
            linux.signal(wake);
        } catch (ErrnoException e) {
            throw new IllegalStateException("an eventfd that cannot be written", e);
        }
    }

    /** Connections that are the server's again; still {@code WORKING} when there is no response. */
    List<Connection> takeDone() throws ErrnoException {
        linux.takeSignal(wake);
        told.set(false); // before looking: what is added from now on signals again
        List<Connection> all = new ArrayList<>();
        for (Connection next = done.poll(); next != null; next = done.poll()) {
            all.add(next);
        }
        return all;
    }

    /** Gives what is being done a last moment: the server has waited already. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (threads.awaitTermination(LAST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                wake.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
