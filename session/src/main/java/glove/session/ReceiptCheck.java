package glove.session;

/** What the registry asks the receipt journal. Called by any thread, several at once. */
public interface ReceiptCheck {
    /** What an envelope is worth. */
    enum Worth {
        /** It is in the journal, byte for byte, and on disk. */
        DURABLE,
        /** It is none: its receipt does not have the digest it names, or a value is wrong. */
        MALFORMED,
        /** It is well made but not in the journal. */
        UNKNOWN
    }

    /** Looks for the envelope that says how a session ended. */
    Worth check(TerminalEnvelope envelope);
}
