package glove.session.receipt;

import glove.journal.RecordException;
import glove.wire.Digest;
import glove.wire.U64;

import java.util.Optional;

/**
 * Follows envelopes from the first on: each must be the next one, and the work of the key's owner.
 * Confined to one thread.
 */
final class ReceiptChain {
    private final Optional<AuditKey> key;
    private Anchor head;

    /** With a key. */
    ReceiptChain(AuditKey key) {
        this(key.id(), Optional.of(key));
    }

    /** Without one, it cannot tell who has made them. */
    ReceiptChain(Digest keyId, Optional<AuditKey> key) {
        this.key = key;
        this.head = Anchor.genesis(keyId);
    }

    Anchor head() {
        return head;
    }

    void follow(ReceiptEnvelope next) throws RecordException {
        require(next.keyId().equals(head.keyId()), "was made with another key");
        require(
                next.sequence() == head.sequence() + 1,
                "has the number " + U64.text(next.sequence()) + " where "
                        + U64.text(head.sequence() + 1) + " belongs");
        require(
                next.previousHmac().equals(head.headHmac()),
                "does not follow the record before it");
        require(
                next.receiptDigest().equals(next.receipt().digest()),
                "holds a receipt that does not have the digest it names: it was changed");
        require(
                key.isEmpty() || next.isAuthentic(key.get()),
                "does not have the authentication code of the key's owner: it was changed, or "
                        + "never was theirs");
        head = next.anchor();
    }

    private static void require(boolean holds, String otherwise) throws RecordException {
        if (!holds) {
            throw new RecordException(otherwise);
        }
    }
}
