package glove.session;

import glove.journal.AppendLog;
import glove.journal.AppendSnapshot;
import glove.journal.DurableFileException;
import glove.journal.RecordException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.List;
import java.util.Optional;

/**
 * What a session store holds, for its owner to look at while a daemon has it. All records are
 * checked as the daemon checks them. Stateless.
 */
public final class SessionSnapshot {
    private SessionSnapshot() {}

    /**
     * All sessions, by name, as the last whole record of each left it, without the texts of their
     * plans: so what is held is bounded by the number of records, whatever plans are in the file.
     *
     * @throws DurableFileException when the file cannot be read, is not the caller's alone, or
     *     holds anything that does not follow
     */
    public static List<SessionRecord> read(Linux linux, UnixPath path) throws DurableFileException {
        RegistryMemory memory = new RegistryMemory();
        AppendSnapshot.read(
                linux, path, SessionRegistry.Store.at(path).layout(), new WithoutPlans(memory));
        return memory.sorted();
    }

    /** Holds a plan by its digest, which every record of the session repeats with the text. */
    private static final class WithoutPlans implements AppendLog.Replay {
        private final RegistryMemory memory;
        private final SessionRegistry.RegistryReplay replay;

        WithoutPlans(RegistryMemory memory) {
            this.memory = memory;
            this.replay = new SessionRegistry.RegistryReplay(memory);
        }

        @Override
        public void record(long offset, byte[] payload) throws RecordException {
            StoredRecord record = SessionRecordJson.decode(payload);
            AcceptedPlan plan = record.session().plan();
            Optional<SessionRecord> before = memory.made().session(plan.sessionId());
            // Both texts have the digest that stands beside them, so it tells whether they differ.
            replay.check(
                    record,
                    before.map(old -> old.sharing(old.plan().withText(plan.canonicalJson()))));
            SessionRecord lean = record.session().sharing(plan.withText(""));
            memory.publish(memory.apply(new StoredRecord(record.head(), lean)));
        }
    }
}
