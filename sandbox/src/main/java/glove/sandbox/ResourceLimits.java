package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;

/**
 * Resource limits of the caller (getrlimit(2)) that bound the agent's. The launcher may need more
 * open files than the soft limit; the agent gets soft and hard as they were.
 *
 * @param openFilesSoft as unsigned number, all ones meaning without limit
 * @param processesHard the most processes and threads that can be asked for
 */
record ResourceLimits(long openFilesSoft, long openFilesHard, long processesHard) {
    /** Enough for parallel builds and JVMs, too few for a fork bomb to hurt the machine. */
    private static final long PROCESSES_MAX = 4096;

    static ResourceLimits read(Linux linux) throws ErrnoException {
        Linux.Limit files = linux.openFileLimit();
        return new ResourceLimits(
                files.soft(), files.hard(), linux.processLimit().hard());
    }

    /** Processes and threads the agent may have at once, itself included. */
    long processes() {
        return Long.compareUnsigned(processesHard, PROCESSES_MAX) < 0
                ? processesHard
                : PROCESSES_MAX;
    }
}
