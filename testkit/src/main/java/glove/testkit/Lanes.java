package glove.testkit;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * Tests that need something of the machine: where it is missing they are skipped with the reason,
 * unless {@code GLOVE_MUST_RUN} names their lane, which makes that a failure.
 */
public final class Lanes {
    private Lanes() {}

    /** Goes on only when the condition holds. */
    public static void require(String lane, boolean condition, String reason) {
        if (condition) {
            return;
        }
        String must = System.getenv().getOrDefault("GLOVE_MUST_RUN", "");
        if (("," + must + ",").contains("," + lane + ",")) {
            Assertions.fail("lane " + lane + " must run here, but " + reason);
        }
        Assumptions.abort(reason);
    }
}
