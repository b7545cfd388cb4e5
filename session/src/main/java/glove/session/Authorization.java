package glove.session;

/**
 * Who allowed a session to start, and for how long. Immutable.
 *
 * @param id ID128, or empty
 * @param authorizedAtMs milliseconds since 1970; u64
 * @param expiresAtMs the session must run before; u64
 */
public record Authorization(String id, long authorizedAtMs, long expiresAtMs) {
    /** Nobody yet. */
    public static final Authorization NONE = new Authorization("", 0, 0);

    /** How long one may hold. */
    static final long LIFETIME_MS_MAX = 120_000;
}
