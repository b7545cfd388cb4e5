package glove.sandbox;

import glove.sys.Bug;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Limits that the kernel holds and counts: a control group of the run's own (cgroups(7)), with
 * process 1 and all it starts. Confined to one thread.
 *
 * <p>Memory: going over makes the kernel reclaim, and kill the whole group only when that was not
 * enough; only kills count, because a program that reads a large file also reaches the limit.
 * Processes: a refused fork counts. Processor time is no limit of the kernel's and is read.
 */
final class CgroupMeter implements Meter {
    private static final String MECHANISM = "cgroup v2";
    private static final String MEMORY_EVENTS = "memory.events";
    private static final String PIDS_EVENTS = "pids.events";
    private static final String CPU_STAT = "cpu.stat";
    private static final String USAGE = "usage_usec";
    private static final int UNKNOWN_PROCESSORS = 1 << 16;
    private static final long QUIET_MILLIS = 1000;
    private static final long KILL_NANOS = 2_000_000_000L;
    private static final int KILL_POLL_MILLIS = 10;

    /** Process 1 is in the group and not the agent's. */
    private static final int OWN_PROCESSES = 1;

    private final Linux linux;
    private final Limits limits;
    private final DelegatedCgroup delegated;
    private final String name;
    private final Cgroup group;
    private final int processors;
    private final List<OwnedFd> events = new ArrayList<>();
    private final List<PollFd> watched = new ArrayList<>();
    private long microsAtRelease;
    private long cpuMillis;

    private CgroupMeter(
            Linux linux, Limits limits, DelegatedCgroup delegated, DelegatedCgroup.Run run) {
        this.linux = linux;
        this.limits = limits;
        this.delegated = delegated;
        this.name = run.name();
        this.group = run.group();
        this.processors = processorsOf(linux);
    }

    /** So many that it is looked at as often as can be, when it cannot be told. */
    private static int processorsOf(Linux linux) {
        try {
            return linux.processors();
        } catch (ErrnoException e) {
            return UNKNOWN_PROCESSORS;
        }
    }

    /** Makes the group, or says why there can be none. */
    static CgroupMeter open(Linux linux, CgroupHost host, Limits limits) throws CgroupException {
        List<String> controllers = new ArrayList<>();
        if (limits.memoryBytes() != Limits.NONE) {
            controllers.add("memory");
        }
        if (limits.processes() != Limits.NONE) {
            controllers.add("pids");
        }
        DelegatedCgroup delegated = DelegatedCgroup.open(linux, host, controllers);
        try {
            return make(linux, limits, delegated);
        } catch (ErrnoException e) {
            throw new CgroupException("cannot use a control group: " + e.getMessage(), e);
        }
    }

    /** Takes what it is given: closes it on failure. */
    private static CgroupMeter make(Linux linux, Limits limits, DelegatedCgroup delegated)
            throws ErrnoException, CgroupException {
        CgroupMeter meter;
        try {
            meter = new CgroupMeter(linux, limits, delegated, delegated.makeRun());
        } catch (ErrnoException e) {
            delegated.close();
            throw e;
        }
        try {
            meter.setLimits();
            return meter;
        } catch (ErrnoException | CgroupException e) {
            meter.close();
            throw e;
        }
    }

    private void setLimits() throws ErrnoException, CgroupException {
        if (limits.memoryBytes() != Limits.NONE) {
            group.write("memory.max", Long.toString(limits.memoryBytes()));
            group.writeIfPresent("memory.swap.max", "0");
            group.writeIfPresent("memory.oom.group", "1");
            watch(MEMORY_EVENTS, "oom_kill");
        }
        if (limits.processes() != Limits.NONE) {
            long allowed = limits.processes() + OWN_PROCESSES;
            group.write("pids.max", Long.toString(allowed));
            watch(PIDS_EVENTS, "max");
        }
        if (limits.cpuMillis() != Limits.NONE) {
            require(CPU_STAT, group.read(CPU_STAT), USAGE);
        }
    }

    private void watch(String file, String counter) throws ErrnoException, CgroupException {
        OwnedFd fd = group.openFile(file);
        events.add(fd);
        watched.add(new PollFd(fd, PollFd.POLLPRI));
        require(file, group.readAgain(fd), counter);
    }

    private static void require(String file, String text, String counter) throws CgroupException {
        if (CgroupText.counter(text, counter).isEmpty()) {
            throw new CgroupException("this kernel's " + file + " has no line '" + counter + "'");
        }
    }

    @Override
    public String mechanism(Limit limit) {
        return MECHANISM;
    }

    /** More than the group allows: the kernel asks this limit first, and a refusal must count. */
    @Override
    public long processesMax() {
        return limits.processes() == Limits.NONE
                ? AgentRlimits.PROCESSES_MAX
                : Math.max(AgentRlimits.PROCESSES_MAX, limits.processes() + OWN_PROCESSES);
    }

    @Override
    public long dataBytesMax() {
        return Limits.NONE;
    }

    @Override
    public void place(int init) throws LaunchException {
        try {
            group.write("cgroup.procs", Integer.toString(init));
        } catch (ErrnoException e) {
            throw new LaunchException(
                    "cannot put the run into its control group: " + e.getMessage(), e);
        }
    }

    @Override
    public void released() throws ErrnoException {
        if (limits.cpuMillis() != Limits.NONE) {
            microsAtRelease = usedMicros();
        }
    }

    private long usedMicros() throws ErrnoException {
        return counter(group.read(CPU_STAT), CPU_STAT, USAGE);
    }

    /** Its kernel had the line when the group was made, and has it still. */
    private static long counter(String text, String file, String name) {
        OptionalLong value = CgroupText.counter(text, name);
        if (value.isEmpty()) {
            throw new Bug(file + " has no line " + name);
        }
        return value.getAsLong();
    }

    @Override
    public List<PollFd> watched() {
        return watched;
    }

    @Override
    public long checkAgainMillis() {
        return limits.cpuMillis() == Limits.NONE
                ? QUIET_MILLIS
                : Pace.untilPossible(limits.cpuMillis() - cpuMillis, processors);
    }

    @Override
    public Optional<LimitHit> check() throws ErrnoException {
        Optional<LimitHit> hit = Optional.empty();
        for (int i = 0; i < events.size(); i++) {
            // Each is read every time, or the next wait would end at once.
            String text = group.readAgain(events.get(i));
            if (hit.isEmpty()) {
                hit = limits.memoryBytes() != Limits.NONE && i == 0
                        ? memory(text)
                        : processes(text);
            }
        }
        return hit.isEmpty() ? cpuTime() : hit;
    }

    private Optional<LimitHit> memory(String events) {
        return counter(events, MEMORY_EVENTS, "oom_kill") == 0
                ? Optional.empty()
                : hit(
                        Limit.MEMORY,
                        "all of " + Amounts.size(limits.memoryBytes())
                                + " was in use and more was wanted");
    }

    private Optional<LimitHit> processes(String events) {
        return counter(events, PIDS_EVENTS, "max") == 0
                ? Optional.empty()
                : hit(Limit.PROCESSES, "one more than " + limits.processes() + " was wanted");
    }

    private Optional<LimitHit> cpuTime() throws ErrnoException {
        if (limits.cpuMillis() == Limits.NONE) {
            return Optional.empty();
        }
        cpuMillis = (usedMicros() - microsAtRelease) / 1000;
        return cpuMillis < limits.cpuMillis()
                ? Optional.empty()
                : hit(
                        Limit.CPU_TIME,
                        Amounts.time(cpuMillis) + " of " + Amounts.time(limits.cpuMillis())
                                + " used");
    }

    private static Optional<LimitHit> hit(Limit limit, String detail) {
        return Optional.of(new LimitHit(limit, MECHANISM, detail));
    }

    @Override
    public Optional<LimitHit> checkEnd() throws ErrnoException {
        return check();
    }

    /** Kills what is still there, waits for that end, which takes a moment, removes the group. */
    @Override
    public void close() {
        for (OwnedFd file : events) {
            file.close();
        }
        events.clear();
        try {
            if (isPopulated()) {
                group.writeIfPresent("cgroup.kill", "1");
                awaitEmpty();
            }
            delegated.removeRun(name);
        } catch (ErrnoException e) {
            // Its processes die with process 1 at the latest; the next start removes an empty one.
        } finally {
            group.close();
            delegated.close();
        }
    }

    private boolean isPopulated() throws ErrnoException {
        return CgroupText.counter(group.read("cgroup.events"), "populated").orElse(0) != 0;
    }

    private void awaitEmpty() throws ErrnoException {
        long deadline = System.nanoTime() + KILL_NANOS;
        while (isPopulated() && System.nanoTime() < deadline) {
            linux.poll(List.of(), KILL_POLL_MILLIS);
        }
    }
}
