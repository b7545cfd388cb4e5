package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.PollFd;

import java.util.ArrayList;
import java.util.List;

/**
 * Ends several programs together within two seconds: each reads the end of its standard input, then
 * gets SIGTERM as a whole tree, then is killed. Confined to the thread that launched them.
 */
public final class OrderlyEnd {
    /** For those that end when their input does, as a stdio server should. */
    static final long INPUT_END_MILLIS = 300;

    /** For those that clean up on SIGTERM. */
    static final long SIGTERM_MILLIS = 1000;

    private final Linux linux;
    private final List<RunningProgram> left;

    private OrderlyEnd(Linux linux, List<RunningProgram> programs) {
        this.linux = linux;
        this.left = new ArrayList<>(programs);
    }

    /**
     * Waits until all have ended; some may have before. Then all are closed.
     *
     * @param programs closed when this returns
     */
    public static void of(Linux linux, List<RunningProgram> programs) {
        of(linux, programs, INPUT_END_MILLIS, SIGTERM_MILLIS);
    }

    /** The same in other times. */
    static void of(Linux linux, List<RunningProgram> programs, long inputEnd, long sigterm) {
        OrderlyEnd end = new OrderlyEnd(linux, programs);
        for (RunningProgram program : programs) {
            program.stdin().close();
        }
        end.await(inputEnd);
        for (RunningProgram program : end.left) {
            program.terminate();
        }
        end.await(sigterm);
        // All at once, so that the waits of close overlap.
        for (RunningProgram program : end.left) {
            program.kill();
        }
        for (RunningProgram program : programs) {
            program.close();
        }
    }

    private void await(long millis) {
        long deadline = System.nanoTime() + millis * 1_000_000;
        removeEnded();
        while (!left.isEmpty()) {
            long patience = (deadline - System.nanoTime()) / 1_000_000;
            if (patience <= 0 || !poll(patience)) {
                return;
            }
            removeEnded();
        }
    }

    /** False when waiting fails: then they are killed without more patience. */
    private boolean poll(long millis) {
        List<PollFd> statuses = new ArrayList<>();
        for (RunningProgram program : left) {
            statuses.add(program.statusToRead());
        }
        try {
            linux.poll(statuses, millis);
            return true;
        } catch (ErrnoException e) {
            return e.errno() == Errno.EINTR;
        }
    }

    private void removeEnded() {
        for (int i = left.size() - 1; i >= 0; i--) {
            if (hasEnded(left.get(i))) {
                left.remove(i);
            }
        }
    }

    private static boolean hasEnded(RunningProgram program) {
        try {
            return program.nextExit().isPresent();
        } catch (LaunchException e) {
            return true; // it never ran, or somebody else killed it
        }
    }
}
