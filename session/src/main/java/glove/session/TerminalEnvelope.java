package glove.session;

import glove.wire.Digest;
import glove.wire.Id128;

/**
 * What the registry keeps of the receipt that says how a session ended. Immutable.
 *
 * @param refinement whether it is an evaluation's
 * @param sessionId whose
 * @param controllerPlanDigest of its plan
 * @param profileDigest of what was launched
 * @param receipt where it stands in the journal, and how it ended
 * @param finishedAtMs of the receipt; u64
 */
public record TerminalEnvelope(
        boolean refinement,
        Id128 sessionId,
        Digest controllerPlanDigest,
        Digest profileDigest,
        ReceiptLink receipt,
        long finishedAtMs) {}
