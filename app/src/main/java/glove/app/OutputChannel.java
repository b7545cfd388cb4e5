package glove.app;

import glove.sys.BorrowedFd;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Pipe;
import glove.sys.PollFd;
import glove.sys.TransferBuffer;
import glove.sys.UnixPath;

/**
 * One pipe from the agent to a stream of the caller. Nothing waits in it but what the caller has no
 * room for yet. Owns descriptors. Confined to the run's thread.
 */
final class OutputChannel implements AutoCloseable {
    private static final int LARGE_BYTES = 64 << 10;

    /** What poll(2) promises room for. */
    private static final int SMALL_BYTES = 4096;

    /** Reads in a row before signals and other attendants have their turn. */
    private static final int ROUNDS = 16;

    /** How long a reader that takes nothing may hold up the end. */
    private static final int STALLED_MILLIS = 5000;

    private final Linux linux;
    private final OutputBudget budget;
    private final Pipe pipe;
    private final Fd target;
    private final TransferBuffer waiting;
    private boolean ended;

    private OutputChannel(Linux linux, OutputBudget budget, Pipe pipe, Fd target, int bytes) {
        this.linux = linux;
        this.budget = budget;
        this.pipe = pipe;
        this.target = target;
        this.waiting = new TransferBuffer(linux, bytes);
    }

    /** To a standard stream of the caller, 1 or 2. */
    static OutputChannel to(Linux linux, OutputBudget budget, int number) throws ErrnoException {
        BorrowedFd stream = number == 1 ? BorrowedFd.STDOUT : BorrowedFd.STDERR;
        Pipe pipe = linux.pipe();
        try {
            linux.fcntl(pipe.read(), Linux.F_SETFL, OpenFlags.O_NONBLOCK);
            if (linux.fstat(stream).isRegularFile()) {
                return new OutputChannel(linux, budget, pipe, stream, LARGE_BYTES);
            }
            return again(linux, budget, pipe, number, stream);
        } catch (ErrnoException e) {
            pipe.close();
            throw e;
        }
    }

    /**
     * Opened once more, because a mode of the caller's descriptor would be others', too. Where it
     * cannot be opened by name (a socket, or a terminal after su) small writes have to do.
     */
    private static OutputChannel again(
            Linux linux, OutputBudget budget, Pipe pipe, int number, BorrowedFd stream) {
        int flags = OpenFlags.O_WRONLY | OpenFlags.O_NONBLOCK | OpenFlags.O_NOCTTY;
        try {
            OwnedFd own = linux.open(UnixPath.of("/proc/self/fd/" + number), flags, 0);
            return new OutputChannel(linux, budget, pipe, own, LARGE_BYTES);
        } catch (ErrnoException e) {
            return new OutputChannel(linux, budget, pipe, stream, SMALL_BYTES);
        }
    }

    /** Where the agent writes, lent until {@link #launched}. */
    Fd agents() {
        return pipe.write();
    }

    /** The agent has its end: ours would keep the pipe from ending. */
    void launched() {
        pipe.write().close();
    }

    /** What to wait for, exactly one thing; only when not {@link #isEnded}. */
    PollFd awaited() {
        return waiting.isEmpty()
                ? new PollFd(pipe.read(), PollFd.POLLIN)
                : new PollFd(target, PollFd.POLLOUT);
    }

    /** Whether nothing will come any more. */
    boolean isEnded() {
        return ended;
    }

    /** What was awaited has happened. */
    void attend() throws ErrnoException {
        drain();
        for (int i = 0; i < ROUNDS && waiting.isEmpty() && !ended; i++) {
            if (!fill()) {
                return;
            }
            drain();
        }
    }

    /** False when there is nothing to read now. */
    private boolean fill() throws ErrnoException {
        try {
            int count = waiting.fill(pipe.read());
            ended = count == 0;
            waiting.cutTo(budget.allow(count));
            return true;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EAGAIN) {
                return false;
            }
            throw e;
        }
    }

    private void drain() throws ErrnoException {
        if (waiting.isEmpty()) {
            return;
        }
        try {
            waiting.drain(target);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EPIPE || e.errno() == Errno.EIO) {
                // Nobody reads any more: the agent is to see that as if it wrote there itself.
                waiting.clear();
                ended = true;
                pipe.read().close();
            } else if (e.errno() != Errno.EAGAIN) {
                throw e;
            }
        }
    }

    /** Passes on what the agent has left, as long as it is taken. */
    void finish() throws ErrnoException {
        while (!ended || !waiting.isEmpty()) {
            if (waiting.isEmpty() && !fill()) {
                return; // somebody else has the writing end; what it writes is not the agent's
            }
            if (!waiting.isEmpty() && !linux.awaitRoom(target, STALLED_MILLIS)) {
                return;
            }
            drain();
        }
    }

    @Override
    public void close() {
        pipe.close();
        if (target instanceof OwnedFd owned) {
            owned.close();
        }
    }
}
