package glove.sandbox;

/**
 * A limit was reached: the run is to be ended, or has been.
 *
 * @param mechanism what holds the limit: {@code cgroup v2}
 * @param detail what was asked for and what was found, in numbers
 */
public record LimitHit(Limit limit, String mechanism, String detail) {
    /** The one line that tells a person why the run ended. */
    public String sentence() {
        return "ended: " + limit.words() + " limit reached (by " + mechanism + "): " + detail + "; "
                + limit.option() + " sets it";
    }
}
