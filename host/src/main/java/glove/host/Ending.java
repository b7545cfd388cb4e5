package glove.host;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.PollFd;

import java.util.List;

/**
 * Sees to it that the daemon ends when it is told to, whatever hangs: it takes the signals, hands
 * them to the server, and when the process is still there after that, ends it. What was not
 * answered by then may not be done. Borrows its descriptors; a thread of its own.
 */
final class Ending {
    private final Linux linux;
    private final Doors doors;
    private final Patience patience;
    private final Runnable byForce;

    /**
     * Borrowed.
     *
     * @param signals a byte for each signal comes from there
     * @param server and goes there
     */
    record Doors(Fd signals, Fd server) {}

    /**
     * How long it may take.
     *
     * @param millis from the first signal
     * @param secondMillis from a second one, if that is sooner
     */
    record Patience(long millis, long secondMillis) {}

    private Ending(Linux linux, Doors doors, Patience patience, Runnable byForce) {
        this.linux = linux;
        this.doors = doors;
        this.patience = patience;
        this.byForce = byForce;
    }

    /**
     * Waits for signals from now on.
     *
     * @param byForce ends the process
     */
    static void start(Linux linux, Doors doors, Patience patience, Runnable byForce)
            throws StartException {
        Ending ending = new Ending(linux, doors, patience, byForce);
        DaemonThread.start("ending", ending::run);
    }

    private void run() {
        try {
            handOver();
            long end = System.nanoTime() + patience.millis * 1_000_000;
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                if (comes(left / 1_000_000 + 1)) {
                    handOver();
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

    private void handOver() throws ErrnoException {
        linux.write(doors.server, linux.read(doors.signals, 1));
    }

    private boolean comes(long millis) throws ErrnoException {
        try {
            return linux.poll(List.of(new PollFd(doors.signals, PollFd.POLLIN)), millis)[0] != 0;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EINTR) {
                return false; // there is time left to try again
            }
            throw e;
        }
    }
}
