package glove.session;

import glove.journal.Change;
import glove.session.RegistryReply.Refused;
import glove.wire.Digest;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * One request that may become a record: decided twice by the same code, on what is on disk before
 * it is handed over and on what the committer has made when its turn comes.
 */
final class RegistryChange implements Change<RegistryReply> {
    private final RegistryMemory memory;
    private final Request request;
    private final Optional<SessionRecord> expected;
    private final Deadline deadline;
    private RegistryMemory.@Nullable Applied applied; // null unless there is a record
    private RegistryReply reply = new Refused(RegistryCode.STORAGE, "was not decided");

    /** What is asked for. */
    interface Request {
        /** What it does with a session that is held so. */
        SessionOperation operation();

        /** Whose. */
        String sessionId();

        /** Its key. */
        String key();

        /** Of what is asked for. */
        Digest digest();

        /**
         * Whether a use of its key was this same request.
         *
         * @param session whose it was, as it is now
         */
        boolean isSame(RegistryView.KeyUse use, SessionRecord session);

        /**
         * The session after it.
         *
         * @param session as it is; empty when there is none
         * @throws RefusedException when it may not be
         */
        SessionRecord decide(Optional<SessionRecord> session) throws RefusedException;
    }

    /**
     * A change of what was decided on.
     *
     * @param expected the session as it was then
     * @param deadline when it is over, nothing is written
     */
    RegistryChange(
            RegistryMemory memory,
            Request request,
            Optional<SessionRecord> expected,
            Deadline deadline) {
        this.memory = memory;
        this.request = request;
        this.expected = expected;
        this.deadline = deadline;
    }

    /** The answer to a request that was done before, or whose key was; empty to go on. */
    static Optional<RegistryReply> repeated(Request request, RegistryView view) {
        Optional<RegistryView.KeyUse> use = view.key(request.key());
        if (use.isEmpty()) {
            return Optional.empty();
        }
        SessionRecord session = view.session(use.get().sessionId()).orElseThrow();
        if (!request.isSame(use.get(), session)) {
            return Optional.of(new Refused(
                    RegistryCode.IDEMPOTENCY_CONFLICT,
                    "the key '" + request.key() + "' was used for something else: "
                            + use.get().operation().word() + " of '" + use.get().sessionId()
                            + "'"));
        }
        SessionView then = SessionView.of(session, use.get().operation().after());
        return Optional.of(new RegistryReply.Done(then, true));
    }

    @Override
    public Optional<byte[]> make(long sequence) {
        RegistryView view = memory.made();
        Optional<RegistryReply> before = repeated(request, view);
        if (before.isPresent()) {
            reply = before.get();
            return Optional.empty();
        }
        try {
            Optional<SessionRecord> session = view.session(request.sessionId());
            SessionRecord after = request.decide(session);
            if (!session.equals(expected)) {
                throw new RefusedException(
                        RegistryCode.INVALID_STATE, "the session changed meanwhile");
            }
            if (deadline.isOver()) {
                throw new RefusedException(
                        RegistryCode.DEADLINE, "its time was over before it could be written");
            }
            StoredRecord record = record(sequence, after, session);
            applied = memory.apply(record);
            reply = new RegistryReply.Done(SessionView.of(after), false);
            return Optional.of(SessionRecordJson.encode(record));
        } catch (RefusedException e) {
            reply = e.reply();
            return Optional.empty();
        }
    }

    /** Checked once more by the rules of reading: nothing is written that could not be read. */
    private StoredRecord record(long sequence, SessionRecord after, Optional<SessionRecord> before)
            throws RefusedException {
        RecordHead head = new RecordHead(
                sequence,
                request.operation(),
                request.key(),
                request.digest().hex(),
                memory.lastHash(),
                Digest.ZERO.hex());
        StoredRecord unhashed = new StoredRecord(head, after);
        Optional<String> complaint = RecordChain.complaint(unhashed, before);
        if (complaint.isPresent()) {
            throw new RefusedException(
                    RegistryCode.INVALID_STATE,
                    "the record could not be read back: it " + complaint.get());
        }
        String hash = RecordHash.of(unhashed).hex();
        return new StoredRecord(head.withThisHash(hash), after);
    }

    @Override
    public RegistryReply done() {
        if (applied != null) {
            memory.publish(applied);
        }
        return reply;
    }

    @Override
    public void undone() {
        if (applied != null) {
            memory.takeBack(applied);
        }
    }
}
