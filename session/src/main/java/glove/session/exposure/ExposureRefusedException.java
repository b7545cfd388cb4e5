package glove.session.exposure;

import java.util.Objects;
import java.util.Optional;

/** Something may not be exposed, taken back or used. Nothing was changed. */
public final class ExposureRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** What kind of no. */
    public enum Reason {
        /** The request is none that anybody could grant. */
        INVALID,
        /** Its key was used for something else. */
        CONFLICT,
        /** The owner's policy does not allow it. */
        POLICY,
        /** What is to be shown cannot be opened safely, or is not what it was. */
        SOURCE,
        /** It was asked for in time, and could not be done in time. */
        LATE,
        /** There are too many exposures, or too many records. */
        CAPACITY,
        /** There is no such exposure, or it is over, or it is there already. */
        STATE,
        /** The journal is of no more use. */
        STORAGE,
        /** It could not be looked at now, which says nothing about it. */
        UNAVAILABLE
    }

    ExposureRefusedException(Reason reason, String why) {
        super(why, null, false, false); // told to the owner, not looked for in a stack
        this.reason = reason;
    }

    /** What kind of no. */
    public Reason reason() {
        return reason;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }

    static void unless(boolean holds, Reason reason, String why) throws ExposureRefusedException {
        if (!holds) {
            throw new ExposureRefusedException(reason, why);
        }
    }

    /** Unless there is nothing to say against it. */
    static void unlessEmpty(Optional<String> why, Reason reason) throws ExposureRefusedException {
        if (why.isPresent()) {
            throw new ExposureRefusedException(reason, why.get());
        }
    }
}
