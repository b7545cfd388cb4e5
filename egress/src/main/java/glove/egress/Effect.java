package glove.egress;

import glove.sys.ErrnoException;

/** What a decision causes, once it is recorded. */
interface Effect {
    /** Whose; when it is closed by then, nothing happens. */
    Connection connection();

    /** Lets it happen. */
    void take() throws ErrnoException;
}
