package glove.host;

import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.Pipe;
import glove.sys.PollFd;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Sees to it that the daemon ends when it is told to, whatever hangs: it takes the signals, hands
 * them to the server, and when the process is still there after that, ends it. What was not
 * answered by then may not be done. Borrows its descriptors; a thread of its own.
 */
final class Ending implements AutoCloseable {
    private static final byte NO_SIGNAL = 0;
    private static final long LAST_WAIT_MILLIS = 100;
    private static final long PAUSE_NANOS = 10_000_000;

    private final Linux linux;
    private final Doors doors;
    private final Patience patience;
    private final Runnable byForce;
    private final Thread thread;

    /**
     * Borrowed.
     *
     * @param caught a byte for each signal comes from there
     * @param server where it goes
     */
    record Doors(Pipe caught, Fd server) {}

    /**
     * How long it may take.
     *
     * @param millis from the first signal
     * @param secondMillis from a second one, if that is sooner
     */
    record Patience(long millis, long secondMillis) {}

    /**
     * Waits for signals from now on.
     *
     * @param byForce ends the process
     */
    Ending(Linux linux, Doors doors, Patience patience, Runnable byForce) throws StartException {
        this.linux = linux;
        this.doors = doors;
        this.patience = patience;
        this.byForce = byForce;
        this.thread = DaemonThread.start("ending", this::run);
    }

    private void run() {
        try {
            if (!handOver()) {
                return;
            }
            long end = System.nanoTime() + patience.millis * 1_000_000;
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                if (comes(left / 1_000_000 + 1)) {
                    if (!handOver()) {
                        return;
                    }
                    end = Math.min(end, System.nanoTime() + patience.secondMillis * 1_000_000);
                }
            }
        } catch (ErrnoException e) {
            // A pipe of this process that fails: nobody would end it any more.
            byForce.run();
            return;
        }
        byForce.run();
    }

    /** False when there is nothing to end any more. */
    private boolean handOver() throws ErrnoException {
        byte[] signal = linux.read(doors.caught.read(), 1);
        if (signal.length == 0 || signal[0] == NO_SIGNAL) {
            return false;
        }
        linux.write(doors.server, signal);
        return true;
    }

    private boolean comes(long millis) {
        try {
            return linux.poll(List.of(new PollFd(doors.caught.read(), PollFd.POLLIN)), millis)[0]
                    != 0;
        } catch (ErrnoException e) {
            LockSupport.parkNanos(PAUSE_NANOS); // no memory for a moment, mostly
            return false; // there is time left to try again
        }
    }

    /** All has ended. A thread in the kernel would make the JVM's exit wait for it. */
    @Override
    public void close() {
        try {
            linux.write(doors.caught.write(), new byte[] {NO_SIGNAL});
            thread.join(LAST_WAIT_MILLIS);
        } catch (ErrnoException e) {
            return; // the exit waits a moment, then
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
