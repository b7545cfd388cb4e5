package glove.app;

import glove.sandbox.LaunchException;
import glove.sandbox.Refusal;
import glove.sys.ErrnoException;

/**
 * One thing {@code glove doctor} finds out by doing it.
 *
 * @param code of the check it ends in
 * @param body does it
 */
record Probe(String code, Body body) {
    /** What a probe does, on a thread of its own. It leaves nothing behind, however it ends. */
    interface Body {
        /**
         * Looks.
         *
         * @param deadline of {@link System#nanoTime}: what was started must have ended by then
         */
        Check examine(long deadline) throws LaunchException, Refusal, ErrnoException;
    }
}
