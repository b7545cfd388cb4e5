package glove.app;

import glove.gateway.Channel;
import glove.gateway.Gateway;
import glove.gateway.GatewayAuditException;
import glove.gateway.GatewayOwner;
import glove.journal.AuditException;
import glove.sandbox.Exit;
import glove.sandbox.OrderlyEnd;
import glove.sandbox.Refusal;
import glove.sandbox.RunningProgram;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The gateway of a run as one of its attendants: takes agents in, starts upstreams and ends them.
 * What cannot be recorded ends the run. Owns the gateway, the upstreams and the agent's listener.
 * Confined to the run's thread.
 */
final class GatewayWatch implements Attendant, GatewayOwner, RunEnd, AutoCloseable {
    private final Linux linux;
    private final Notices notices;
    private final boolean verbose;
    private final List<Upstream> upstreams = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();
    private Optional<Verdict> verdict = Optional.empty();
    private Optional<OwnedFd> listener = Optional.empty();
    private @Nullable Gateway gateway; // null until open
    private UpstreamProgram.@Nullable Launching launching; // null until open
    private @Nullable RunEnd run; // null until the agent runs

    /** Of nothing yet. */
    GatewayWatch(Linux linux, Notices notices, boolean verbose) {
        this.linux = linux;
        this.notices = notices;
        this.verbose = verbose;
    }

    /** Owns the upstream from here on. */
    void add(Upstream upstream) {
        upstreams.add(upstream);
    }

    /** Starts all upstreams at the same time; owns the gateway, which knows them all by name. */
    void open(Gateway opened, UpstreamProgram.Launching with)
            throws AuditException, ErrnoException {
        gateway = opened;
        launching = with;
        for (Upstream upstream : upstreams) {
            upstream.start(opened, with);
        }
        turn(opened);
    }

    private Gateway gateway() {
        if (gateway == null) {
            throw new IllegalStateException("asked before it was opened");
        }
        return gateway;
    }

    private UpstreamProgram.Launching launching() {
        if (launching == null) {
            throw new IllegalStateException("asked before it was opened");
        }
        return launching;
    }

    /**
     * Waits until all upstreams have answered.
     *
     * @param millis at most
     * @throws Refusal when one fails, or takes longer
     */
    void requireAll(long millis) throws Refusal, ErrnoException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (true) {
            refuseVerdict();
            Optional<Upstream> missing = missing();
            if (missing.isEmpty()) {
                return;
            }
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw required(missing.get(), "it did not answer within " + millis + " ms");
            }
            long patience = Upstream.earlier(patience(), left);
            attend(RunLoop.pause(linux, awaited(), patience), 0);
        }
    }

    /** The first that has not answered yet. */
    private Optional<Upstream> missing() throws Refusal {
        Optional<Upstream> missing = Optional.empty();
        for (Upstream upstream : upstreams) {
            Optional<String> failure = upstream.failure();
            if (failure.isPresent()) {
                throw required(upstream, failure.get());
            }
            if (!upstream.isReady() && missing.isEmpty()) {
                missing = Optional.of(upstream);
            }
        }
        return missing;
    }

    private static Refusal required(Upstream upstream, String why) {
        return new Refusal(
                ExecVerb.EXIT_CANNOT_LAUNCH,
                "upstream '" + upstream.name() + "' failed, and --require-all wants it: " + why,
                List.of("run its command alone, or leave out --require-all"));
    }

    private void refuseVerdict() throws Refusal {
        if (verdict.isPresent()) {
            throw new Refusal(verdict.get().exitStatus(), verdict.get().sentence(), List.of());
        }
    }

    /** An agent that has a channel of its own. */
    void serve(Channel channel) throws ErrnoException {
        gateway().addAgent(channel);
    }

    /**
     * The agent runs.
     *
     * @param listening where agents connect; owned from here on
     */
    void attend(RunLoop loop, Optional<OwnedFd> listening) {
        run = loop;
        listener = listening;
        if (verdict.isPresent()) {
            loop.end(verdict.get());
        }
        loop.add(this);
    }

    @Override
    public void end(Verdict reason) {
        if (run != null) {
            run.end(reason);
        } else if (verdict.isEmpty()) {
            verdict = Optional.of(reason);
        }
    }

    @Override
    public List<PollFd> awaited() {
        List<PollFd> awaited = new ArrayList<>();
        awaited.add(new PollFd(gateway().awaited(), PollFd.POLLIN));
        if (listener.isPresent()) {
            awaited.add(new PollFd(listener.get(), PollFd.POLLIN));
        }
        counts.clear();
        for (Upstream upstream : upstreams) {
            List<PollFd> its = upstream.awaited();
            counts.add(its.size());
            awaited.addAll(its);
        }
        return awaited;
    }

    @Override
    public long patience() {
        long earliest = gateway().patience();
        for (Upstream upstream : upstreams) {
            earliest = Upstream.earlier(earliest, upstream.patience());
        }
        return earliest;
    }

    @Override
    public void attend(int[] happened, int from) throws ErrnoException {
        Gateway served = gateway();
        int at = from + 1;
        if (listener.isPresent() && happened[at++] != 0) {
            accept(served, listener.get());
        }
        for (int i = 0; i < upstreams.size(); i++) {
            upstreams.get(i).look(served, happened, at);
            at += counts.get(i);
        }
        turn(served);
        boolean more = false;
        for (Upstream upstream : upstreams) {
            more |= step(served, upstream);
        }
        if (more) {
            turn(served);
        }
    }

    private boolean step(Gateway served, Upstream upstream) throws ErrnoException {
        try {
            return upstream.step(served, launching());
        } catch (AuditException e) {
            fail(e.getMessage());
            return false;
        }
    }

    /** One a turn: the rest is still there at the next. Those that are too many are closed. */
    private void accept(Gateway served, OwnedFd listening) throws ErrnoException {
        Optional<OwnedFd> accepted = linux.accept(listening);
        if (accepted.isPresent()) {
            Optional<Integer> number = served.addAgent(Channel.of(accepted.get()));
            if (number.isEmpty() && verbose) {
                notices.say("too many agents are connected: one was sent away");
            }
        }
    }

    private void turn(Gateway served) throws ErrnoException {
        try {
            served.turn();
        } catch (GatewayAuditException e) {
            fail(e.getMessage());
        }
    }

    private void fail(@Nullable String why) {
        end(new Verdict(
                ExecVerb.EXIT_CANNOT_LAUNCH,
                "the run was ended, because its tools could not be recorded: " + why));
    }

    private Optional<Upstream> find(String name) {
        for (Upstream upstream : upstreams) {
            if (upstream.name().equals(name)) {
                return Optional.of(upstream);
            }
        }
        return Optional.empty();
    }

    /** Whether an upstream has that name. */
    boolean knows(String name) {
        return find(name).isPresent();
    }

    /** An upstream has answered. */
    void ready(String name) {
        Optional<Upstream> upstream = find(name);
        if (upstream.isPresent()) {
            upstream.get().setReady();
        }
    }

    @Override
    public void report(String sentence) {
        notices.say(sentence);
    }

    @Override
    public void diagnostics(String name, String line) {
        Optional<Upstream> upstream = find(name);
        if (upstream.isPresent()) {
            upstream.get().said(line);
        }
    }

    @Override
    public void upstreamEnded(String name, String reason, long waitMillis) {
        Optional<Upstream> upstream = find(name);
        if (upstream.isPresent()) {
            upstream.get().lost(reason, waitMillis);
        }
    }

    @Override
    public void agentEnded(int agent, String reason) {
        if (verbose) {
            notices.say("agent " + agent + " left: " + reason);
        }
    }

    /** The agent's processes are gone; the upstreams go now, within two seconds. */
    @Override
    public void ended(Exit exit) {
        try {
            gateway().finish();
        } catch (GatewayAuditException e) {
            fail(e.getMessage());
        }
        endUpstreams();
        // Their ways out record their ends while there is something to record them in.
        for (Upstream upstream : upstreams) {
            upstream.close();
        }
    }

    private void endUpstreams() {
        List<RunningProgram> programs = new ArrayList<>();
        for (Upstream upstream : upstreams) {
            Optional<RunningProgram> program = upstream.take();
            if (program.isPresent()) {
                programs.add(program.get());
            }
        }
        OrderlyEnd.of(linux, programs);
    }

    @Override
    public void close() {
        if (gateway != null) {
            gateway.close();
        }
        endUpstreams();
        for (Upstream upstream : upstreams) {
            upstream.close();
        }
        if (listener.isPresent()) {
            listener.get().close();
        }
    }
}
