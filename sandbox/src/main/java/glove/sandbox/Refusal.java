package glove.sandbox;

import java.util.List;
import java.util.Objects;

/**
 * A request that cannot be carried out as given: bad input or a host that does not offer what is
 * needed. The message says what failed, on which subject and why; the hints say what to type next.
 */
public final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    /** Exit status of a bad command line or path. */
    public static final int EXIT_USAGE = 2;

    private final int exitStatus;
    private final transient List<String> hints;

    /** Bad input, with any number of things to try. */
    public Refusal(String message, String... hints) {
        this(EXIT_USAGE, message, List.of(hints));
    }

    /** A refusal with an exit status of its own. */
    public Refusal(int exitStatus, String message, List<String> hints) {
        super(message);
        this.exitStatus = exitStatus;
        this.hints = List.copyOf(hints);
    }

    /** What the process should exit with. */
    public int exitStatus() {
        return exitStatus;
    }

    /** Commands or actions that may help; possibly none. */
    public List<String> hints() {
        return hints;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
