package glove.app;

import glove.sandbox.Refusal;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Pipe;
import glove.sys.PollFd;

import java.util.List;

/**
 * Ctrl-C, and what else would end this process, waits from now on: for something that must not stop
 * in its middle, is bounded in time, and is the last this process does. Owns a pipe until the
 * process ends. Confined to one thread.
 */
final class HeldSignals {
    private static final int SIGHUP = 1;
    private static final int SIGINT = 2;
    private static final int SIGTERM = 15;
    private static final int STATUS_OF_SIGNALS = 128;

    private final Linux linux;
    private final Pipe caught;

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

    /** What this process ends with: as the signal that came would have it, or else the status. */
    int statusAfter(int status) throws Refusal {
        try {
            boolean came = linux.poll(List.of(new PollFd(caught.read(), PollFd.POLLIN)), 0)[0] != 0;
            return came ? STATUS_OF_SIGNALS + linux.read(caught.read(), 1)[0] : status;
        } catch (ErrnoException e) {
            throw new Refusal(1, "signals cannot be taken: " + e.getMessage(), List.of());
        }
    }
}
