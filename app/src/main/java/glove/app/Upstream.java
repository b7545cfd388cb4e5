package glove.app;

import glove.gateway.Channel;
import glove.gateway.Gateway;
import glove.gateway.GatewayOwner;
import glove.journal.AuditException;
import glove.sandbox.Exit;
import glove.sandbox.LaunchException;
import glove.sandbox.Refusal;
import glove.sandbox.RunningProgram;
import glove.sys.ErrnoException;
import glove.sys.PollFd;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One upstream through its lives: launched, connected, ended, launched again when the gateway says
 * so. Owns its program. Confined to the run's thread.
 */
final class Upstream implements AutoCloseable {
    /** What it said last, told when it fails. */
    private static final int LAST_LINES = 5;

    /** For the status of one that has closed its output; then it is killed. */
    private static final long ENDING_NANOS = 5_000_000_000L;

    private static final long MILLI = 1_000_000;

    /** Where it stands. */
    private enum State {
        /** Not running; may be due to start. */
        DOWN,
        /** Its channel is the gateway's. */
        CONNECTED,
        /** The gateway has let go of it, its processes may not have ended. */
        ENDING
    }

    private final UpstreamOptions options;
    private final UpstreamProgram program;
    private final Notices notices;
    private final boolean verbose;
    private final ArrayDeque<String> lastLines = new ArrayDeque<>();
    private State state = State.DOWN;
    private @Nullable RunningProgram running; // null when DOWN
    private Optional<Exit> exit = Optional.empty();
    private String reason = "";
    private long waitMillis = GatewayOwner.NEVER;
    private long due; // when ENDING to be killed, when DOWN to start, if waitMillis says so
    private boolean ready;
    private boolean failed;

    /** Owns the program. */
    Upstream(UpstreamOptions options, UpstreamProgram program, Notices notices, boolean verbose) {
        this.options = options;
        this.program = program;
        this.notices = notices;
        this.verbose = verbose;
    }

    String name() {
        return options.name;
    }

    /** How it was asked for. */
    UpstreamOptions options() {
        return options;
    }

    /** Whether it has answered; it may have ended since. */
    boolean isReady() {
        return ready;
    }

    /** Whether it has failed, and why if so. */
    Optional<String> failure() {
        return failed ? Optional.of(reason) : Optional.empty();
    }

    void setReady() {
        ready = true;
    }

    /** Launches it, recorded before, and hands its channel to the gateway, or says why not. */
    void start(Gateway gateway, UpstreamProgram.Launching launching)
            throws AuditException, ErrnoException {
        launching.records().launching(options);
        lastLines.clear();
        exit = Optional.empty();
        waitMillis = GatewayOwner.NEVER;
        try {
            RunningProgram launched = program.launch(launching);
            running = launched;
            state = State.CONNECTED;
            gateway.connect(
                    options.name,
                    Channel.of(launched.stdout(), launched.stdin(), launched.stderr()));
        } catch (Refusal e) {
            gateway.failed(options.name, e.getMessage());
        } catch (LaunchException e) {
            gateway.failed(options.name, String.valueOf(e.getMessage()));
        }
    }

    /** A line of its standard error. */
    void said(String line) {
        if (verbose) {
            notices.say(options.name + ": " + line);
            return;
        }
        if (lastLines.size() == LAST_LINES) {
            lastLines.removeFirst();
        }
        lastLines.addLast(line);
    }

    /** The gateway has let go of it; nothing may be asked of the gateway here. */
    void lost(String why, long wait) {
        reason = why;
        waitMillis = wait;
        failed = true;
        due = System.nanoTime() + ENDING_NANOS;
        if (running == null) {
            tell();
            settle();
        } else {
            state = State.ENDING;
        }
    }

    private void tell() {
        StringBuilder out = new StringBuilder(options.subject()).append(" failed: ");
        // What comes from launching names it already.
        String start = options.subject() + ": ";
        out.append(reason.startsWith(start) ? reason.substring(start.length()) : reason);
        if (exit.isPresent()) {
            Exit how = exit.get();
            out.append(
                    how instanceof Exit.Signaled signaled
                            ? " (it was ended by signal " + signaled.signal() + ")"
                            : " (it ended with " + how.shellStatus() + ")");
        }
        out.append(
                waitMillis == GatewayOwner.NEVER
                        ? "; it is not started again"
                        : "; it is started again in " + waitMillis + " ms");
        notices.say(out.toString());
        for (String line : lastLines) {
            notices.say(options.name + ": " + line);
        }
        lastLines.clear();
    }

    private void settle() {
        state = State.DOWN;
        due = System.nanoTime() + waitMillis * MILLI;
    }

    /** What to wait for in the coming turn. */
    List<PollFd> awaited() {
        List<PollFd> all = new ArrayList<>();
        if (running != null && exit.isEmpty()) {
            all.add(running.statusToRead());
        }
        for (Attendant attendant : program.attendants()) {
            all.addAll(attendant.awaited());
        }
        return all;
    }

    /** Milliseconds until it wants a turn, at most so many; negative for no moment. */
    long patience() {
        long earliest = Attendant.UNLIMITED;
        if (state == State.ENDING || (state == State.DOWN && waitMillis >= 0)) {
            long left = due - System.nanoTime();
            earliest = left <= 0 ? 0 : (left + MILLI - 1) / MILLI;
        }
        for (Attendant attendant : program.attendants()) {
            earliest = earlier(earliest, attendant.patience());
        }
        return earliest;
    }

    /** The earlier of two patiences. */
    static long earlier(long one, long other) {
        return other >= 0 && (one < 0 || other < one) ? other : one;
    }

    /** Looks what became of its processes, before the gateway has its turn. */
    void look(Gateway gateway, int[] happened, int from) throws ErrnoException {
        boolean isAwaited = running != null && exit.isEmpty();
        boolean hasNews = isAwaited && happened[from] != 0;
        int at = from + (isAwaited ? 1 : 0);
        for (Attendant attendant : program.attendants()) {
            int count = attendant.awaited().size();
            attendant.attend(happened, at);
            at += count;
        }
        RunningProgram now = running;
        if (now == null || !hasNews) {
            return;
        }
        try {
            exit = now.nextExit();
        } catch (LaunchException e) {
            if (state == State.CONNECTED) {
                gateway.failed(options.name, String.valueOf(e.getMessage()));
            } else {
                reason = String.valueOf(e.getMessage()); // truer than that its output closed
            }
            end();
        }
    }

    /** Does what is due, after the gateway's turn. Whether the gateway has something to do now. */
    boolean step(Gateway gateway, UpstreamProgram.Launching launching)
            throws AuditException, ErrnoException {
        boolean late = due - System.nanoTime() <= 0;
        if (state == State.ENDING && (exit.isPresent() || late)) {
            end();
            return false;
        }
        if (state == State.DOWN && waitMillis >= 0 && late) {
            start(gateway, launching);
            return true;
        }
        return false;
    }

    /** Its processes have ended, or do so now. */
    private void end() {
        RunningProgram ended = running;
        running = null;
        tell();
        if (ended != null) {
            ended.close();
        }
        program.close();
        settle();
    }

    /** The run is over: whoever takes it ends it. */
    Optional<RunningProgram> take() {
        Optional<RunningProgram> taken = Optional.ofNullable(running);
        running = null;
        state = State.DOWN;
        waitMillis = GatewayOwner.NEVER;
        return taken;
    }

    @Override
    public void close() {
        if (running != null) {
            running.close();
            running = null;
        }
        program.close();
    }
}
