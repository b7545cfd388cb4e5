package glove.session.exposure;

import glove.journal.AppendLog;
import glove.journal.RecordException;
import glove.policy.session.ExposureOffer;
import glove.policy.session.ExposurePolicy;
import glove.policy.session.ExposureRequest;
import glove.policy.session.ExposureRoot;
import glove.policy.session.ExposureScope;
import glove.session.exposure.ExposureRecord.Created;
import glove.session.exposure.ExposureRecord.Described;
import glove.session.exposure.ExposureRecord.Head;
import glove.session.exposure.ExposureRecord.Revoked;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.U64;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the journal says up to some record. {@link #add} is the one way in, for records that are
 * read and for those that are about to be written, so that nothing is written that could not be
 * read. Confined to one thread until it is handed out; never changed after that.
 */
final class ExposureBook {
    /** How many exposures there may be, those that are over included. */
    static final int EXPOSURES_MAX = 1024;

    private final ExposurePolicy policy;
    private final TreeMap<ExposureKey, HeldExposure> held;
    private final Map<Id128, Use> uses;
    private final long bytesMax;
    private Digest lastHash;
    private long sequence;
    private long bytes = ExposureRegistry.HEADER.length();
    private long owedBytes; // for taking back what can be granted
    private long owedRecords;

    /**
     * What a key was used for. Immutable.
     *
     * @param creation whether to expose something; otherwise to take it back
     */
    record Use(boolean creation, Digest digest, ExposureKey key) {}

    /** Of no record, of a journal of the usual size. */
    ExposureBook(ExposurePolicy policy) {
        this(policy, ExposureRegistry.BYTES_MAX_DEFAULT);
    }

    /**
     * Of no record.
     *
     * @param bytesMax of the journal
     */
    ExposureBook(ExposurePolicy policy, long bytesMax) {
        this.policy = policy;
        this.bytesMax = bytesMax;
        this.held = new TreeMap<>();
        this.uses = new HashMap<>();
        this.lastHash = Digest.ZERO;
    }

    private ExposureBook(ExposureBook other) {
        this.policy = other.policy;
        this.bytesMax = other.bytesMax;
        this.held = new TreeMap<>(other.held);
        this.uses = new HashMap<>(other.uses);
        this.lastHash = other.lastHash;
        this.sequence = other.sequence;
        this.bytes = other.bytes;
        this.owedBytes = other.owedBytes;
        this.owedRecords = other.owedRecords;
    }

    /**
     * With one record more.
     *
     * @param payloadBytes of it in the journal
     */
    ExposureBook with(ExposureRecord record, int payloadBytes) throws RecordException {
        ExposureBook next = new ExposureBook(this);
        next.add(record, payloadBytes);
        return next;
    }

    /**
     * How full the journal is when all its records are written. What taking back all that can be
     * granted will need, exactly at most, counts as used.
     */
    AppendLog.Room room() {
        return new AppendLog.Room(
                bytes + owedBytes, bytesMax, sequence + owedRecords, ExposureRegistry.RECORDS_MAX);
    }

    /** Whether room for taking it back was set aside: it is the newest of its name, and stands. */
    boolean isOwed(ExposureKey key) {
        return find(key).isPresent()
                && find(key).get().state() == ExposureState.ACTIVE
                && latest(key.exposureId()).orElseThrow().key().equals(key);
    }

    private void owe(ExposureKey key, int times) {
        owedBytes += (long) times * ExposureRecordJson.revocationBytesMax(key);
        owedRecords += times;
    }

    Optional<HeldExposure> find(ExposureKey key) {
        return Optional.ofNullable(held.get(key));
    }

    /** The newest generation of a name. */
    Optional<HeldExposure> latest(Id128 exposureId) {
        return Optional.ofNullable(held.floorEntry(ExposureKey.last(exposureId)))
                .map(Map.Entry::getValue)
                .filter(found -> found.scope().exposureId().equals(exposureId));
    }

    Optional<Use> use(Id128 requestId) {
        return Optional.ofNullable(uses.get(requestId));
    }

    /** All, by name and generation. */
    Collection<HeldExposure> all() {
        return Collections.unmodifiableCollection(held.values());
    }

    /** The state at some time, by the journal alone: only the newest generation may be active. */
    ExposureState stateAt(HeldExposure exposure, long nowMs) {
        boolean over = U64.compare(exposure.scope().expiresAtMs(), nowMs) <= 0
                || !latest(exposure.scope().exposureId())
                        .orElseThrow()
                        .key()
                        .equals(exposure.key());
        return exposure.state() == ExposureState.ACTIVE && over
                ? ExposureState.EXPIRED
                : exposure.state();
    }

    /** The head of the record that comes next, without its hash. */
    Head nextHead(Id128 requestId, Digest requestDigest) {
        return new Head(sequence + 1, requestId, requestDigest, lastHash, Digest.ZERO);
    }

    /**
     * Adds the next record, if it follows.
     *
     * @param payloadBytes of it in the journal
     */
    void add(ExposureRecord record, int payloadBytes) throws RecordException {
        Head head = record.head();
        require(
                head.sequence() == sequence + 1,
                "has the number " + U64.text(head.sequence()) + " where " + (sequence + 1)
                        + " belongs");
        require(head.previousHash().equals(lastHash), "does not follow the record before it");
        require(head.recordHash().equals(record.hash()), "is not what its digest says");
        require(
                !uses.containsKey(head.requestId()),
                "has the key of an earlier record, '" + head.requestId() + "'");
        switch (record) {
            case Created created -> create(created);
            case Revoked revoked -> revoke(revoked);
        }
        bytes += payloadBytes + ExposureRecordJson.FRAME_BYTES;
        sequence = head.sequence();
        lastHash = head.recordHash();
    }

    private void create(Created created) throws RecordException {
        Described what = created.what();
        Id128 id = what.key().exposureId();
        Optional<HeldExposure> before = latest(id);
        long generation = before.map(old -> old.scope().generation()).orElse(0L) + 1;
        require(
                what.key().generation() == generation,
                "makes generation " + U64.text(what.key().generation()) + " of '" + id + "' where "
                        + U64.text(generation) + " belongs");
        // Its time began when that of the other was over, and it has some.
        require(
                before.isEmpty()
                        || before.get().state() != ExposureState.ACTIVE
                        || U64.isLess(before.get().scope().expiresAtMs(), what.expiresAtMs()),
                "makes another generation of '" + id + "' while one is active");
        require(held.size() < EXPOSURES_MAX, "is one more than " + EXPOSURES_MAX + " exposures");
        require(ExposureRequest.isLabel(what.label()), "has no label");
        require(what.expiresAtMs() != 0, "does not say when it expires");
        ExposureScope scope = new ExposureScope(
                id, generation, what.rootId(), what.source(), offer(created), what.expiresAtMs());
        require(what.scopeDigest().equals(scope.digest()), "has the digest of another scope");
        before.filter(old -> isOwed(old.key())).ifPresent(old -> owe(old.key(), -1));
        held.put(
                what.key(),
                new HeldExposure(
                        scope,
                        what.scopeDigest(),
                        what.label(),
                        created.hostPath(),
                        created.parentIdentity(),
                        ExposureState.ACTIVE));
        owe(what.key(), 1);
        Head head = created.head();
        uses.put(head.requestId(), new Use(true, head.requestDigest(), what.key()));
    }

    /** What was offered, which the policy of today must still allow. */
    private ExposureOffer offer(Created created) throws RecordException {
        Described what = created.what();
        Optional<String> complaint = ExposureOffer.complaint(what.modes(), what.templates());
        require(complaint.isEmpty(), complaint.orElse(""));
        ExposureOffer offer = ExposureOffer.of(what.modes(), what.templates());
        require(
                offer.modes().equals(what.modes()) && offer.templates().equals(what.templates()),
                "has modes or runtime templates out of order");
        String of = "exposes '" + what.key().exposureId() + "' ";
        Optional<ExposureRoot> root = policy.root(what.rootId());
        require(
                root.isPresent(),
                of + "below the root '" + what.rootId() + "', which the exposure policy has no "
                        + "more: put it back, or begin another journal");
        Optional<String> refusal =
                policy.refusal(root.orElseThrow(), created.hostPath().path(), offer);
        require(
                refusal.isEmpty(),
                of + "as the exposure policy does not allow any more (" + refusal.orElse("")
                        + "): put it back, or begin another journal");
        return offer;
    }

    private void revoke(Revoked revoked) throws RecordException {
        Optional<HeldExposure> target = find(revoked.key());
        boolean active = target.isPresent() && target.get().state() == ExposureState.ACTIVE;
        require(active, "takes back what is not active");
        require(
                revoked.state() != ExposureState.ACTIVE && revoked.revokedAtMs() != 0,
                "takes back without an end");
        Head head = revoked.head();
        Digest digest = ExposureRequest.revokeDigest(
                head.requestId(), revoked.key().exposureId(), revoked.key().generation());
        require(head.requestDigest().equals(digest), "has the digest of another request");
        if (isOwed(revoked.key())) {
            owe(revoked.key(), -1);
        }
        held.put(revoked.key(), target.orElseThrow().ended(revoked.state()));
        uses.put(head.requestId(), new Use(false, digest, revoked.key()));
    }

    private static void require(boolean holds, String otherwise) throws RecordException {
        if (!holds) {
            throw new RecordException(otherwise);
        }
    }
}
