package glove.journal;

import java.util.Objects;

/**
 * A log of records cannot be opened, read or written. Nothing was trusted that is not on disk, and
 * nothing was changed on disk that is not told.
 */
public final class AppendLogException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What kind of no. */
    public enum Fault {
        /** There is no such file, and none was to be made. */
        MISSING,
        /** There is one already, and a new one was to be made. */
        EXISTS,
        /** Its place, kind, owner, mode or links are such that others may have written it. */
        UNSAFE,
        /** Another process, or another part of this one, has it open. */
        IN_USE,
        /** Its first bytes are those of something else. */
        HEADER,
        /** It is larger than its bounds allow. */
        TOO_LARGE,
        /** Something in it is not as it was written; it was left as it is. */
        CORRUPT,
        /** It ends in the middle of a record, and may not be repaired; it was left as it is. */
        TORN,
        /** A record would go beyond a bound; nothing was written. */
        FULL,
        /** A system call failed; the log is as it was before. */
        SYSTEM,
        /** It was changed from outside or could not be synced: it is of no more use to us. */
        POISONED,
        /** It was closed. */
        CLOSED
    }

    private final Fault fault;

    /** Says which log, why, and what to do. */
    public AppendLogException(Fault fault, String message) {
        super(message);
        this.fault = fault;
    }

    /** What kind of no. */
    public Fault fault() {
        return fault;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
