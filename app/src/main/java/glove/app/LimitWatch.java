package glove.app;

import glove.sandbox.Amounts;
import glove.sandbox.Exit;
import glove.sandbox.Limit;
import glove.sandbox.LimitHit;
import glove.sandbox.Limits;
import glove.sandbox.Meter;
import glove.sys.ErrnoException;
import glove.sys.PollFd;

import java.util.List;
import java.util.Optional;

/**
 * Ends a run that reaches a limit. A run whose wall time is over is asked to end first (SIGTERM),
 * and killed {@value #GRACE_MILLIS} ms later; every other limit kills at once, because what is over
 * it may use more meanwhile. Confined to the run's thread.
 */
final class LimitWatch implements Attendant {
    static final int GRACE_MILLIS = 2000;

    private static final long NANOS = 1_000_000;

    /** More than any run takes, and far from overflow. */
    private static final long WALL_MILLIS_MAX = 1L << 40;

    private final RunLoop loop;
    private final Limits limits;
    private final Optional<Meter> meter;
    private final boolean timed;
    private boolean ending;
    private long wallDeadline;
    private long checkAt;

    /** Begins to watch an agent that is released now; borrows the meter. */
    LimitWatch(RunLoop loop, Limits limits, Optional<Meter> meter) throws ErrnoException {
        this.loop = loop;
        this.limits = limits;
        this.meter = meter;
        this.timed = limits.wallMillis() != Limits.NONE;
        long now = System.nanoTime();
        this.wallDeadline = now + Math.min(limits.wallMillis(), WALL_MILLIS_MAX) * NANOS;
        if (meter.isPresent()) {
            meter.get().released();
            checkAt = now + meter.get().checkAgainMillis() * NANOS;
        }
    }

    @Override
    public List<PollFd> awaited() {
        return meter.isPresent() ? meter.get().watched() : List.of();
    }

    @Override
    public long patience() {
        long now = System.nanoTime();
        long millis = timed ? left(wallDeadline, now) : UNLIMITED;
        if (meter.isPresent()) {
            long check = left(checkAt, now);
            millis = millis < 0 ? check : Math.min(millis, check);
        }
        return millis;
    }

    /** Rounded up: a wait that is too short would be repeated at once. */
    private static long left(long deadline, long now) {
        return Math.max(0, (deadline - now + NANOS - 1) / NANOS);
    }

    @Override
    public void attend(int[] happened, int from) throws ErrnoException {
        long now = System.nanoTime();
        if (meter.isPresent() && (now - checkAt >= 0 || isChanged(happened, from))) {
            end(meter.get().check());
            checkAt = System.nanoTime() + meter.get().checkAgainMillis() * NANOS;
        }
        if (timed && now - wallDeadline >= 0) {
            wallIsOver(now);
        }
    }

    private boolean isChanged(int[] happened, int from) {
        int count = meter.isPresent() ? meter.get().watched().size() : 0;
        for (int i = 0; i < count; i++) {
            if (happened[from + i] != 0) {
                return true;
            }
        }
        return false;
    }

    private void wallIsOver(long now) {
        if (ending) {
            end(wallHit());
            return;
        }
        ending = true;
        wallDeadline = now + GRACE_MILLIS * NANOS;
        loop.sandbox().signal(SignalRelay.SIGTERM);
    }

    private Optional<LimitHit> wallHit() {
        return Optional.of(new LimitHit(
                Limit.WALL, "a timer", "it ran longer than " + Amounts.time(limits.wallMillis())));
    }

    private void end(Optional<LimitHit> hit) {
        if (hit.isPresent()) {
            loop.end(new Verdict(hit.get().limit().exitStatus(), hit.get().sentence()));
        }
    }

    /** Also a limit whose reaching ended the run before it was seen. */
    @Override
    public void ended(Exit exit) throws ErrnoException {
        if (ending) {
            end(wallHit());
        }
        if (meter.isPresent()) {
            end(meter.get().checkEnd());
        }
    }
}
