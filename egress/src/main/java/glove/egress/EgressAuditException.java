package glove.egress;

/** Decisions could not be recorded, so nothing may leave the run any more. */
public final class EgressAuditException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A sentence, and why. */
    public EgressAuditException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
