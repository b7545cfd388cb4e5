package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

/**
 * Resource limits (getrlimit(2)) of the agent: the caller's, and what the run was given. The
 * launcher may need more open files than the soft limit; the agent gets soft and hard as they were.
 *
 * @param openFiles unsigned numbers, all ones meaning without limit
 * @param processes and threads the agent may have at once, itself included
 * @param dataBytes RLIMIT_DATA of each process; {@link Limits#NONE}: the caller's
 * @param coreBytes RLIMIT_CORE: 1, or 0 where the caller may not have more and no program of the
 *     host would be started by a crash
 */
record AgentRlimits(
        Linux.Limit openFiles, long processes, long dataBytes, long coreBytes, Queues queues) {
    /** Signals and timers of the agent's that wait; far above what programs have. */
    private static final long SIGNALS_MAX = 4096;

    private static final UnixPath CORE_PATTERN = UnixPath.of("/proc/sys/kernel/core_pattern");
    private static final int PATTERN_BYTES_MAX = 256;

    /**
     * What the kernel keeps for all processes of a user together, of which the agent gets half at
     * most: the user's others go on.
     *
     * @param signals RLIMIT_SIGPENDING: queued signals, and timers
     * @param messageBytes RLIMIT_MSGQUEUE: POSIX message queues
     */
    record Queues(long signals, long messageBytes) {
        private static Queues read(Linux linux) throws ErrnoException {
            long signals = linux.getrlimit(Linux.RLIMIT_SIGPENDING).hard();
            long messages = linux.getrlimit(Linux.RLIMIT_MSGQUEUE).hard();
            return new Queues(least(signals >>> 1, SIGNALS_MAX), messages >>> 1);
        }
    }

    /** Enough for parallel builds and JVMs, too few for a fork bomb to hurt the machine. */
    static final long PROCESSES_MAX = 4096;

    /** The caller's, with the usual bound of processes. */
    static AgentRlimits read(Linux linux) throws ErrnoException {
        return read(linux, PROCESSES_MAX, Limits.NONE);
    }

    /**
     * The caller's within these bounds: a hard limit cannot be raised.
     *
     * @param processesMax and threads
     * @param dataBytesMax of each process
     */
    static AgentRlimits read(Linux linux, long processesMax, long dataBytesMax)
            throws ErrnoException {
        long processes = least(linux.processLimit().hard(), processesMax);
        long data = least(linux.getrlimit(Linux.RLIMIT_DATA).hard(), dataBytesMax);
        return new AgentRlimits(
                linux.openFileLimit(),
                processes,
                dataBytesMax == Limits.NONE ? Limits.NONE : data,
                coreBytes(linux),
                Queues.read(linux));
    }

    /** A hard limit of 0, common for services, cannot be raised; a file it does prevent. */
    private static long coreBytes(Linux linux) throws ErrnoException {
        if (linux.getrlimit(Linux.RLIMIT_CORE).hard() != 0) {
            return 1;
        }
        byte[] pattern = linux.readFile(CORE_PATTERN, PATTERN_BYTES_MAX);
        boolean file = pattern.length == 0 || (pattern[0] != '|' && pattern[0] != '@');
        return file ? 0 : 1;
    }

    /** As unsigned numbers. */
    private static long least(long one, long other) {
        return Long.compareUnsigned(one, other) < 0 ? one : other;
    }
}
