package glove.policy;

import java.util.List;
import java.util.Objects;

/**
 * A policy that cannot be meant as it is written. The message says what, where and why; the hints
 * say what to type instead. Texts of the policy in it are made printable.
 */
public final class PolicyException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> hints;

    PolicyException(String message, String... hints) {
        super(message);
        this.hints = List.of(hints);
    }

    /** Possibly none. */
    public List<String> hints() {
        return hints;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
