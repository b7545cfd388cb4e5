package glove.session;

import glove.wire.Digest;
import glove.wire.U64;

import java.nio.charset.StandardCharsets;

/**
 * The keys of what recovery after a restart does with a session, which are the same each time it is
 * tried. Stateless.
 */
final class RecoveryKeys {
    private RecoveryKeys() {}

    /** Of a failure without a receipt. */
    static String failure(SessionRecord session) {
        String text = session.plan().sessionId() + ":" + session.authorization().id() + ":"
                + session.profileDigest() + ":" + U64.text(session.times().startingAtMs());
        return "recovery-fail-"
                + Digest.sha256(text.getBytes(StandardCharsets.UTF_8)).hex();
    }

    /**
     * Of an end that a receipt says.
     *
     * @param sequence of the receipt; u64
     */
    static String exit(long sequence) {
        return "recovery-exit-" + U64.text(sequence);
    }
}
