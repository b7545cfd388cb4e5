package glove.journal;

import java.util.Optional;

/**
 * One decision that may become a record, with what it changes in memory. An {@link AppendLog}
 * calls all methods of all changes from its one committer thread, one change after the other: first
 * {@link #make}, and when the record is on disk {@link #done}, else {@link #undone}. So {@code
 * make} sees the effects of those before it which may not be on disk yet, while readers in other
 * threads must only see what {@code done} has published.
 *
 * @param <R> what the caller gets
 */
public interface Change<R> {
    /**
     * Decides, and changes what only the committer thread sees.
     *
     * @param sequence the number of the record, from 1, should there be one
     * @return the record; empty when there is nothing to write, such as for a refusal
     */
    Optional<byte[]> make(long sequence);

    /**
     * The record, if any, and all before it are on disk: publishes, and gives the answer. Asked
     * again when there was no memory for it.
     */
    R done();

    /**
     * The record is not on disk and will not be: takes back what {@link #make} did, also when that
     * did not come to its end for want of memory. So this needs none itself. Those made later have
     * been taken back before.
     */
    void undone();
}
