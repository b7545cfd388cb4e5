package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.PollFd;

import java.util.List;
import java.util.Optional;

/**
 * Measures what one run uses and tells when a limit is reached. Confined to the thread that runs
 * the sandbox; close it after the run has ended.
 *
 * <p>In order: {@link #place} before anything of the run has executed, {@link #released} once the
 * agent is about to, {@link #check} whenever what is {@linkplain #watched watched} is ready or the
 * time has come, {@link #checkEnd} when nothing of the run is left.
 */
public interface Meter extends AutoCloseable {
    /** What holds the memory, processor time and process limits, for the summary of a run. */
    String mechanism(Limit limit);

    /** How many processes and threads the kernel must allow the agent's user (RLIMIT_NPROC). */
    long processesMax();

    /** How much of RLIMIT_DATA each process gets, in bytes; {@link Limits#NONE}: the caller's. */
    long dataBytesMax();

    /**
     * Takes process 1 of a run, by its id outside, which has executed nothing yet.
     *
     * @throws LaunchException when the run must not start, because a limit would not hold
     */
    void place(int init) throws LaunchException;

    /** The agent is about to be executed: from now on what is used counts. */
    void released() throws ErrnoException;

    /** What to wait for besides the time; lent, the same for the whole run. */
    List<PollFd> watched();

    /** How long the next check can wait, in milliseconds. */
    long checkAgainMillis();

    /** Looks, and tells which limit is reached; an error means that the limits no longer hold. */
    Optional<LimitHit> check() throws ErrnoException;

    /** Looks for the last time: a limit may have ended the run before a check saw it. */
    Optional<LimitHit> checkEnd() throws ErrnoException;

    /** Gives back what was made for the run; never fails, and leaves nothing that costs. */
    @Override
    void close();
}
