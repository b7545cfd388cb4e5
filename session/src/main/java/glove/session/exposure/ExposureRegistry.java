package glove.session.exposure;

import static glove.session.exposure.ExposureRefusedException.unless;
import static glove.session.exposure.ExposureRefusedException.unlessEmpty;

import glove.journal.AppendLayout;
import glove.journal.AppendLog;
import glove.journal.AppendLogException;
import glove.journal.RecordException;
import glove.journal.TornTail;
import glove.policy.session.ExposureGrants;
import glove.policy.session.ExposureMode;
import glove.policy.session.ExposurePolicy;
import glove.policy.session.ExposureRequest;
import glove.policy.session.ExposureRoot;
import glove.policy.session.PathGrant;
import glove.session.RegistryCall;
import glove.session.exposure.ExposureRefusedException.Reason;
import glove.session.exposure.PinnedRoots.Found;
import glove.session.exposure.PinnedRoots.Located;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.UnixPath;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.U64;

import java.util.List;
import java.util.Optional;

/**
 * What the owner has exposed to controllers, below the directories of the {@link ExposurePolicy}:
 * in a journal that is read whole when it is opened, and of which every record must follow from
 * those before it and be within today's policy. A request is answered when it is on disk; with the
 * same key it is done once, for ever.
 *
 * <p>A grant is checked against the journal, and against the file or directory itself: another one
 * of the same name is not what was exposed.
 *
 * <p>Thread-safe. Owns the log and the descriptors of the roots.
 */
public final class ExposureRegistry implements AutoCloseable {
    /** How large a journal may be unless something else is said. */
    public static final long BYTES_MAX_DEFAULT = 8L << 20;

    /** The first bytes of the journal. */
    static final String HEADER = "GLOVE-EXPOSURE1\0";

    /** And how many records. */
    static final long RECORDS_MAX = 4096;

    /** How many exposures a journal may hold, those that are over included. */
    public static final int EXPOSURES_MAX = ExposureBook.EXPOSURES_MAX;

    private static final int LOW_PERCENT = 90;

    private static final long MS_PER_SECOND = 1000;

    private final ExposurePolicy policy;
    private final PinnedRoots roots;
    private final AppendLog log;
    private final ExposureMemory memory;

    private ExposureRegistry(
            ExposurePolicy policy, PinnedRoots roots, AppendLog log, ExposureMemory memory) {
        this.policy = policy;
        this.roots = roots;
        this.log = log;
        this.memory = memory;
    }

    /**
     * Opens a journal, or makes an empty one.
     *
     * @param journal in a directory that is the caller's alone
     * @param bytesMax of the file
     * @throws RootException when a directory of the policy cannot be used
     * @throws AppendLogException when the journal cannot, or holds anything that does not follow;
     *     it is left as it is then
     */
    public static ExposureRegistry open(
            Linux linux, ExposurePolicy policy, UnixPath journal, long bytesMax)
            throws RootException, AppendLogException {
        PinnedRoots roots = PinnedRoots.open(linux, policy);
        boolean usable = false;
        try {
            ExposureBook book = new ExposureBook(policy, bytesMax);
            AppendLog log = openLog(linux, journal, bytesMax, book);
            usable = true;
            return new ExposureRegistry(policy, roots, log, new ExposureMemory(book));
        } finally {
            if (!usable) {
                roots.close();
            }
        }
    }

    /** Opens the journal alone, and reads it into an empty book. */
    static AppendLog openLog(Linux linux, UnixPath journal, long bytesMax, ExposureBook book)
            throws AppendLogException {
        return AppendLog.open(
                linux, journal, layout(bytesMax), AppendLog.Opening.EITHER, new Reading(book));
    }

    static AppendLayout layout(long bytesMax) {
        return new AppendLayout(
                "exposure journal",
                HEADER,
                new AppendLayout.Bounds(ExposureRecordJson.RECORD_BYTES_MAX, bytesMax, RECORDS_MAX),
                AppendLayout.Parent.OWNER_ONLY);
    }

    /** What the journal holds, into a book. Confined to the opening thread. */
    record Reading(ExposureBook book) implements AppendLog.Replay {
        @Override
        public void record(long offset, byte[] payload) throws RecordException {
            book.add(ExposureRecordJson.decode(payload), payload.length);
        }
    }

    /** What opening it had to cut off, once. */
    public Optional<TornTail> repaired() {
        return log.repaired();
    }

    /** How full it is. */
    public AppendLog.Room room() {
        return log.room();
    }

    /** How many exposures there are, those that are over included. */
    public int count() {
        return memory.onDisk().all().size();
    }

    /** Whether it is time to say that soon nothing more can be exposed, whatever bound is near. */
    public boolean isRoomLow() {
        return roomSpokenFor().isLow() || count() >= (EXPOSURES_MAX * LOW_PERCENT + 99) / 100;
    }

    /** The same, with the room that taking back all that stands will need. */
    public AppendLog.Room roomSpokenFor() {
        return memory.onDisk().room();
    }

    /**
     * Exposes a file or a directory.
     *
     * @param submitted as it was sent
     * @param requestId the key under which it is done once
     * @param nowMs milliseconds since 1970, not 0
     */
    public ExposureReply create(ExposureRequest.Submitted submitted, Id128 requestId, long nowMs) {
        return create(submitted, new RegistryCall(requestId, nowMs));
    }

    /** The same, if it can be done in time. */
    public ExposureReply create(ExposureRequest.Submitted submitted, RegistryCall call) {
        Id128 requestId = call.key();
        long nowMs = call.nowMs();
        return answer(() -> {
            unless(nowMs != 0, Reason.INVALID, "the time is missing");
            unlessEmpty(submitted.complaint(), Reason.INVALID);
            ExposureRequest asked = submitted.request(requestId);
            Optional<ExposureReply> repeated = ExposureChange.repeated(
                    new ExposureRequests.Creation(asked, Optional.empty(), nowMs), memory.onDisk());
            if (repeated.isPresent()) {
                return repeated.get();
            }
            checkPolicy(asked);
            try (Located found = roots.locate(asked.rootId(), asked.hostPath().path())) {
                return log.commit(new ExposureChange(
                        memory,
                        new ExposureRequests.Creation(asked, Optional.of(found.place()), nowMs),
                        call.deadline()));
            }
        });
    }

    private void checkPolicy(ExposureRequest asked) throws ExposureRefusedException {
        Optional<ExposureRoot> root = policy.root(asked.rootId());
        unless(
                root.isPresent(),
                Reason.POLICY,
                "the root '" + asked.rootId() + "' is not configured; allowed roots: "
                        + policy.rootNames());
        unlessEmpty(root.orElseThrow().refusalOfTtl(asked.ttlSecs()), Reason.POLICY);
        unlessEmpty(
                policy.refusal(root.orElseThrow(), asked.hostPath().path(), asked.offer()),
                Reason.POLICY);
    }

    /**
     * Takes an exposure back: from now on no grant of it is good. Sessions that run go on.
     *
     * @param exposureId as it was sent
     * @param generation u64
     * @param requestId the key under which it is done once
     * @param nowMs milliseconds since 1970, not 0
     */
    public ExposureReply revoke(String exposureId, long generation, Id128 requestId, long nowMs) {
        return revoke(exposureId, generation, new RegistryCall(requestId, nowMs));
    }

    /** The same, if it can be done in time. */
    public ExposureReply revoke(String exposureId, long generation, RegistryCall call) {
        Id128 requestId = call.key();
        long nowMs = call.nowMs();
        return answer(() -> {
            unless(nowMs != 0, Reason.INVALID, "the time is missing");
            unless(
                    Id128.is(exposureId) && generation != 0,
                    Reason.INVALID,
                    "exposure_id is " + Id128.CLASS.words() + ", and generation is not 0");
            return log.commit(new ExposureChange(
                    memory,
                    new ExposureRequests.Revocation(
                            requestId, new ExposureKey(new Id128(exposureId), generation), nowMs),
                    call.deadline()));
        });
    }

    /** An answer, or why there is none. */
    private interface Deciding {
        ExposureReply decide() throws ExposureRefusedException, AppendLogException;
    }

    private ExposureReply answer(Deciding deciding) {
        try {
            log.verify();
            return deciding.decide();
        } catch (ExposureRefusedException e) {
            return new ExposureReply.Refused(e.reason(), e.getMessage());
        } catch (AppendLogException e) {
            boolean full = e.fault() == AppendLogException.Fault.FULL;
            return new ExposureReply.Refused(
                    full ? Reason.CAPACITY : Reason.STORAGE, e.getMessage());
        }
    }

    /**
     * The catalogue: all exposures there ever were, by name and generation, as they stand now.
     *
     * @param nowMs milliseconds since 1970
     * @throws AppendLogException when the journal is of no more use
     * @throws ExposureRefusedException when it cannot be found out now how they stand
     */
    public List<ExposureView> list(long nowMs) throws AppendLogException, ExposureRefusedException {
        log.verify();
        return ExposureCatalogue.of(memory.onDisk(), roots, nowMs);
    }

    /** Whether grants of plans are good, looked up here. */
    public ExposureGrants grants() {
        return (grant, terms, template, nowMs) -> {
            try {
                check(grant, terms, template, nowMs).close();
                return Optional.empty();
            } catch (ExposureRefusedException e) {
                return Optional.of(e.getMessage());
            }
        };
    }

    /**
     * Checks a grant again and opens what it is of; the caller closes it.
     *
     * @param template that wants it
     * @param nowMs milliseconds since 1970
     * @throws ExposureRefusedException when it is not good any more, with why; names no path
     */
    public GrantedExposure resolve(
            PathGrant.Exposed grant, PathGrant.Terms terms, Id128 template, long nowMs)
            throws ExposureRefusedException {
        Found found = check(grant, terms, template, nowMs);
        return new GrantedExposure(
                found.fd(), found.isDirectory(), grant, terms, found.identity().digest());
    }

    /** Controllers are told why: no path, no root. */
    private Found check(PathGrant.Exposed grant, PathGrant.Terms terms, Id128 template, long nowMs)
            throws ExposureRefusedException {
        ExposureBook book = verifiedBook();
        ExposureMode mode = ExposureMode.of(terms);
        unless(
                mode.isValid() && terms.ttlSecs() != 0,
                Reason.INVALID,
                "asks for " + mode + " for " + U64.text(terms.ttlSecs())
                        + " seconds, which no exposure has");
        Optional<HeldExposure> found = book.find(new ExposureKey(grant.id(), grant.generation()));
        unless(
                found.isPresent(),
                Reason.STATE,
                "names generation " + U64.text(grant.generation()) + ", which there is not");
        HeldExposure held = found.orElseThrow();
        ExposureState state = book.stateAt(held, nowMs);
        unless(
                state == ExposureState.ACTIVE,
                Reason.STATE,
                "names generation " + U64.text(grant.generation()) + ", which is " + state.word());
        unless(
                held.scopeDigest().equals(grant.scopeDigest()),
                Reason.STATE,
                "has the scope_digest of something else: list the exposures again");
        long left = Long.divideUnsigned(held.scope().expiresAtMs() - nowMs, MS_PER_SECOND);
        unless(
                U64.compare(terms.ttlSecs(), left) <= 0,
                Reason.POLICY,
                "asks for " + U64.text(terms.ttlSecs()) + " seconds, and " + U64.text(left)
                        + " are left");
        unless(
                held.scope().offer().templates().contains(template),
                Reason.POLICY,
                "is not for the runtime template '" + template + "'");
        unless(
                held.scope().offer().allows(mode),
                Reason.POLICY,
                "asks for " + mode + ", which was not exposed");
        try {
            return ExposureCatalogue.source(roots, held);
        } catch (ExposureRefusedException e) {
            throw e.reason() == Reason.UNAVAILABLE
                    ? new ExposureRefusedException(
                            Reason.UNAVAILABLE, "is of something that cannot be looked at now")
                    : new ExposureRefusedException(
                            Reason.SOURCE, "is of something that is not there any more");
        }
    }

    private ExposureBook verifiedBook() throws ExposureRefusedException {
        try {
            log.verify();
        } catch (AppendLogException e) {
            throw new ExposureRefusedException(
                    Reason.STORAGE, "cannot be looked up: the exposure journal is of no more use");
        }
        return memory.onDisk();
    }

    /**
     * Where something that was exposed belongs, also when its time is over: for finishing what was
     * begun while it was not. The caller closes it.
     *
     * @param scope digest of what was exposed
     * @param source digest of what it was
     * @throws ExposureRefusedException when that was not exposed, or its directory is another one
     */
    public RecoveryTarget recoveryTarget(
            Id128 exposureId, long generation, Digest scope, Digest source)
            throws ExposureRefusedException {
        Optional<HeldExposure> found = verifiedBook().find(new ExposureKey(exposureId, generation));
        boolean known = found.isPresent()
                && found.get().scopeDigest().equals(scope)
                && found.get().scope().sourceIdentity().equals(source);
        unless(known, Reason.STATE, "that was never exposed as '" + exposureId + "'");
        HeldExposure held = found.orElseThrow();
        boolean kept = false;
        Found parent =
                roots.parent(held.scope().rootId(), held.hostPath().path(), OpenFlags.O_RDONLY);
        try {
            unless(
                    parent.identity().digest().equals(held.parentIdentity()),
                    Reason.SOURCE,
                    "the directory of '" + exposureId + "' is not the one it was exposed in");
            kept = true;
            return new RecoveryTarget(
                    parent.fd(), UnixPath.of(held.hostPath().path().text()).name());
        } finally {
            if (!kept) {
                parent.close();
            }
        }
    }

    /** Finishes what waits, and gives the journal back. */
    @Override
    public void close() {
        log.close();
        roots.close();
    }
}
