package glove.session;

import static glove.session.RefusedException.unless;

import glove.journal.AppendLayout;
import glove.journal.AppendLog;
import glove.journal.AppendLogException;
import glove.journal.RecordException;
import glove.journal.TornTail;
import glove.session.RegistryReply.Refused;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.U64;

import java.util.List;
import java.util.Optional;

/**
 * All sessions a daemon was asked for, in an {@link AppendLog} that is read whole when it is opened
 * and of which every record must follow from those before it. A request is answered when it is on
 * disk. With the same key it is done once, for ever: each key stands in a record.
 *
 * <p>Plans are checked, and launches looked at, in the caller's thread; the decision is made by the
 * log's committer, one after the other, on what the requests before have left.
 *
 * <p>Thread-safe. Owns the log.
 */
public final class SessionRegistry implements AutoCloseable {
    /** The first bytes of the store. */
    static final String HEADER = "GLVSES05";

    /** How large a store may be unless something else is said. */
    public static final long BYTES_MAX_DEFAULT = 64L << 20;

    /** A store must have room for a few records. */
    public static final long BYTES_MAX_LEAST = 1024;

    /** How many records one may have. */
    public static final long RECORDS_MAX = 10_000;

    private final AppendLog log;
    private final RegistryMemory memory;
    private final Checks checks;

    /**
     * Whom the registry asks. Immutable.
     *
     * @param plans for a creation
     * @param launches for a start
     * @param receipts for an end
     */
    public record Checks(PlanCheck plans, LaunchCheck launches, ReceiptCheck receipts) {}

    /**
     * Where a store lies and how large it may be. Immutable.
     *
     * @param path in a directory that is the caller's alone
     * @param bytesMax of the file; at least {@value #BYTES_MAX_LEAST}
     * @param recordsMax in it
     */
    public record Store(UnixPath path, long bytesMax, long recordsMax) {
        /** With the usual bounds. */
        public static Store at(UnixPath path) {
            return new Store(path, BYTES_MAX_DEFAULT, RECORDS_MAX);
        }

        /** Refuses bounds that let nothing through. */
        public Store {
            if (bytesMax < BYTES_MAX_LEAST) {
                throw new IllegalArgumentException("a store of " + bytesMax + " bytes");
            }
        }

        AppendLayout layout() {
            return new AppendLayout(
                    "session store",
                    HEADER,
                    new AppendLayout.Bounds(
                            SessionRecordJson.RECORD_BYTES_MAX, bytesMax, recordsMax),
                    AppendLayout.Parent.OWNER_ONLY);
        }
    }

    private SessionRegistry(AppendLog log, RegistryMemory memory, Checks checks) {
        this.log = log;
        this.memory = memory;
        this.checks = checks;
    }

    /**
     * Opens a store, or makes an empty one.
     *
     * @throws AppendLogException when it cannot be used, or holds anything that does not follow;
     *     it is left as it is then
     */
    public static SessionRegistry open(Linux linux, Store store, Checks checks)
            throws AppendLogException {
        RegistryMemory memory = new RegistryMemory();
        AppendLog log = AppendLog.open(
                linux,
                store.path(),
                store.layout(),
                AppendLog.Opening.EITHER,
                new RegistryReplay(memory));
        return new SessionRegistry(log, memory, checks);
    }

    /** What opening it had to cut off, once. */
    public Optional<TornTail> repaired() {
        return log.repaired();
    }

    /** How full it is. */
    public AppendLog.Room room() {
        return log.room();
    }

    /**
     * Creates a session.
     *
     * @param plan the bytes of its JSON value as they were sent
     */
    public RegistryReply create(
            Id128 sessionId, Digest controllerPlan, byte[] plan, RegistryCall call) {
        return answer(() -> {
            unless(call.nowMs() != 0, RegistryCode.INVALID_REQUEST, "the time is missing");
            Requests.Creation request =
                    new Requests.Creation(sessionId, controllerPlan, plan, call);
            Optional<RegistryReply> repeated = RegistryChange.repeated(request, memory.onDisk());
            if (repeated.isPresent()) {
                return repeated.get();
            }
            try {
                request.setPlan(checks.plans().check(plan, call.nowMs()));
            } catch (PlanRefusedException e) {
                throw new RefusedException(RegistryCode.INVALID_PLAN, e.getMessage());
            }
            return commit(request, (session, nowMs) -> {}, call);
        });
    }

    /** Reserves the start of a created session: it is prepared from now on. */
    public RegistryReply reserveStart(StartAuthorization asked, RegistryCall call) {
        return answer(() -> {
            RegistryCode code = RegistryCode.INVALID_AUTHORIZATION;
            unless(
                    asked.isValid() && call.nowMs() != 0,
                    code,
                    "the authorization has no valid time");
            RegistryChange.Request request = Requests.reserveStart(asked, call);
            Optional<RegistryReply> repeated = RegistryChange.repeated(request, memory.onDisk());
            if (repeated.isPresent()) {
                return repeated.get() instanceof Refused
                        ? repeated.get()
                        : relaunchable(asked, repeated.get());
            }
            unless(asked.holdsAt(call.nowMs()), code, "the authorization does not hold now");
            return commit(request, this::checkLaunch, call);
        });
    }

    /** A repeated reservation is only good for what could be launched when it was given. */
    private RegistryReply relaunchable(StartAuthorization asked, RegistryReply reply)
            throws RefusedException {
        SessionRecord session =
                memory.onDisk().session(asked.sessionId().text()).orElseThrow();
        checkLaunch(session, asked.approvedAtMs());
        return reply;
    }

    private void checkLaunch(SessionRecord session, long nowMs) throws RefusedException {
        Requests.checkLaunch(checks.launches(), session.plan(), nowMs);
    }

    /** Whether a prepared session may be started now, by the start that was authorised. */
    public RegistryReply readyToStart(Id128 sessionId, Id128 authorizationId, long nowMs) {
        return answer(() -> {
            Optional<SessionRecord> session = memory.onDisk().session(sessionId.text());
            unless(session.isPresent(), RegistryCode.NOT_FOUND, "there is no such session");
            SessionRecord found = session.get();
            unless(
                    found.state() == SessionState.PREPARING,
                    RegistryCode.INVALID_STATE,
                    "the session is " + found.state().word());
            unless(
                    found.authorization().id().equals(authorizationId.text())
                            && U64.isLess(nowMs, found.authorization().expiresAtMs()),
                    RegistryCode.INVALID_AUTHORIZATION,
                    "another start was authorized, or it is too late");
            checkLaunch(found, nowMs);
            unless(
                    memory.onDisk().session(sessionId.text()).equals(session),
                    RegistryCode.INVALID_STATE,
                    "the session changed meanwhile");
            return new RegistryReply.Done(SessionView.of(found), false);
        });
    }

    /** What a session runs in exists. */
    public RegistryReply markStarting(
            SessionIds ids, Resources in, ReceiptReservation reserved, RegistryCall call) {
        return answer(() -> {
            unless(
                    in.isValid() && !in.equals(Resources.NONE) && call.nowMs() != 0,
                    RegistryCode.INVALID_REQUEST,
                    "the identity of what it runs in is none");
            unless(
                    reserved.isFor(ids),
                    RegistryCode.INVALID_AUTHORIZATION,
                    "room for a receipt was reserved for something else");
            return repeatOrCommit(Requests.markStarting(ids, in, call), this::checkLaunch, call);
        });
    }

    /** Its process is known. Only when this is answered may it be let go. */
    public RegistryReply markRunning(SessionIds ids, Execution execution, RegistryCall call) {
        return answer(() -> {
            checkExecution(execution, call);
            return repeatOrCommit(
                    Requests.markRunning(ids, execution, call), this::checkLaunch, call);
        });
    }

    /** It is to end. */
    public RegistryReply markStopping(SessionIds ids, Execution execution, RegistryCall call) {
        return answer(() -> {
            checkExecution(execution, call);
            return repeatOrCommit(
                    Requests.markStopping(ids, execution, call), (session, nowMs) -> {}, call);
        });
    }

    private static void checkExecution(Execution execution, RegistryCall call)
            throws RefusedException {
        unless(
                execution.isValid() && call.nowMs() != 0,
                RegistryCode.INVALID_REQUEST,
                "the identity of what runs is none");
    }

    /** It ended, as the envelope says, which must be in the receipt journal. */
    public RegistryReply markExited(TerminalEnvelope envelope, RegistryCall call) {
        return answer(() -> {
            ReceiptCheck.Worth worth = checks.receipts().check(envelope);
            unless(
                    worth != ReceiptCheck.Worth.MALFORMED && call.nowMs() != 0,
                    RegistryCode.INVALID_REQUEST,
                    "the envelope is none");
            unless(
                    worth == ReceiptCheck.Worth.DURABLE,
                    RegistryCode.INVALID_AUTHORIZATION,
                    "the envelope is not in the receipt journal");
            Resources held = held(envelope.sessionId());
            return repeatOrCommit(
                    Requests.markExited(envelope, held, call), (session, nowMs) -> {}, call);
        });
    }

    /** It ended without a receipt. */
    public RegistryReply markFailed(SessionIds ids, FailureCode code, RegistryCall call) {
        return answer(() -> {
            unless(call.nowMs() != 0, RegistryCode.INVALID_REQUEST, "the time is missing");
            Resources held = held(ids.sessionId());
            return repeatOrCommit(
                    Requests.markFailed(ids, code, held, call), (session, nowMs) -> {}, call);
        });
    }

    /** What holds a session never changes once it is started. */
    private Resources held(Id128 sessionId) {
        return memory.onDisk()
                .session(sessionId.text())
                .map(SessionRecord::resources)
                .orElse(Resources.NONE);
    }

    /** What must hold of a session besides its record, and takes time to find out. */
    private interface Condition {
        void check(SessionRecord session, long nowMs) throws RefusedException;
    }

    /** An answer, or why there is none. */
    private interface Deciding {
        RegistryReply decide() throws RefusedException, AppendLogException;
    }

    private RegistryReply answer(Deciding deciding) {
        try {
            log.verify();
            return deciding.decide();
        } catch (RefusedException e) {
            return e.reply();
        } catch (AppendLogException e) {
            boolean full = e.fault() == AppendLogException.Fault.FULL;
            return new Refused(full ? RegistryCode.CAPACITY : RegistryCode.STORAGE, e.getMessage());
        }
    }

    private RegistryReply repeatOrCommit(
            RegistryChange.Request request, Condition condition, RegistryCall call)
            throws RefusedException, AppendLogException {
        Optional<RegistryReply> repeated = RegistryChange.repeated(request, memory.onDisk());
        return repeated.isPresent() ? repeated.get() : commit(request, condition, call);
    }

    private RegistryReply commit(
            RegistryChange.Request request, Condition condition, RegistryCall call)
            throws RefusedException, AppendLogException {
        Optional<SessionRecord> session = memory.onDisk().session(request.sessionId());
        request.decide(session);
        if (session.isPresent()) {
            condition.check(session.get(), call.nowMs());
        }
        return log.commit(new RegistryChange(memory, request, session, call.deadline()));
    }

    /**
     * A session as it is on disk; empty when there is none.
     *
     * @throws AppendLogException when the store is of no more use
     */
    public Optional<SessionRecord> find(Id128 sessionId) throws AppendLogException {
        log.verify();
        return memory.onDisk().session(sessionId.text());
    }

    /**
     * All sessions, by name.
     *
     * @throws AppendLogException when the store is of no more use
     */
    public List<SessionRecord> sessions() throws AppendLogException {
        log.verify();
        return memory.sorted();
    }

    /** Finishes what waits, and gives the store back. */
    @Override
    public void close() {
        log.close();
    }

    /** What a store holds, into memory. Confined to the opening thread. */
    static final class RegistryReplay implements AppendLog.Replay {
        private final RegistryMemory memory;
        private long sequence;

        RegistryReplay(RegistryMemory memory) {
            this.memory = memory;
        }

        @Override
        public void record(long offset, byte[] payload) throws RecordException {
            StoredRecord record = SessionRecordJson.decode(payload);
            String id = record.session().plan().sessionId();
            check(record, memory.made().session(id));
            memory.publish(memory.apply(record));
        }

        /** Whether it may come next. */
        void check(StoredRecord record, Optional<SessionRecord> before) throws RecordException {
            RecordHead head = record.head();
            sequence++;
            require(
                    head.sequence() == sequence,
                    "has the number " + U64.text(head.sequence()) + " where " + sequence
                            + " belongs");
            require(
                    head.previousHash().equals(memory.lastHash()),
                    "does not follow the record before it");
            require(
                    memory.made().key(head.idempotencyKey()).isEmpty(),
                    "has the key of an earlier record");
            Optional<String> complaint = RecordChain.complaint(record, before);
            require(complaint.isEmpty(), complaint.orElse(""));
            RecordChain.checkHashes(record);
        }

        private static void require(boolean holds, String otherwise) throws RecordException {
            if (!holds) {
                throw new RecordException(otherwise);
            }
        }
    }
}
