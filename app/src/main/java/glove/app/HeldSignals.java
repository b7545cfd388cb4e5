package glove.app;

import glove.sandbox.Refusal;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Pipe;
import glove.sys.PollFd;

import java.util.List;
import java.util.OptionalInt;

/**
 * Ctrl-C, and what else would end this process, waits from now on: for something that must not stop
 * in its middle and is bounded in time. What follows, such as telling of it, is not: {@link #letGo}
 * comes before that. Owns a pipe until the process ends. Confined to one thread.
 */
final class HeldSignals {
    private static final int SIGHUP = 1;
    private static final int SIGINT = 2;
    private static final int SIGTERM = 15;
    private static final int STATUS_OF_SIGNALS = 128;
    private static final int TELL_MILLIS = 1000;
    private static final int FOREVER = -1;

    private final Linux linux;
    private final Pipe caught;
    private OptionalInt came = OptionalInt.empty();

    private HeldSignals(Linux linux, Pipe caught) {
        this.linux = linux;
        this.caught = caught;
    }

    /** Holds them. */
    static HeldSignals hold(Linux linux) throws Refusal {
        try {
            HeldSignals held = new HeldSignals(linux, linux.pipe());
            linux.catchSignals(held.caught.write(), SIGHUP, SIGINT, SIGTERM);
            return held;
        } catch (ErrnoException e) {
            throw new Refusal(1, "signals cannot be held: " + e.getMessage(), List.of());
        }
    }

    /**
     * From now on a signal ends this process again, also while nobody reads what it writes. One
     * that came before does so after a moment, in which what was done can be told.
     */
    void letGo() throws Refusal {
        try {
            boolean waits =
                    linux.poll(List.of(new PollFd(caught.read(), PollFd.POLLIN)), 0)[0] != 0;
            came = waits ? OptionalInt.of(linux.read(caught.read(), 1)[0]) : came;
        } catch (ErrnoException e) {
            throw new Refusal(1, "signals cannot be taken: " + e.getMessage(), List.of());
        }
        Thread.ofPlatform().daemon().name("signals").start(this::endBySignal);
    }

    private void endBySignal() {
        try {
            int wait = came.isPresent() ? TELL_MILLIS : FOREVER;
            List<PollFd> next = List.of(new PollFd(caught.read(), PollFd.POLLIN));
            boolean another = linux.poll(next, wait)[0] != 0;
            int signal = another ? linux.read(caught.read(), 1)[0] : came.orElse(SIGTERM);
            Glove.end(STATUS_OF_SIGNALS + signal);
        } catch (ErrnoException e) {
            Glove.end(1); // or no signal would end it any more
        }
    }

    /** What this process ends with: as the signal that came would have it, or else the status. */
    int statusAfter(int status) {
        return came.isPresent() ? STATUS_OF_SIGNALS + came.getAsInt() : status;
    }
}
