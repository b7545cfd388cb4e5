package glove.app;

import glove.sandbox.Exit;
import glove.sys.ErrnoException;
import glove.sys.PollFd;

import java.util.List;

/**
 * Something that goes on beside an agent: it waits for descriptors or moments of its own, and may
 * {@linkplain RunLoop#end end} the run. All attendants of a run share its one thread, so none may
 * block. A failure of one ends the run: what it guarded would no longer be guarded.
 */
interface Attendant {
    /** Of {@link #patience}: no moment of its own. */
    long UNLIMITED = -1;

    /** What to wait for in the coming turn; asked before each. */
    List<PollFd> awaited();

    /** Milliseconds after which it wants its turn in any case, or {@link #UNLIMITED}. */
    long patience();

    /**
     * Its turn: after every wait, whoever it was that something happened to.
     *
     * @param happened {@code POLL*} of all attendants
     * @param from index of its first; one for each of what {@link #awaited} said
     */
    void attend(int[] happened, int from) throws ErrnoException;

    /** The agent has been stopped, by Ctrl-Z say. */
    default void stopped() throws ErrnoException {}

    /**
     * The agent has ended and nothing of its sandbox runs any more: time for what is left to do or
     * to say.
     *
     * @param exit how it ended; when the run was ended, as if by SIGKILL
     */
    default void ended(Exit exit) throws ErrnoException {}
}
