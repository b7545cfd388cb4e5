package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Launches profiles. The way in for everybody who runs something contained.
 *
 * <p>Confined to one thread, which must outlive the run (see {@link Launcher}).
 */
public final class Sandbox {
    private final Linux linux;
    private final Launcher launcher;
    private final List<String> notices = new ArrayList<>();
    private Optional<GuardRepair> repair = Optional.empty();
    private SandboxPlan.CgroupView cgroupView = SandboxPlan.CgroupView.OWN;
    private long deadline;
    private boolean timed;

    /** Borrows the launcher. */
    public Sandbox(Linux linux, Launcher launcher) {
        this.linux = linux;
        this.launcher = launcher;
    }

    /**
     * No launch from now on, nor a wait for what was launched, goes beyond a moment: then it is
     * killed, and the launch fails.
     *
     * @param nanos of {@link System#nanoTime}
     */
    public void setDeadline(long nanos) {
        deadline = nanos;
        timed = true;
    }

    /** What mends the guards of the last launch; empty when it has none. The caller owns it. */
    public Optional<GuardRepair> takeRepair() {
        Optional<GuardRepair> taken = repair;
        repair = Optional.empty();
        return taken;
    }

    private void closeRepair() {
        if (repair.isPresent()) {
            repair.get().close();
            repair = Optional.empty();
        }
    }

    /** What the last launch could not do as asked, each a sentence for the caller to read. */
    public List<String> notices() {
        return List.copyOf(notices);
    }

    /** The plan of a profile, as it would be tried first; nothing runs. */
    public LaunchPlan plan(Profile profile) throws LaunchException {
        return plan(profile, Set.of(), Optional.empty());
    }

    private LaunchPlan plan(Profile profile, Set<Long> plainDevices, Optional<Meter> meter)
            throws LaunchException {
        try {
            AgentRlimits limits = meter.isEmpty()
                    ? AgentRlimits.read(linux)
                    : AgentRlimits.read(
                            linux, meter.get().processesMax(), meter.get().dataBytesMax());
            return SandboxPlan.of(profile, limits, plainDevices, cgroupView);
        } catch (ErrnoException e) {
            throw new LaunchException("cannot read the resource limits: " + e.getMessage(), e);
        }
    }

    /** Starts the agent; it is about to be executed when this returns. */
    public RunningSandbox launch(Profile profile, StandardStreams streams)
            throws LaunchException, Refusal {
        return launch(profile, streams, Optional.empty());
    }

    /** The same under limits: nothing of the run executes before the meter has its process 1. */
    public RunningSandbox launch(Profile profile, StandardStreams streams, Optional<Meter> meter)
            throws LaunchException, Refusal {
        streams.refuseWaysOut(linux, profile);
        if (profile.ids().separate()) {
            streams.letAgentOpenPipes(linux);
        }
        Set<Long> plainDevices = new HashSet<>();
        Profile wanted = profile;
        for (; ; ) {
            Profile possible = PlainGrants.adapt(wanted, plainDevices);
            LaunchPlan plan = plan(possible, plainDevices, meter);
            RunningSandbox running = launcher.start(plan, streams);
            if (timed) {
                running.setDeadline(deadline);
            }
            try {
                int init = running.awaitCreated();
                if (meter.isPresent()) {
                    meter.get().place(init);
                }
                if (!profile.guards().list().isEmpty()) {
                    repair = Optional.of(GuardRepair.of(linux, launcher, possible, init));
                }
                running.release();
                return running;
            } catch (LaunchException e) {
                running.close();
                closeRepair();
                if (CacheCopies.areRefused(plan, e.status())) {
                    wanted = wanted.withHome(wanted.home().withReadOnlyCaches());
                    notices.add("this host refuses private copies of caches: they are read-only ("
                            + e.getMessage() + ")");
                } else if (refusesCgroupNamespace(e.status())) {
                    cgroupView = SandboxPlan.CgroupView.CALLERS;
                } else if (!PlainGrants.learn(profile, plan, e.status(), plainDevices)) {
                    throw e;
                }
            }
        }
    }

    /**
     * Whether it may be that: inside another Glove's {@code --allow-nesting} it is so. Where all
     * namespaces are refused, the next try fails as this one did.
     */
    private boolean refusesCgroupNamespace(LaunchStatus status) {
        return cgroupView == SandboxPlan.CgroupView.OWN
                && status.kind() == LaunchStatus.FAILED
                && status.stage() == LaunchStatus.STAGE_CLONE
                && status.errno() == Errno.EPERM;
    }

    /**
     * Starts the agent with pipes for its three standard streams, under limits if there is a meter.
     * Waits until it is about to be executed, some milliseconds, unlike {@link
     * HostPrograms#launch}: what this host refuses is only known then, and tried another way.
     *
     * @param subject what errors call it, such as {@code upstream 'files'}
     */
    public RunningProgram launchWithPipes(Profile profile, String subject, Optional<Meter> meter)
            throws LaunchException, Refusal {
        try (ProgramPipes pipes = ProgramPipes.open(linux)) {
            RunningSandbox running = launch(profile, pipes.forProgram(), meter);
            RunningProgram program = new RunningProgram(linux, subject, running, pipes);
            program.setStarted();
            return program;
        } catch (ErrnoException e) {
            throw new LaunchException(subject + ": cannot make its pipes: " + e.getMessage(), e);
        } catch (LaunchException e) {
            throw new LaunchException(subject + ": " + e.getMessage(), e);
        }
    }
}
