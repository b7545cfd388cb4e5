package glove.egress;

import glove.sys.ErrnoException;

/**
 * What a connection is in. Each has its turn when something happened to one of its sockets or it
 * asked for one. Confined to the thread of the proxy.
 */
abstract class Stage {
    /** Goes as far as it can without waiting. */
    abstract void advance() throws ErrnoException;

    /** The moment it had set has come. */
    abstract void overdue() throws ErrnoException;

    /** Whether bytes the client has sent, and may send, have not left yet. */
    boolean isSending() {
        return false;
    }

    /**
     * The connection ends: gives back what it holds, the client's socket excepted, and ends what
     * was allowed.
     *
     * @param reason for the record; empty for an ordinary end
     */
    abstract void release(String reason);
}
