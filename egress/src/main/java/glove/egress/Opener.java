package glove.egress;

import glove.sys.ErrnoException;

/** Who asked for an {@link Opening}, and gets its result. */
interface Opener {
    /** The destination is reached; both are the opener's from here on. */
    void opened(Stream upstream, Passage passage) throws ErrnoException;

    /**
     * It is not, and that is recorded.
     *
     * @param sentence why
     */
    void denied(Outcome outcome, String sentence) throws ErrnoException;
}
