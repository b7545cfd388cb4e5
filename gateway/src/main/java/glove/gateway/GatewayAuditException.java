package glove.gateway;

/** Events could not be recorded. */
public final class GatewayAuditException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why, for the operator. */
    public GatewayAuditException(String message, Throwable cause) {
        super(message, cause);
    }
}
