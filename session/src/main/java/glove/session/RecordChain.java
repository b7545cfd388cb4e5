package glove.session;

import glove.journal.RecordException;
import glove.wire.Digest;
import glove.wire.U64;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Whether a record may follow those before it: when a store is opened, and once more before one is
 * written, so that nothing is written that could not be read. Stateless.
 */
final class RecordChain {
    private RecordChain() {}

    /**
     * All but the hashes: shape, place, transition, and what was asked for.
     *
     * @param prior of the same session
     * @return why not, as in "does not follow ..."; empty when it may
     */
    static Optional<String> complaint(StoredRecord record, Optional<SessionRecord> prior) {
        Optional<String> shape = RecordShape.complaint(record);
        if (shape.isPresent()) {
            return shape;
        }
        String transition = transition(record, prior);
        if (!transition.isEmpty()) {
            return Optional.of(transition);
        }
        Digest asked = RequestDigests.of(record);
        return asked.hex().equals(record.head().requestDigest())
                ? Optional.empty()
                : Optional.of("does not have the digest of what '"
                        + record.head().operation().word() + "' was asked for");
    }

    private static String transition(StoredRecord record, Optional<SessionRecord> prior) {
        SessionOperation operation = record.head().operation();
        SessionRecord now = record.session();
        String id = "the session '" + now.plan().sessionId() + "'";
        if (operation == SessionOperation.CREATE) {
            return prior.isEmpty() ? "" : "creates " + id + " again";
        }
        if (prior.isEmpty()) {
            return "is of " + id + ", which was never created";
        }
        SessionRecord before = prior.get();
        if (!before.state().mayBecome(operation.after())) {
            return "does '" + operation.word() + "' with " + id + ", which is "
                    + before.state().word();
        }
        boolean managed = now.resources() instanceof Resources.Managed;
        boolean fits = operation.kind() == SessionOperation.Kind.EITHER
                || managed == operation.isManaged();
        if (!fits) {
            return "does '" + operation.word() + "' with " + id + ", which is held otherwise";
        }
        return keeps(before, now) ? "" : "changes what is fixed of " + id;
    }

    /** What a session has had before it has for ever. */
    private static boolean keeps(SessionRecord before, SessionRecord now) {
        SessionState state = now.state();
        boolean same = now.plan().equals(before.plan());
        if (state == SessionState.PREPARING) {
            return same
                    && !U64.isLess(
                            now.authorization().authorizedAtMs(), now.plan().createdAtMs());
        }
        same &= now.authorization().equals(before.authorization());
        if (state == SessionState.STARTING) {
            return same;
        }
        same &= now.profileDigest().equals(before.profileDigest())
                && now.times().startingAtMs() == before.times().startingAtMs()
                && now.resources().equals(before.resources());
        if (state == SessionState.RUNNING) {
            return same;
        }
        same &= now.times().runningAtMs() == before.times().runningAtMs()
                && now.process().equals(before.process());
        return state == SessionState.STOPPING
                ? same
                : same && now.times().stoppingAtMs() == before.times().stoppingAtMs();
    }

    /** Whether both digests over the contents are right; that of the plan only when it is new. */
    static void checkHashes(StoredRecord record) throws RecordException {
        AcceptedPlan plan = record.session().plan();
        byte[] bytes = plan.canonicalJson().getBytes(StandardCharsets.UTF_8);
        boolean same = record.head().operation() != SessionOperation.CREATE
                || Digest.sha256(bytes).hex().equals(plan.contentDigest());
        if (!same || !RecordHash.of(record, bytes).hex().equals(record.head().thisHash())) {
            throw new RecordException("does not have the digest it names: it was changed");
        }
    }

    static Digest contentDigest(String canonicalJson) {
        return Digest.sha256(canonicalJson.getBytes(StandardCharsets.UTF_8));
    }
}
