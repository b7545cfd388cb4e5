package glove.session;

import glove.policy.session.TerminationCause;

/**
 * Which receipt says how a session ended. Immutable.
 *
 * @param startedAtMs of the receipt; u64
 * @param keyId of the receipt journal, or empty
 * @param sequence in it; u64
 * @param digest of the receipt
 * @param previousHmac of the envelope before
 * @param hmac of its envelope
 * @param cause a {@link TerminationCause}, or empty
 * @param exitCode 0 to 255, or {@link #NO_EXIT_CODE}
 */
public record ReceiptLink(
        long startedAtMs,
        String keyId,
        long sequence,
        String digest,
        String previousHmac,
        String hmac,
        String cause,
        int exitCode) {
    /** It did not exit by itself. */
    public static final int NO_EXIT_CODE = -1;

    /** There is none. */
    public static final ReceiptLink NONE = new ReceiptLink(0, "", 0, "", "", "", "", NO_EXIT_CODE);
}
