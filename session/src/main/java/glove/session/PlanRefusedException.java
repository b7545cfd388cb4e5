package glove.session;

import java.util.Objects;

/** The policy does not allow a plan, or what it needs is not there. */
public final class PlanRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says why. */
    public PlanRefusedException(String why) {
        super(why);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
