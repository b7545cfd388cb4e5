package glove.session.receipt;

import glove.journal.AppendLogException;
import glove.journal.DurableFileException;
import glove.journal.RecordException;
import glove.journal.TornTail;
import glove.policy.session.TerminationCause;
import glove.session.ReceiptCheck;
import glove.session.ReceiptLink;
import glove.session.ReceiptReservation;
import glove.session.TerminalEnvelope;
import glove.session.receipt.ReceiptException.Fault;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.Digest;

import java.util.Optional;

/**
 * Writes the receipts of a daemon, and hands them to the peer that archives them (sheet 40, 7).
 *
 * <p>The peer begins: it says which receipt is the last it has ({@link #bootstrap}), reads what
 * came after ({@link #pageAfter}), archives it, and {@linkplain #acknowledge acknowledges} the
 * end. Only then may sessions run, each of which has room for its receipt {@linkplain #reserve set
 * aside} before. So no session runs that could end without a receipt, and none is written on top
 * of a journal that lost some.
 *
 * <p>Thread-safe. Owns the journal.
 */
public final class ReceiptProducer implements ReceiptCheck, AutoCloseable {
    private static final int CODE_MAX = 255;
    private static final int ROOM_LOW_DIVISOR = 10;

    private final Linux linux;
    private final AuditKey key;
    private final ReceiptStore store;
    private final Object lock = new Object();
    private Optional<ReceiptJournal> opened = Optional.empty(); // guarded by lock
    private boolean reconciled; // guarded by lock

    private ReceiptProducer(Linux linux, AuditKey key, ReceiptStore store) {
        this.linux = linux;
        this.key = key;
        this.store = store;
    }

    /**
     * Reads the key. The journal is not touched before the peer is there.
     *
     * @param keyFile absolute, the owner's with mode 600
     * @param store absolute, too; another file
     * @throws DurableFileException when one of the paths or the key is not as it should be
     */
    public static ReceiptProducer of(Linux linux, UnixPath keyFile, ReceiptStore store)
            throws DurableFileException {
        if (!store.path().isAbsolute()) {
            throw new DurableFileException("the receipt journal '" + store.path()
                    + "' is a relative path: write it from " + "'/' on");
        }
        if (keyFile.normalize().equals(store.path().normalize())) {
            throw new DurableFileException(
                    "the receipt journal and its key are both '" + keyFile + "': name two files");
        }
        return new ReceiptProducer(linux, AuditKey.read(linux, keyFile), store);
    }

    /** The name of the key. */
    public Digest keyId() {
        return key.id();
    }

    /**
     * Opens the journal, or makes it, if that was not done before.
     *
     * @param peers the last receipt the peer has
     * @throws ReceiptException ANCHOR when that is none of this journal, or there is no journal
     *     and the peer has receipts: nothing is made then; STORAGE when it cannot be used
     */
    public void bootstrap(Anchor peers) throws ReceiptException {
        synchronized (lock) {
            if (opened.isPresent()) {
                return;
            }
            if (isThere()) {
                ReceiptJournal journal = ReceiptJournal.open(linux, store, key, Optional.of(peers));
                opened = Optional.of(journal);
                reconciled = headOf(journal).equals(peers);
                return;
            }
            if (!peers.equals(Anchor.genesis(key.id()))) {
                throw new ReceiptException(
                        Fault.ANCHOR,
                        "there is no receipt journal '" + store.path() + "', and the peer has "
                                + "receipts up to " + peers + " of the key " + peers.keyId()
                                + ": restore the journal from a copy");
            }
            opened = Optional.of(ReceiptJournal.create(linux, store, key));
        }
    }

    private boolean isThere() throws ReceiptException {
        try {
            linux.lstat(store.path());
            return true;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw new ReceiptException(
                    Fault.STORAGE,
                    "receipt journal '" + store.path() + "' cannot be looked at: "
                            + Errno.words(e.errno()));
        }
    }

    private static Anchor headOf(ReceiptJournal journal) throws ReceiptException {
        try {
            return journal.head();
        } catch (AppendLogException e) {
            throw new ReceiptException(e);
        }
    }

    /** Whether {@link #bootstrap} was done. */
    public boolean isBootstrapped() {
        synchronized (lock) {
            return opened.isPresent();
        }
    }

    /** Whether the peer has all receipts that were there when it came; it stays so. */
    public boolean isReconciled() {
        synchronized (lock) {
            return reconciled;
        }
    }

    /** What opening the journal had to cut off, once. */
    public Optional<TornTail> repaired() {
        synchronized (lock) {
            return opened.flatMap(ReceiptJournal::repaired);
        }
    }

    /** For how many sessions more, beside those that run, there is room for receipts for sure. */
    public long roomLeft() {
        synchronized (lock) {
            return opened.map(journal -> journal.freeBytes() / ReceiptStore.RESERVED_BYTES)
                    .orElse(0L);
        }
    }

    /** Whether it is time to say so: nine tenths of the journal are used or set aside. */
    public boolean isRoomLow() {
        synchronized (lock) {
            return opened.isPresent()
                    && opened.get().freeBytes() < store.bytesMax() / ROOM_LOW_DIVISOR;
        }
    }

    private ReceiptJournal journal() throws ReceiptException {
        synchronized (lock) {
            return opened.orElseThrow(() -> new ReceiptException(
                    Fault.NOT_BOOTSTRAPPED, "the peer has not said yet which receipts it has"));
        }
    }

    /**
     * The peer has archived all receipts.
     *
     * @param head up to which; must be the journal's end
     * @return the same
     */
    public Anchor acknowledge(Anchor head) throws ReceiptException {
        Anchor local = headOf(journal());
        if (!local.equals(head)) {
            throw new ReceiptException(
                    Fault.ANCHOR,
                    "the journal ends with " + local + ", not with " + head
                            + ": read the receipts in between first");
        }
        synchronized (lock) {
            reconciled = true;
        }
        return local;
    }

    /**
     * What the peer does not have.
     *
     * @param peers the last receipt it has
     * @param limit how many at most; 1 to {@value ReceiptPage#LIMIT_MAX}
     */
    public ReceiptPage pageAfter(Anchor peers, int limit) throws ReceiptException {
        ReceiptJournal journal = journal();
        if (limit < 1 || limit > ReceiptPage.LIMIT_MAX) {
            throw new ReceiptException(
                    Fault.INVALID, "a page has 1 to " + ReceiptPage.LIMIT_MAX + " receipts");
        }
        try {
            if (!journal.holds(peers)) {
                throw new ReceiptException(
                        Fault.ANCHOR, "the peer's " + peers + " is no place of this journal");
            }
            return journal.page(peers, limit);
        } catch (AppendLogException e) {
            throw new ReceiptException(e);
        }
    }

    /**
     * Sets room aside, before anything is started.
     *
     * @param of for which execution
     * @param shape a receipt as it could be: with all projections, exposures that retain changes
     *     and metrics; its numbers do not count
     * @throws ReceiptException NOT_BOOTSTRAPPED, NOT_RECONCILED; INVALID or TOO_LARGE when such a
     *     receipt could not be written; CAPACITY when the journal is full
     */
    public TerminalReservation reserve(ReceiptReservation of, Receipt shape)
            throws ReceiptException {
        ReceiptJournal journal = journal();
        if (!isReconciled()) {
            throw new ReceiptException(
                    Fault.NOT_RECONCILED, "the peer has not acknowledged all receipts yet");
        }
        checkProfile(of, shape);
        prove(ReceiptSize.widest(of, shape));
        try {
            if (!journal.reserve()) {
                throw new ReceiptException(
                        Fault.CAPACITY,
                        "the receipt journal '" + store.path() + "' has "
                                + journal.freeBytes() + " bytes left, and each session needs "
                                + ReceiptStore.RESERVED_BYTES + ": end some, or begin a new "
                                + "journal with a new key");
            }
        } catch (AppendLogException e) {
            throw new ReceiptException(e);
        }
        return new TerminalReservation(journal, of, shape.kind());
    }

    /**
     * Writes a receipt. It is on disk when this returns, and the room used up; otherwise the room
     * is still set aside.
     *
     * @throws ReceiptException RESERVATION when the room is for something else or used; INVALID
     *     when the receipt is not well made; TOO_LARGE; STORAGE
     */
    public ReceiptEnvelope commit(TerminalReservation room, Receipt receipt)
            throws ReceiptException {
        ReceiptJournal journal = journal();
        synchronized (room) { // one receipt, however many try
            if (!room.isIn(journal) || room.isUsed()) {
                throw new ReceiptException(
                        Fault.RESERVATION, "no room is set aside for this receipt any more");
            }
            if (room.kind() != receipt.kind()) {
                throw new ReceiptException(
                        Fault.RESERVATION,
                        "room is set aside for a receipt of the kind "
                                + room.kind().word() + ", and this is one of "
                                + receipt.kind().word());
            }
            checkProfile(room.of(), receipt);
            ReceiptReservation of = room.of();
            prove(ReceiptEnvelope.seal(
                    key,
                    Anchor.genesis(key.id()),
                    of.sessionId(),
                    of.controllerPlanDigest(),
                    receipt));
            try {
                ReceiptEnvelope written = journal.append(room.of(), receipt);
                room.use();
                return written;
            } catch (AppendLogException e) {
                // There is room in the file: what is full is the record.
                throw e.fault() == AppendLogException.Fault.FULL
                        ? new ReceiptException(Fault.TOO_LARGE, e.getMessage())
                        : new ReceiptException(e);
            }
        }
    }

    /** Here, not in the committer's thread: nothing is written that could not be read. */
    private static void prove(ReceiptEnvelope envelope) throws ReceiptException {
        String complaint = envelope.receipt().complaint();
        if (!complaint.isEmpty()) {
            throw new ReceiptException(Fault.INVALID, "the receipt " + complaint);
        }
        byte[] written = ReceiptRecord.encode(envelope);
        if (written.length > ReceiptRecord.BYTES_MAX) {
            throw new ReceiptException(
                    Fault.TOO_LARGE,
                    "the receipt of the session could have " + written.length
                            + " bytes, and may have " + ReceiptRecord.BYTES_MAX
                            + ": ask for fewer library projections or retained exposures, or for "
                            + "shorter paths");
        }
        try {
            ReceiptRecord.prove(written, envelope);
        } catch (RecordException e) {
            throw new ReceiptException(Fault.INVALID, "the receipt " + e.getMessage());
        }
    }

    private static void checkProfile(ReceiptReservation of, Receipt receipt)
            throws ReceiptException {
        if (!receipt.resource().profileDigest().equals(of.profileDigest())) {
            throw new ReceiptException(
                    Fault.RESERVATION,
                    "the receipt is of the profile " + receipt.resource().profileDigest() + ", and "
                            + of.profileDigest() + " was launched");
        }
    }

    /** Whether the journal has this very envelope. */
    public boolean containsExact(ReceiptEnvelope envelope) throws ReceiptException {
        try {
            return journal().at(envelope.sequence()).equals(Optional.of(envelope));
        } catch (AppendLogException e) {
            throw new ReceiptException(e);
        }
    }

    /**
     * The receipt that says how an execution ended; empty when there is none.
     *
     * @throws ReceiptException AMBIGUOUS when there are several
     */
    public Optional<ReceiptEnvelope> terminalForExecution(
            ReceiptKind kind, ReceiptReservation execution) throws ReceiptException {
        try {
            ReceiptJournal journal = journal();
            long found = journal.find(kind, execution);
            if (found < 0) {
                throw new ReceiptException(
                        Fault.AMBIGUOUS,
                        "several receipts say how the session '" + execution.sessionId()
                                + "' ended: look at them with 'glove receipts show'");
            }
            return journal.at(found);
        } catch (AppendLogException e) {
            throw new ReceiptException(e);
        }
    }

    @Override
    public Worth check(TerminalEnvelope envelope) {
        if (!isWellMade(envelope.receipt())) {
            return Worth.MALFORMED;
        }
        try {
            Optional<ReceiptEnvelope> found = journal().at(envelope.receipt().sequence());
            boolean same = found.isPresent() && found.get().terminal().equals(envelope);
            return same ? Worth.DURABLE : Worth.UNKNOWN;
        } catch (ReceiptException | AppendLogException e) {
            return Worth.UNKNOWN; // what cannot be looked up is not known to be there
        }
    }

    private static boolean isWellMade(ReceiptLink link) {
        Optional<TerminationCause> cause = TerminationCause.CLASS.parse(link.cause());
        boolean exited = cause.isPresent() && cause.get() == TerminationCause.EXITED;
        boolean coded = link.exitCode() >= 0 && link.exitCode() <= CODE_MAX;
        return cause.isPresent()
                && (exited ? coded : link.exitCode() == ReceiptLink.NO_EXIT_CODE)
                && link.sequence() != 0
                && Digest.is(link.keyId())
                && Digest.is(link.digest())
                && Digest.is(link.previousHmac())
                && Digest.is(link.hmac());
    }

    /** Finishes what waits, and gives the journal back. */
    @Override
    public void close() {
        synchronized (lock) {
            opened.ifPresent(ReceiptJournal::close);
        }
    }
}
