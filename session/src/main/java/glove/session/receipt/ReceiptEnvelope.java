package glove.session.receipt;

import glove.session.ReceiptLink;
import glove.session.TerminalEnvelope;
import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;

/**
 * A receipt at its place in the chain (sheet 40, 3). Immutable.
 *
 * @param sequence its place, from 1; u64
 * @param keyId of the chain's key
 * @param sessionId whose
 * @param controllerPlanDigest of its plan, as the controller calls it
 * @param receipt how it ended
 * @param receiptDigest of the receipt
 * @param previousHmac of the envelope before
 * @param thisHmac covers all of the above, and by it all envelopes before
 */
public record ReceiptEnvelope(
        long sequence,
        Digest keyId,
        Id128 sessionId,
        Digest controllerPlanDigest,
        Receipt receipt,
        Digest receiptDigest,
        Digest previousHmac,
        Digest thisHmac) {
    private static final int SCHEMA_VERSION = 1;

    /** The next one of a chain. */
    static ReceiptEnvelope seal(
            AuditKey key, Anchor head, Id128 sessionId, Digest controllerPlanDigest, Receipt of) {
        ReceiptEnvelope open = new ReceiptEnvelope(
                head.sequence() + 1,
                key.id(),
                sessionId,
                controllerPlanDigest,
                of,
                of.digest(),
                head.headHmac(),
                Digest.ZERO);
        return open.with(key.authenticate(open.material()));
    }

    private ReceiptEnvelope with(Digest hmac) {
        return new ReceiptEnvelope(
                sequence,
                keyId,
                sessionId,
                controllerPlanDigest,
                receipt,
                receiptDigest,
                previousHmac,
                hmac);
    }

    private DigestWriter material() {
        return new DigestWriter(receipt.kind().domain())
                .u8(SCHEMA_VERSION)
                .u64(sequence)
                .digest(keyId)
                .string(sessionId.text())
                .digest(controllerPlanDigest)
                .digest(receiptDigest)
                .digest(previousHmac);
    }

    /** Whether the owner of a key has made it. */
    boolean isAuthentic(AuditKey key) {
        return key.authenticate(material()).isSameInConstantTime(thisHmac);
    }

    /** The place behind it. */
    public Anchor anchor() {
        return new Anchor(keyId, sequence, thisHmac);
    }

    /** What the registry keeps of it. */
    public TerminalEnvelope terminal() {
        ResourceReceipt resource = receipt.resource();
        Ending ending = resource.ending();
        ReceiptLink link = new ReceiptLink(
                ending.startedAtMs(),
                keyId.hex(),
                sequence,
                receiptDigest.hex(),
                previousHmac.hex(),
                thisHmac.hex(),
                ending.cause().word(),
                ending.exitCode().orElse(ReceiptLink.NO_EXIT_CODE));
        return new TerminalEnvelope(
                receipt.kind() == ReceiptKind.REFINEMENT,
                sessionId,
                controllerPlanDigest,
                resource.profileDigest(),
                link,
                ending.finishedAtMs());
    }

    /** Reads one; what is wrong is a problem, and the value of no use then. */
    static ReceiptEnvelope read(ReceiptKind kind, JsonFields fields) {
        Fixed.u8(fields, "schema_version", SCHEMA_VERSION);
        ReceiptEnvelope read = new ReceiptEnvelope(
                fields.u64("sequence"),
                fields.value("key_id", Digest.CLASS),
                fields.value("session_id", Id128.CLASS),
                fields.value("controller_plan_digest", Digest.CLASS),
                kind.read(fields.object("receipt")),
                fields.value("receipt_digest", Digest.CLASS),
                fields.value("previous_hmac", Digest.CLASS),
                fields.value("this_hmac", Digest.CLASS));
        fields.end();
        return read;
    }

    /** The canonical form, as a value. */
    public void write(JsonWriter out) {
        out.beginObject()
                .member("schema_version", SCHEMA_VERSION)
                .unsigned("sequence", sequence)
                .member("key_id", keyId.hex())
                .member("session_id", sessionId.text())
                .member("controller_plan_digest", controllerPlanDigest.hex());
        receipt.write(out.name("receipt"));
        out.member("receipt_digest", receiptDigest.hex())
                .member("previous_hmac", previousHmac.hex())
                .member("this_hmac", thisHmac.hex())
                .endObject();
    }
}
