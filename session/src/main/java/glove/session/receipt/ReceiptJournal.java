package glove.session.receipt;

import glove.journal.AppendLog;
import glove.journal.AppendLogException;
import glove.journal.AppendLogException.Fault;
import glove.journal.Change;
import glove.journal.RecordException;
import glove.journal.TornTail;
import glove.session.ReceiptReservation;
import glove.sys.Linux;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All receipts of a daemon, in an {@link AppendLog} whose records form one chain. Receipts that
 * were appended are on disk. Room can be set aside for those that will come.
 *
 * <p>Thread-safe. Owns the log.
 */
final class ReceiptJournal implements AutoCloseable {
    private final AppendLog log;
    private final ReceiptStore store;
    private final AuditKey key;
    private final Object lock = new Object();
    private final ReceiptIndex index; // of what is on disk; guarded by lock
    private long end; // of what is on disk; guarded by lock
    private long reserved; // how many receipts room is set aside for; guarded by lock

    // The committer thread's: what will be on disk when all that waits is.
    private Anchor madeHead;
    private long madeEnd;

    /** All that stands in a journal, into memory. Confined to the opening thread. */
    private static final class Reading implements AppendLog.Replay {
        private final ReceiptChain chain;
        private final ReceiptIndex index;
        private final Optional<Anchor> trusted;
        private boolean foreign; // whether the anchor is not of this journal

        Reading(AuditKey key, Optional<Anchor> trusted) {
            this.chain = new ReceiptChain(key);
            this.index = new ReceiptIndex(key.id());
            this.trusted = trusted;
        }

        @Override
        public void record(long offset, byte[] payload) throws RecordException {
            ReceiptEnvelope envelope = ReceiptRecord.decode(payload);
            chain.follow(envelope);
            index.add(offset, envelope);
        }

        @Override
        public void end(long records, long tornBytes) throws RecordException {
            if (trusted.isPresent() && !index.holds(trusted.get())) {
                foreign = true;
                throw new RecordException("has " + records + " whole receipts, and the peer's "
                        + trusted.get() + " is no place among them: receipts were lost, or the "
                        + "peer's are another journal's; restore the journal from a copy");
            }
            if (trusted.isEmpty() && tornBytes > 0) {
                throw new RecordException("ends in the middle of a record (" + tornBytes
                        + " bytes): it is repaired when a peer says what it has of it");
            }
        }
    }

    private ReceiptJournal(AppendLog log, ReceiptStore store, AuditKey key, ReceiptIndex index) {
        this.log = log;
        this.store = store;
        this.key = key;
        this.index = index;
        this.end = log.room().bytes();
        this.madeHead = index.head();
        this.madeEnd = end;
    }

    /** A new journal. */
    static ReceiptJournal create(Linux linux, ReceiptStore store, AuditKey key)
            throws ReceiptException {
        return open(linux, store, key, AppendLog.Opening.NEW, Optional.empty());
    }

    /**
     * One that is there.
     *
     * @param trusted what a peer has of it, which must be a place in it; without that, nothing is
     *     repaired
     * @throws ReceiptException ANCHOR when it is none, STORAGE for all else; the journal is left as
     *     it is
     */
    static ReceiptJournal open(
            Linux linux, ReceiptStore store, AuditKey key, Optional<Anchor> trusted)
            throws ReceiptException {
        return open(linux, store, key, AppendLog.Opening.EXISTING, trusted);
    }

    private static ReceiptJournal open(
            Linux linux,
            ReceiptStore store,
            AuditKey key,
            AppendLog.Opening opening,
            Optional<Anchor> trusted)
            throws ReceiptException {
        Reading reading = new Reading(key, trusted);
        try {
            AppendLog log =
                    AppendLog.open(linux, store.path(), store.layout(key.id()), opening, reading);
            return new ReceiptJournal(log, store, key, reading.index);
        } catch (AppendLogException e) {
            throw reading.foreign
                    ? new ReceiptException(ReceiptException.Fault.ANCHOR, e.getMessage())
                    : new ReceiptException(e);
        }
    }

    /** What opening it had to cut off, once. */
    Optional<TornTail> repaired() {
        return log.repaired();
    }

    /** The place behind all that is on disk. */
    Anchor head() throws AppendLogException {
        log.verify();
        synchronized (lock) {
            return index.head();
        }
    }

    boolean holds(Anchor anchor) throws AppendLogException {
        log.verify();
        synchronized (lock) {
            return index.holds(anchor);
        }
    }

    /** Sets room aside for one receipt of any size; false when there is none. */
    boolean reserve() throws AppendLogException {
        log.verify();
        synchronized (lock) {
            if (freeBytes() < ReceiptStore.RESERVED_BYTES) {
                return false;
            }
            reserved++;
            return true;
        }
    }

    /** Gives such room back. */
    void release() {
        synchronized (lock) {
            reserved--;
        }
    }

    /** How many bytes are neither used nor set aside. */
    long freeBytes() {
        synchronized (lock) {
            return store.bytesMax() - end - reserved * ReceiptStore.RESERVED_BYTES;
        }
    }

    /**
     * Appends, into room that was set aside and is used up by that.
     *
     * @throws AppendLogException when it is not on disk; the room is still set aside. FULL when the
     *     receipt is larger than a record may be
     */
    ReceiptEnvelope append(ReceiptReservation of, Receipt receipt) throws AppendLogException {
        return log.commit(new Appending(of, receipt));
    }

    /** One receipt more. */
    private final class Appending implements Change<ReceiptEnvelope> {
        private final ReceiptReservation of;
        private final Receipt receipt;
        private Anchor headBefore = Anchor.genesis(key.id());
        private long endBefore;
        private long endAfter;
        private Optional<ReceiptEnvelope> made = Optional.empty();

        Appending(ReceiptReservation of, Receipt receipt) {
            this.of = of;
            this.receipt = receipt;
        }

        @Override
        public Optional<byte[]> make(long sequence) {
            ReceiptEnvelope envelope = ReceiptEnvelope.seal(
                    key, madeHead, of.sessionId(), of.controllerPlanDigest(), receipt);
            byte[] payload = ReceiptRecord.encode(envelope);
            Optional<byte[]> record = Optional.of(payload);
            Anchor head = envelope.anchor();
            headBefore = madeHead;
            endBefore = madeEnd;
            made = Optional.of(envelope); // from here on no more memory is needed
            madeHead = head;
            madeEnd += payload.length + ReceiptStore.FRAME_BYTES;
            endAfter = madeEnd;
            return record;
        }

        @Override
        public ReceiptEnvelope done() {
            ReceiptEnvelope envelope = made.orElseThrow();
            synchronized (lock) {
                index.add(endBefore, envelope);
                end = endAfter;
                reserved--;
            }
            return envelope;
        }

        @Override
        public void undone() {
            if (made.isPresent()) {
                madeHead = headBefore;
                madeEnd = endBefore;
            }
        }
    }

    /**
     * What stands behind a place.
     *
     * @param after a place of this journal
     * @param limit how many at most
     */
    ReceiptPage page(Anchor after, int limit) throws AppendLogException {
        Anchor head;
        List<ReceiptIndex.Entry> wanted = new ArrayList<>();
        synchronized (lock) {
            head = index.head();
            long last = Math.min(head.sequence(), after.sequence() + limit);
            for (long sequence = after.sequence() + 1; sequence <= last; sequence++) {
                wanted.add(index.entry(sequence));
            }
        }
        List<ReceiptEnvelope> envelopes = new ArrayList<>();
        for (ReceiptIndex.Entry entry : wanted) {
            envelopes.add(read(entry));
        }
        boolean more = after.sequence() + envelopes.size() < head.sequence();
        return new ReceiptPage(envelopes, more, head);
    }

    private ReceiptEnvelope read(ReceiptIndex.Entry entry) throws AppendLogException {
        try {
            ReceiptEnvelope envelope = ReceiptRecord.decode(log.read(entry.offset()));
            if (envelope.thisHmac().equals(entry.hmac()) && envelope.isAuthentic(key)) {
                return envelope;
            }
            throw new RecordException("is not the one that was written");
        } catch (RecordException e) {
            throw new AppendLogException(
                    Fault.CORRUPT,
                    "receipt journal '" + store.path() + "': the record at byte " + entry.offset()
                            + " " + e.getMessage());
        }
    }

    /** The receipt at a place; empty when there is none. */
    Optional<ReceiptEnvelope> at(long sequence) throws AppendLogException {
        log.verify();
        ReceiptIndex.Entry entry;
        synchronized (lock) {
            if (sequence < 1 || sequence > index.size()) {
                return Optional.empty();
            }
            entry = index.entry(sequence);
        }
        return Optional.of(read(entry));
    }

    /** The sequence of an execution's receipt, 0 when there is none, -1 when there are several. */
    long find(ReceiptKind kind, ReceiptReservation execution) throws AppendLogException {
        log.verify();
        synchronized (lock) {
            return index.isAmbiguous(kind, execution)
                    ? -1
                    : index.find(kind, execution).orElse(0);
        }
    }

    /** Finishes what waits, and gives the file back. */
    @Override
    public void close() {
        log.close();
    }
}
