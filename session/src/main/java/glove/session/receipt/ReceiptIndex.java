package glove.session.receipt;

import glove.session.ReceiptReservation;
import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.U64;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Where the records of a journal are, and of which executions they are: less than half of what the
 * journal itself has. Confined to one thread at a time.
 */
final class ReceiptIndex {
    private final Digest keyId;
    private final List<Entry> entries = new ArrayList<>();
    private final Map<Digest, Long> executions = new HashMap<>(); // the first receipt of each
    private final Set<Digest> ambiguous = new HashSet<>(); // those with more than one

    /**
     * One record. Immutable.
     *
     * @param offset where its frame begins
     * @param hmac of its envelope
     */
    record Entry(long offset, Digest hmac) {}

    ReceiptIndex(Digest keyId) {
        this.keyId = keyId;
    }

    /** The next one; once more where memory ended the first time: it counts when all is there. */
    void add(long offset, ReceiptEnvelope envelope) {
        Entry entry = new Entry(offset, envelope.thisHmac());
        Receipt receipt = envelope.receipt();
        ReceiptReservation execution = new ReceiptReservation(
                envelope.sessionId(),
                envelope.controllerPlanDigest(),
                receipt.resource().profileDigest());
        Digest name = name(receipt.kind(), execution);
        Long first = executions.putIfAbsent(name, envelope.sequence());
        if (first != null && first != envelope.sequence()) {
            ambiguous.add(name);
        }
        entries.add(entry);
    }

    private static Digest name(ReceiptKind kind, ReceiptReservation execution) {
        return new DigestWriter(kind.word())
                .string(execution.sessionId().text())
                .digest(execution.controllerPlanDigest())
                .digest(execution.profileDigest())
                .sha256();
    }

    /** How many records there are, which is the sequence of the last. */
    int size() {
        return entries.size();
    }

    /** Of a sequence from 1 to the size. */
    Entry entry(long sequence) {
        return entries.get((int) sequence - 1);
    }

    Anchor head() {
        return at(size());
    }

    private Anchor at(int sequence) {
        return sequence == 0
                ? Anchor.genesis(keyId)
                : new Anchor(keyId, sequence, entry(sequence).hmac());
    }

    /** Whether a peer that has this has seen the beginning of this very journal. */
    boolean holds(Anchor anchor) {
        return !U64.isLess(size(), anchor.sequence())
                && at((int) anchor.sequence()).equals(anchor);
    }

    /** The receipt of an execution; empty when there is none. */
    OptionalLong find(ReceiptKind kind, ReceiptReservation execution) {
        Long found = executions.get(name(kind, execution));
        return found == null ? OptionalLong.empty() : OptionalLong.of(found);
    }

    /** Whether there is more than one. */
    boolean isAmbiguous(ReceiptKind kind, ReceiptReservation execution) {
        return ambiguous.contains(name(kind, execution));
    }
}
