package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;

/**
 * Resource limits (getrlimit(2)) of the agent: the caller's, and what the run was given. The
 * launcher may need more open files than the soft limit; the agent gets soft and hard as they were.
 *
 * @param openFilesSoft as unsigned number, all ones meaning without limit
 * @param processes and threads the agent may have at once, itself included
 * @param dataBytes RLIMIT_DATA of each process; {@link Limits#NONE}: the caller's
 */
record ResourceLimits(long openFilesSoft, long openFilesHard, long processes, long dataBytes) {
    /** Enough for parallel builds and JVMs, too few for a fork bomb to hurt the machine. */
    static final long PROCESSES_MAX = 4096;

    /** The caller's, with the usual bound of processes. */
    static ResourceLimits read(Linux linux) throws ErrnoException {
        return read(linux, PROCESSES_MAX, Limits.NONE);
    }

    /**
     * The caller's within these bounds: a hard limit cannot be raised.
     *
     * @param processesMax and threads
     * @param dataBytesMax of each process
     */
    static ResourceLimits read(Linux linux, long processesMax, long dataBytesMax)
            throws ErrnoException {
        Linux.Limit files = linux.openFileLimit();
        long processes = least(linux.processLimit().hard(), processesMax);
        long data = least(linux.getrlimit(Linux.RLIMIT_DATA).hard(), dataBytesMax);
        return new ResourceLimits(
                files.soft(),
                files.hard(),
                processes,
                dataBytesMax == Limits.NONE ? Limits.NONE : data);
    }

    /** As unsigned numbers. */
    private static long least(long one, long other) {
        return Long.compareUnsigned(one, other) < 0 ? one : other;
    }
}
