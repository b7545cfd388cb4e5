package glove.egress;

import glove.sys.ErrnoException;

/** Something with one moment in the {@link Deadlines}. Confined to the thread of the proxy. */
abstract class Timed {
    /** Not in the heap. */
    static final int NOWHERE = -1;

    /** Its place in the heap, which alone writes it and the moment. */
    int place = NOWHERE;

    long due;

    /** Its moment has come, and is forgotten. */
    abstract void overdue() throws ErrnoException;
}
