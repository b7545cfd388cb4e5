package glove.session;

import glove.wire.Digest;
import glove.wire.Id128;

import java.nio.charset.StandardCharsets;

/** Asks for what a record answers. */
final class Reissue {
    private Reissue() {}

    static RegistryReply of(SessionRegistry registry, StoredRecord record) {
        SessionRecord session = record.session();
        AcceptedPlan plan = session.plan();
        SessionTimes times = session.times();
        Id128 id = new Id128(plan.sessionId());
        Digest controller = new Digest(plan.controllerPlanDigest());
        return switch (record.head().operation()) {
            case CREATE ->
                registry.create(
                        id, controller, submitted(record), call(record, plan.createdAtMs()));
            case RESERVE_START ->
                registry.reserveStart(
                        new StartAuthorization(
                                new Id128(session.authorization().id()),
                                id,
                                controller,
                                new Digest(plan.contentDigest()),
                                session.authorization().authorizedAtMs(),
                                session.authorization().expiresAtMs()),
                        call(record, session.authorization().authorizedAtMs()));
            case MARK_STARTING, MARK_MANAGED_STARTING ->
                registry.markStarting(
                        ids(session),
                        session.resources(),
                        new ReceiptReservation(id, controller, new Digest(session.profileDigest())),
                        call(record, times.startingAtMs()));
            case MARK_RUNNING, MARK_MANAGED_RUNNING ->
                registry.markRunning(
                        ids(session), execution(session), call(record, times.runningAtMs()));
            case MARK_STOPPING, MARK_MANAGED_STOPPING ->
                registry.markStopping(
                        ids(session), execution(session), call(record, times.stoppingAtMs()));
            case MARK_EXITED, MARK_MANAGED_EXITED, MARK_REFINEMENT_EXITED ->
                registry.markExited(
                        new TerminalEnvelope(
                                plan.isRefinement(),
                                id,
                                controller,
                                new Digest(session.profileDigest()),
                                session.receipt(),
                                times.finishedAtMs()),
                        call(record, times.finishedAtMs()));
            case MARK_FAILED, MARK_MANAGED_FAILED ->
                registry.markFailed(
                        ids(session),
                        FailureCode.WORDS.parse(session.failureCode()).orElseThrow(),
                        call(record, times.finishedAtMs()));
        };
    }

    /** The plan as it was sent: in canonical form, or with the one space of the vectors. */
    private static byte[] submitted(StoredRecord record) {
        String canonical = record.session().plan().canonicalJson();
        boolean same =
                RecordChain.contentDigest(canonical).hex().equals(record.head().requestDigest());
        String sent = same ? canonical : canonical.replaceFirst(":", ": ");
        return sent.getBytes(StandardCharsets.UTF_8);
    }

    private static RegistryCall call(StoredRecord record, long nowMs) {
        return new RegistryCall(new Id128(record.head().idempotencyKey()), nowMs);
    }

    private static SessionIds ids(SessionRecord session) {
        return new SessionIds(
                new Id128(session.plan().sessionId()),
                new Digest(session.plan().controllerPlanDigest()),
                new Digest(session.plan().contentDigest()),
                new Id128(session.authorization().id()),
                new Digest(session.profileDigest()));
    }

    private static Execution execution(SessionRecord session) {
        return switch (session.resources()) {
            case Resources.Managed managed -> new Execution.Managed(managed);
            case Resources.Local local ->
                new Execution.Local(session.process(), local.filesystem());
            case Resources.None none -> throw new IllegalStateException("nothing runs");
        };
    }
}
