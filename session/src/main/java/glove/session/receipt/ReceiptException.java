package glove.session.receipt;

import glove.journal.AppendLogException;

import java.util.Objects;

/** Something is not done with receipts. Nothing is written that is not told. */
public final class ReceiptException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What kind of no. */
    public enum Fault {
        /** The journal was not opened yet: the peer must say first what it has. */
        NOT_BOOTSTRAPPED,
        /** The peer has not yet acknowledged all that stands in the journal. */
        NOT_RECONCILED,
        /** What the peer has is no place of this journal, or not its end. */
        ANCHOR,
        /** There is no room for one more receipt. */
        CAPACITY,
        /** A receipt is, or could become, larger than a record may be. */
        TOO_LARGE,
        /** Room was reserved for another execution, or by somebody else, or used already. */
        RESERVATION,
        /** A receipt, or what was asked for, is not well made. */
        INVALID,
        /** More than one receipt says how one execution ended. */
        AMBIGUOUS,
        /** The journal cannot be opened, read or written. */
        STORAGE
    }

    private final Fault fault;

    /** Says what, why and what to do. */
    ReceiptException(Fault fault, String message) {
        super(message);
        this.fault = fault;
    }

    /** The journal's own no. */
    ReceiptException(AppendLogException cause) {
        super(cause.getMessage(), cause);
        this.fault = Fault.STORAGE;
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
