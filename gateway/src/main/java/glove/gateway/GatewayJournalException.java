package glove.gateway;

/** Events could not be recorded. */
public final class GatewayJournalException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why, for the operator. */
    public GatewayJournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
