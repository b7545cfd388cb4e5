package glove.session.receipt;

import glove.policy.session.TerminationCause;
import glove.wire.U64;

import java.util.OptionalInt;

/**
 * When a session ran, and why it ended. Immutable.
 *
 * @param cause why
 * @param exitCode its status, 0 to 255, when it exited by itself; else empty
 * @param startedAtMs milliseconds since 1970; u64, not 0
 * @param finishedAtMs milliseconds since 1970; u64, not before
 */
public record Ending(
        TerminationCause cause, OptionalInt exitCode, long startedAtMs, long finishedAtMs) {
    private static final int CODE_MAX = 255;

    /** What is wrong with it; empty when nothing is. */
    String complaint() {
        if (startedAtMs == 0 || U64.isLess(finishedAtMs, startedAtMs)) {
            return "has times that cannot be: it must start after 0 and finish afterwards";
        }
        if (cause != TerminationCause.EXITED) {
            return exitCode.isEmpty() ? "" : "has an exit code, but did not exit";
        }
        boolean coded =
                exitCode.isPresent() && exitCode.getAsInt() >= 0 && exitCode.getAsInt() <= CODE_MAX;
        return coded ? "" : "exited, but without a code of 0 to " + CODE_MAX;
    }
}
