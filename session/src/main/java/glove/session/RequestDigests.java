package glove.session;

import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.Id128;

/**
 * What each operation was asked for, as a digest: it tells a repeated request from another one with
 * the same key. Each can be computed from the record, too, but that of a creation, which covers the
 * plan as it was sent. Stateless.
 */
final class RequestDigests {
    private static final int COMMITMENT_VERSION = 1;

    private RequestDigests() {}

    static Digest authorization(StartAuthorization asked) {
        return begin("glove.session-start-authorization")
                .string(asked.authorizationId().text())
                .string(asked.sessionId().text())
                .digest(asked.controllerPlanDigest())
                .digest(asked.planContentDigest())
                .u64(asked.approvedAtMs())
                .u64(asked.expiresAtMs())
                .sha256();
    }

    static Digest starting(SessionIds ids, Resources resources) {
        if (resources instanceof Resources.Managed managed) {
            DigestWriter out = begin("glove.managed-session-execution-binding", ids);
            RecordHash.managed(managed, out);
            return out.sha256();
        }
        DigestWriter out = begin("glove.session-execution-binding", ids);
        RecordHash.resources(resources, out);
        return out.sha256();
    }

    static Digest running(SessionIds ids, Execution execution) {
        return course(ids, execution, "running");
    }

    static Digest stopping(SessionIds ids, Execution execution) {
        return course(ids, execution, "stopping");
    }

    private static Digest course(SessionIds ids, Execution execution, String which) {
        return switch (execution) {
            case Execution.Managed managed -> {
                DigestWriter out = begin("glove.managed-session-" + which + "-commitment", ids);
                RecordHash.managed(managed.identity(), out);
                yield out.sha256();
            }
            case Execution.Local local -> {
                DigestWriter out = begin("glove.session-" + which + "-commitment", ids);
                RecordHash.process(local.process(), out);
                RecordHash.filesystem(local.filesystem(), out);
                yield out.sha256();
            }
        };
    }

    static Digest failure(SessionIds ids, String code) {
        return begin("glove.session-failure-commitment", ids).string(code).sha256();
    }

    static Digest terminal(TerminalEnvelope envelope) {
        ReceiptLink receipt = envelope.receipt();
        DigestWriter out = begin("glove.session-terminal-envelope")
                .u64(receipt.sequence())
                .string(receipt.keyId())
                .string(envelope.sessionId().text())
                .digest(envelope.controllerPlanDigest())
                .digest(envelope.profileDigest())
                .string(receipt.digest())
                .string(receipt.previousHmac())
                .string(receipt.hmac())
                .string(receipt.cause())
                .u64(receipt.startedAtMs())
                .u64(envelope.finishedAtMs());
        RecordHash.exitCode(receipt.exitCode(), out);
        return out.sha256();
    }

    private static DigestWriter begin(String domain) {
        return new DigestWriter(domain).u8(COMMITMENT_VERSION);
    }

    private static DigestWriter begin(String domain, SessionIds ids) {
        return begin(domain)
                .string(ids.sessionId().text())
                .digest(ids.controllerPlanDigest())
                .digest(ids.planContentDigest())
                .string(ids.authorizationId().text())
                .digest(ids.profileDigest());
    }

    /** Of the request that a record of the right shape answers; of a creation, what it names. */
    static Digest of(StoredRecord record) {
        SessionRecord session = record.session();
        return switch (record.head().operation()) {
            case CREATE -> new Digest(record.head().requestDigest());
            case RESERVE_START -> authorization(asked(session));
            case MARK_STARTING, MARK_MANAGED_STARTING ->
                starting(ids(session), session.resources());
            case MARK_RUNNING, MARK_MANAGED_RUNNING -> running(ids(session), execution(session));
            case MARK_STOPPING, MARK_MANAGED_STOPPING -> stopping(ids(session), execution(session));
            case MARK_EXITED, MARK_REFINEMENT_EXITED, MARK_MANAGED_EXITED ->
                terminal(envelope(session));
            case MARK_FAILED, MARK_MANAGED_FAILED -> failure(ids(session), session.failureCode());
        };
    }

    private static StartAuthorization asked(SessionRecord session) {
        return new StartAuthorization(
                new Id128(session.authorization().id()),
                new Id128(session.plan().sessionId()),
                new Digest(session.plan().controllerPlanDigest()),
                new Digest(session.plan().contentDigest()),
                session.authorization().authorizedAtMs(),
                session.authorization().expiresAtMs());
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
            case Resources.None none ->
                throw new IllegalStateException("a session without resources does not run");
        };
    }

    private static TerminalEnvelope envelope(SessionRecord session) {
        return new TerminalEnvelope(
                false,
                new Id128(session.plan().sessionId()),
                new Digest(session.plan().controllerPlanDigest()),
                new Digest(session.profileDigest()),
                session.receipt(),
                session.times().finishedAtMs());
    }
}
