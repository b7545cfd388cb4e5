package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.PollFd;

import java.util.List;
import java.util.Optional;

/**
 * Limits without a control group. The number of processes is the kernel's to hold (RLIMIT_NPROC,
 * exact in a user namespace of the agent's own); memory and processor time are looked at again and
 * again, as often as the limit could be reached, and what was used up between two looks is over it.
 * RLIMIT_DATA keeps one process from running far ahead of the looks. Confined to one thread.
 */
final class TreeMeter implements Meter {
    private static final String WATCHED = "watching the processes, best effort";
    private static final String COUNTED = "RLIMIT_NPROC";
    private static final long FULL_NANOS = 1_000_000_000L;
    private static final long FULL_CHECK_MILLIS = 100;

    /** How far above the limit for all of them one process may map. */
    private static final long DATA_FACTOR = 2;

    private static final long DATA_LEAST = 64L << 20;

    private final Linux linux;
    private final Limits limits;
    private final int processors;
    private final boolean counted;
    private final MemoryAccount memory;
    private final CpuAccount cpu = new CpuAccount();
    private Optional<ProcessTree> tree = Optional.empty();
    private long microsBefore;
    private long leftBytes;
    private long lookNanos;
    private boolean full;
    private long fullSince;

    TreeMeter(Linux linux, Limits limits) throws ErrnoException {
        this.linux = linux;
        this.limits = limits;
        this.processors = linux.processors();
        this.counted = Metering.kernelCountsProcesses(linux);
        this.memory = new MemoryAccount(linux);
        this.leftBytes = limits.memoryBytes();
    }

    @Override
    public String mechanism(Limit limit) {
        return limit == Limit.PROCESSES && counted ? COUNTED : WATCHED;
    }

    @Override
    public long processesMax() {
        return limits.processes() == Limits.NONE ? AgentRlimits.PROCESSES_MAX : limits.processes();
    }

    @Override
    public long dataBytesMax() {
        return limits.memoryBytes() > (Limits.NONE - DATA_LEAST) / DATA_FACTOR
                ? Limits.NONE
                : DATA_FACTOR * limits.memoryBytes() + DATA_LEAST;
    }

    @Override
    public void place(int init) {
        tree = Optional.of(new ProcessTree(linux, init));
    }

    @Override
    public void released() throws ErrnoException {
        microsBefore = linux.childrenCpuMicros();
        if (tree.isPresent()) {
            tree.get().look();
            cpu.add(tree.get());
        }
    }

    @Override
    public List<PollFd> watched() {
        return List.of();
    }

    @Override
    public long checkAgainMillis() {
        long millis = Pace.MOST_MILLIS;
        if (limits.cpuMillis() != Limits.NONE) {
            long left = limits.cpuMillis() - cpu.usedMillis();
            millis = Math.min(millis, Pace.untilPossible(left, processors));
        }
        if (limits.memoryBytes() != Limits.NONE) {
            millis = Math.min(millis, Pace.untilFilled(leftBytes, processors));
        }
        if (limits.processes() != Limits.NONE) {
            millis = Math.min(millis, FULL_CHECK_MILLIS);
        }
        return Pace.affordable(millis, lookNanos);
    }

    @Override
    public Optional<LimitHit> check() throws ErrnoException {
        long before = System.nanoTime();
        Optional<LimitHit> hit = Optional.empty();
        if (tree.isPresent()) {
            tree.get().look();
            hit = check(tree.get(), before);
        }
        lookNanos = System.nanoTime() - before;
        return hit;
    }

    private Optional<LimitHit> check(ProcessTree now, long nanos) throws ErrnoException {
        Optional<LimitHit> hit = memory(now);
        if (hit.isEmpty()) {
            hit = processes(now, nanos);
        }
        cpu.add(now);
        return hit.isEmpty() ? cpuTime(cpu.usedMillis()) : hit;
    }

    private Optional<LimitHit> memory(ProcessTree now) throws ErrnoException {
        if (limits.memoryBytes() == Limits.NONE) {
            return Optional.empty();
        }
        long used = memory.bytes(now, limits.memoryBytes());
        leftBytes = limits.memoryBytes() - used;
        return leftBytes >= 0
                ? Optional.empty()
                : hit(
                        Limit.MEMORY,
                        Amounts.roughly(used) + " of " + Amounts.size(limits.memoryBytes())
                                + (memory.exact() ? " used" : " used, shared memory not counted"));
    }

    /** A fork that is refused leaves no trace, but who is refused usually tries again. */
    private Optional<LimitHit> processes(ProcessTree now, long nanos) {
        if (limits.processes() == Limits.NONE) {
            return Optional.empty();
        }
        long used = 0;
        for (int i = 1; i < now.count(); i++) { // without process 1
            used += Math.max(1, now.stat(i).threads());
        }
        if (used < limits.processes()) {
            full = false;
            return Optional.empty();
        }
        if (!full) {
            full = true;
            fullSince = nanos;
        }
        boolean more = used > limits.processes();
        return more || nanos - fullSince >= FULL_NANOS
                ? hit(
                        Limit.PROCESSES,
                        used + " of " + limits.processes() + " processes and threads in use"
                                + (more ? "" : " for a second"))
                : Optional.empty();
    }

    private Optional<LimitHit> cpuTime(long used) {
        return limits.cpuMillis() == Limits.NONE || used < limits.cpuMillis()
                ? Optional.empty()
                : hit(
                        Limit.CPU_TIME,
                        Amounts.time(used) + " of " + Amounts.time(limits.cpuMillis()) + " used");
    }

    private Optional<LimitHit> hit(Limit limit, String detail) {
        return Optional.of(new LimitHit(limit, mechanism(limit), detail));
    }

    /** The kernel has added up the time of all that were waited for, down to process 1's. */
    @Override
    public Optional<LimitHit> checkEnd() throws ErrnoException {
        long used = (linux.childrenCpuMicros() - microsBefore) / 1000;
        return cpuTime(Math.max(used, cpu.usedMillis()));
    }

    @Override
    public void close() {
        // Nothing was made.
    }
}
