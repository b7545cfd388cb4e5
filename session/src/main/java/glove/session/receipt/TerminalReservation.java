package glove.session.receipt;

import glove.session.ReceiptReservation;

/**
 * Room in the journal for the receipt of one execution, from before it runs. Thread-safe. Closing
 * it gives the room back, unless the receipt was written.
 */
public final class TerminalReservation implements AutoCloseable {
    private final ReceiptJournal journal;
    private final ReceiptReservation of;
    private final ReceiptKind kind;
    private boolean used; // guarded by this

    TerminalReservation(ReceiptJournal journal, ReceiptReservation of, ReceiptKind kind) {
        this.journal = journal;
        this.of = of;
        this.kind = kind;
    }

    /** For which execution, as the registry wants to know it. */
    public ReceiptReservation of() {
        return of;
    }

    /** Which kind of receipt it is for. */
    public ReceiptKind kind() {
        return kind;
    }

    boolean isIn(ReceiptJournal other) {
        return journal == other;
    }

    // The two below are called with this object locked.

    boolean isUsed() {
        return used;
    }

    void use() {
        used = true;
    }

    @Override
    public synchronized void close() {
        if (!used) {
            used = true;
            journal.release();
        }
    }
}
