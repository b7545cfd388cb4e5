package glove.session;

/** Why the registry said no. */
public enum RegistryCode {
    /** A value is not what such values are. */
    INVALID_REQUEST("invalid_request", "invalid session request"),
    /** The policy does not allow the plan, or not any more. */
    INVALID_PLAN("invalid_plan", "session plan was rejected"),
    /** It is not the session, plan, time or receipt that was authorised. */
    INVALID_AUTHORIZATION("invalid_authorization", "session authorization was rejected"),
    /** The session is not where this could follow. */
    INVALID_STATE("invalid_session_state", "session state was rejected"),
    /** The key was used for something else. */
    IDEMPOTENCY_CONFLICT("idempotency_conflict", "idempotency payload changed"),
    /** There is a session of that name. */
    SESSION_CONFLICT("session_conflict", "session identity already exists"),
    /** There is none. */
    NOT_FOUND("session_not_found", "session was not found"),
    /** It was asked for in time, and could not be done in time. */
    DEADLINE("deadline_exceeded", "request deadline elapsed"),
    /** The store is full. */
    CAPACITY("session_capacity", "session capacity is unavailable"),
    /** The store cannot be used. */
    STORAGE("session_storage_failed", "session storage failed");

    private final String wireCode;
    private final String wireMessage;

    RegistryCode(String wireCode, String wireMessage) {
        this.wireCode = wireCode;
        this.wireMessage = wireMessage;
    }

    /** What a peer is told, as a word. */
    public String wireCode() {
        return wireCode;
    }

    /** What a peer is told, as a sentence: never why in detail. */
    public String wireMessage() {
        return wireMessage;
    }
}
