package glove.app;

import glove.sandbox.Exit;
import glove.sandbox.StandardStreams;
import glove.sys.BorrowedFd;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.PollFd;
import glove.sys.Stat;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Stands between the agent and the caller's standard output and standard error when what is written
 * there is counted, and ends the run when it is too much. Streams that are one to the caller stay
 * one, so that their order is kept. Owns descriptors. Confined to the run's thread.
 */
final class OutputRelay implements Attendant, AutoCloseable {
    private final OutputBudget budget;
    private final List<OutputChannel> channels = new ArrayList<>();
    private final List<OutputChannel> awaited = new ArrayList<>();
    private final StandardStreams streams;

    /** Null until the run has begun, and this its first turn. */
    private @Nullable RunLoop loop;

    /**
     * In place of the caller's streams.
     *
     * @param terminal whether the agent has a terminal of its own, which counts by itself: then
     *     only a standard error that is no part of it is relayed
     */
    OutputRelay(Linux linux, OutputBudget budget, StandardStreams callers, boolean terminal)
            throws ErrnoException {
        this.budget = budget;
        try {
            boolean one = isOne(linux);
            if (terminal && !one) {
                channels.add(OutputChannel.to(linux, budget, 2));
                streams = new StandardStreams(
                        callers.stdin(), callers.stdout(), channels.get(0).agents());
            } else if (terminal) {
                streams = callers;
            } else {
                channels.add(OutputChannel.to(linux, budget, 1));
                if (!one) {
                    channels.add(OutputChannel.to(linux, budget, 2));
                }
                streams = new StandardStreams(
                        callers.stdin(),
                        channels.get(0).agents(),
                        channels.get(channels.size() - 1).agents());
            }
        } catch (ErrnoException e) {
            close();
            throw e;
        }
    }

    private static boolean isOne(Linux linux) throws ErrnoException {
        Stat output = linux.fstat(BorrowedFd.STDOUT);
        Stat error = linux.fstat(BorrowedFd.STDERR);
        return output.dev() == error.dev() && output.ino() == error.ino();
    }

    /** For the agent, lent for the launch. */
    StandardStreams streams() {
        return streams;
    }

    /** The agent has its streams; begins to relay. */
    void begin(RunLoop running) {
        loop = running;
        for (OutputChannel channel : channels) {
            channel.launched();
        }
    }

    @Override
    public List<PollFd> awaited() {
        List<PollFd> fds = new ArrayList<>();
        awaited.clear();
        for (OutputChannel channel : channels) {
            if (!channel.isEnded()) {
                awaited.add(channel);
                fds.add(channel.awaited());
            }
        }
        return fds;
    }

    @Override
    public long patience() {
        return UNLIMITED;
    }

    @Override
    public void attend(int[] happened, int from) throws ErrnoException {
        for (int i = 0; i < awaited.size(); i++) {
            if (happened[from + i] != 0) {
                awaited.get(i).attend();
            }
        }
        judge();
    }

    /** The terminal counts into the same budget, so this is asked after every turn. */
    private void judge() {
        if (loop != null && budget.isExceeded()) {
            loop.end(budget.verdict());
        }
    }

    @Override
    public void ended(Exit exit) throws ErrnoException {
        for (OutputChannel channel : channels) {
            channel.finish();
        }
        judge();
    }

    @Override
    public void close() {
        for (OutputChannel channel : channels) {
            channel.close();
        }
    }
}
