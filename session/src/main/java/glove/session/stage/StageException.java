package glove.session.stage;

import java.util.Objects;

/** What a session left behind is not there, or not as it should be. Nothing of it was used. */
public final class StageException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What peers are told, whatever the reason. */
    public static final String CODE = "retained_changes_unavailable";

    StageException(String message) {
        super(message);
    }

    /** Gives up what nobody waits for any more. */
    static void unlessWanted(StillWanted wanted) throws StageException {
        if (!wanted.isWanted()) {
            throw new StageException("nobody waits for it any more");
        }
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
