package glove.session;

/**
 * Until when something may be done: looked at once more when it is about to be written, since who
 * asked may have been told by then that it was not done. Asked by any thread.
 */
public interface Deadline {
    /** For what has none. */
    Deadline NONE = () -> false;

    /** Whether it is over. */
    boolean isOver();
}
