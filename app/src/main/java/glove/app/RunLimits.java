package glove.app;

import glove.sandbox.Amounts;
import glove.sandbox.Limit;
import glove.sandbox.Limits;
import glove.sandbox.Meter;
import glove.sandbox.Metering;
import glove.sandbox.Scratch;
import glove.sandbox.StandardStreams;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The limits of one run with what holds each. Owns the meter and the relay of output. Confined to
 * the run's thread.
 */
final class RunLimits implements AutoCloseable {
    private static final byte[] RUNTIME_DIRECTORY =
            "XDG_RUNTIME_DIR".getBytes(StandardCharsets.US_ASCII);

    private final Linux linux;
    private final Limits limits;
    private final Metering metering;
    private final OutputBudget budget;

    /** The limit of processes nobody asked for. */
    private final String pids;

    /** Null until the run's streams are known, and when nothing counts output. */
    private @Nullable OutputRelay relay;

    private RunLimits(Linux linux, Limits limits, Metering metering) throws ErrnoException {
        this.linux = linux;
        this.limits = limits;
        this.metering = metering;
        this.budget = new OutputBudget(limits.outputBytes());
        this.pids = Metering.kernelCountsProcesses(linux)
                ? "pids 4096 by RLIMIT_NPROC"
                : "pids without a limit (none binds the user 0: --pids, or run as another user)";
    }

    /** Makes ready what holds them; may move this process to another control group. */
    static RunLimits open(Linux linux, Invocation invocation, ExecOptions options)
            throws ErrnoException {
        Limits limits = options.limits.limits();
        UnixPath runtime = UnixPath.of(invocation.variable(RUNTIME_DIRECTORY).orElse(new byte[0]));
        return new RunLimits(linux, limits, Metering.of(linux, limits, runtime));
    }

    /** One line for {@code --verbose}: each limit and its mechanism. */
    String summary(Scratch scratch) {
        StringBuilder out = new StringBuilder("limits:");
        if (limits.memoryBytes() != Limits.NONE) {
            metered(out, "memory " + Amounts.size(limits.memoryBytes()), Limit.MEMORY);
        }
        if (limits.cpuMillis() != Limits.NONE) {
            metered(out, "cpu-time " + Amounts.time(limits.cpuMillis()), Limit.CPU_TIME);
        }
        if (limits.processes() != Limits.NONE) {
            metered(out, "pids " + limits.processes(), Limit.PROCESSES);
        } else {
            add(out, pids);
        }
        if (limits.wallMillis() != Limits.NONE) {
            add(out, "wall " + Amounts.time(limits.wallMillis()) + " by a timer");
        }
        if (budget.counts()) {
            add(out, "output " + Amounts.size(limits.outputBytes()) + " by counting");
        }
        add(out, "scratch " + Amounts.size(scratch.bytes()) + " by the size of a tmpfs");
        if (!metering.fallback().isEmpty()) {
            out.append(" (no cgroup: ").append(metering.fallback()).append(')');
        }
        return out.toString();
    }

    private void metered(StringBuilder out, String what, Limit limit) {
        Optional<Meter> meter = metering.meter();
        if (meter.isPresent()) {
            add(out, what + " by " + meter.get().mechanism(limit));
        }
    }

    private static void add(StringBuilder out, String what) {
        out.append(out.charAt(out.length() - 1) == ':' ? " " : ", ").append(what);
    }

    /** Says so when what should have held a limit failed. */
    void warn(Notices notices) {
        if (metering.failed()) {
            notices.say("limits are held by watching only: " + metering.fallback());
        }
    }

    OutputBudget budget() {
        return budget;
    }

    Optional<Meter> meter() {
        return metering.meter();
    }

    /** The streams to give to the agent in place of these. */
    StandardStreams relay(StandardStreams callers, boolean terminal) throws ErrnoException {
        if (!budget.counts()) {
            return callers;
        }
        OutputRelay made = new OutputRelay(linux, budget, callers, terminal);
        relay = made;
        return made.streams();
    }

    /** The agent has been released. */
    void attend(RunLoop loop) throws ErrnoException {
        if (limits.wallMillis() != Limits.NONE || metering.meter().isPresent()) {
            loop.add(new LimitWatch(loop, limits, metering.meter()));
        }
        if (relay != null) {
            relay.begin(loop);
            loop.add(relay);
        }
    }

    @Override
    public void close() {
        if (relay != null) {
            relay.close();
        }
        if (metering.meter().isPresent()) {
            metering.meter().get().close();
        }
    }
}
