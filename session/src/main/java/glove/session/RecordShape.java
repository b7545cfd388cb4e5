package glove.session;

import static glove.session.SessionState.EXITED;
import static glove.session.SessionState.FAILED;
import static glove.session.SessionState.RUNNING;
import static glove.session.SessionState.STARTING;
import static glove.session.SessionState.STOPPING;

import glove.policy.session.TerminationCause;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.U64;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Which values a record of each state has, whatever stands before it. Stateless. A complaint reads
 * as in "has no authorization"; empty when there is none.
 */
final class RecordShape {
    private static final int PLAN_BYTES_MAX = 1 << 20;

    private RecordShape() {}

    static Optional<String> complaint(StoredRecord record) {
        String complaint = head(record);
        SessionRecord session = record.session();
        complaint = complaint.isEmpty() ? authorization(session) : complaint;
        complaint = complaint.isEmpty() ? start(session) : complaint;
        complaint = complaint.isEmpty() ? run(session) : complaint;
        complaint = complaint.isEmpty() ? end(session) : complaint;
        complaint = complaint.isEmpty() ? receipt(session) : complaint;
        return complaint.isEmpty() ? Optional.empty() : Optional.of(complaint);
    }

    private static String head(StoredRecord record) {
        RecordHead head = record.head();
        AcceptedPlan plan = record.session().plan();
        if (!Id128.is(head.idempotencyKey()) || !Id128.is(plan.sessionId())) {
            return "has an identifier that is none";
        }
        boolean digests = Digest.is(plan.controllerPlanDigest())
                && Digest.is(head.requestDigest())
                && Digest.is(plan.contentDigest())
                && Digest.is(head.previousHash())
                && Digest.is(head.thisHash());
        if (!digests) {
            return "has a digest that is none";
        }
        if (plan.policyRevision() == 0 || plan.expiresAtMs() == 0 || plan.createdAtMs() == 0) {
            return "has no policy revision or no time";
        }
        if (plan.canonicalJson().isEmpty() || isLarge(plan.canonicalJson())) {
            return "has no plan, or one of more than " + PLAN_BYTES_MAX + " bytes";
        }
        SessionOperation operation = head.operation();
        if (operation.after() != record.session().state()) {
            return "has a state that '" + operation.word() + "' does not lead to";
        }
        return "";
    }

    /** Counted only when it may be: each character is three bytes at most. */
    private static boolean isLarge(String plan) {
        return plan.length() > PLAN_BYTES_MAX / 3
                && plan.getBytes(StandardCharsets.UTF_8).length > PLAN_BYTES_MAX;
    }

    private static String authorization(SessionRecord session) {
        Authorization by = session.authorization();
        if (session.state() == SessionState.CREATED) {
            return by.equals(Authorization.NONE) ? "" : "has an authorization too early";
        }
        boolean valid = Id128.is(by.id())
                && by.authorizedAtMs() != 0
                && U64.isLess(by.authorizedAtMs(), by.expiresAtMs())
                && U64.compare(
                                by.expiresAtMs() - by.authorizedAtMs(),
                                Authorization.LIFETIME_MS_MAX)
                        <= 0
                && U64.compare(by.expiresAtMs(), session.plan().expiresAtMs()) <= 0;
        return valid ? "" : "has no valid authorization";
    }

    private static String start(SessionRecord session) {
        SessionTimes times = session.times();
        if (!session.state().isFrom(STARTING)) {
            boolean none = session.profileDigest().isEmpty()
                    && times.startingAtMs() == 0
                    && session.resources().equals(Resources.NONE);
            return none ? "" : "has a launch too early";
        }
        boolean started = Digest.is(session.profileDigest())
                && isWithin(
                        times.startingAtMs(), session.authorization().authorizedAtMs(), session);
        if (!started) {
            return "has no valid launch";
        }
        boolean resources = !session.resources().equals(Resources.NONE)
                && session.resources().isValid();
        return resources ? "" : "has no valid resources";
    }

    /** Whether a time lies from one on and before the authorisation ends. */
    private static boolean isWithin(long time, long from, SessionRecord session) {
        return !U64.isLess(time, from)
                && U64.isLess(time, session.authorization().expiresAtMs());
    }

    private static String run(SessionRecord session) {
        SessionTimes times = session.times();
        SessionState state = session.state();
        boolean ran = state == RUNNING || state == STOPPING || state == EXITED;
        boolean never =
                state.compareTo(STARTING) <= 0 || (state == FAILED && times.runningAtMs() == 0);
        if (never) {
            boolean none = times.runningAtMs() == 0
                    && times.stoppingAtMs() == 0
                    && session.process().equals(ProcessIdentity.NONE);
            return none ? "" : "has a process too early";
        }
        if (!ran && state != FAILED) {
            return "has no state that can run";
        }
        if (!isWithin(times.runningAtMs(), times.startingAtMs(), session)) {
            return "ran at a time that was not authorized";
        }
        boolean identified = switch (session.resources()) {
            case Resources.Local local ->
                session.process().isValid() && session.process().isIn(local.cgroup());
            case Resources.Managed managed -> session.process().equals(ProcessIdentity.NONE);
            case Resources.None none -> false;
        };
        if (!identified) {
            return "has no valid process";
        }
        boolean stopped = times.stoppingAtMs() != 0;
        boolean early = stopped && U64.isLess(times.stoppingAtMs(), times.runningAtMs());
        boolean wanted = state == STOPPING ? !stopped : state == RUNNING && stopped;
        return early || wanted ? "stops at a wrong time" : "";
    }

    private static String end(SessionRecord session) {
        long finished = session.times().finishedAtMs();
        String code = session.failureCode();
        if (session.state() != FAILED && session.state() != EXITED) {
            return finished == 0 && code.isEmpty() ? "" : "has an end too early";
        }
        if (finished == 0 || U64.isLess(finished, session.times().latest())) {
            return "ended at a wrong time";
        }
        if (session.state() == EXITED) {
            return code.isEmpty() ? "" : "exited and failed";
        }
        Optional<FailureCode> known = FailureCode.WORDS.parse(code);
        boolean fits = known.isPresent()
                && (session.times().runningAtMs() == 0 || known.get().isOfRunning());
        return fits ? "" : "has no valid reason of failure";
    }

    private static String receipt(SessionRecord session) {
        ReceiptLink receipt = session.receipt();
        if (session.state() != EXITED) {
            return receipt.equals(ReceiptLink.NONE) ? "" : "has a receipt too early";
        }
        Optional<TerminationCause> cause = TerminationCause.CLASS.parse(receipt.cause());
        boolean coded = receipt.exitCode() != ReceiptLink.NO_EXIT_CODE;
        boolean valid = receipt.startedAtMs() != 0
                && U64.compare(receipt.startedAtMs(), session.times().runningAtMs()) <= 0
                && Digest.is(receipt.keyId())
                && Digest.is(receipt.digest())
                && Digest.is(receipt.previousHmac())
                && Digest.is(receipt.hmac())
                && receipt.sequence() != 0
                && cause.isPresent()
                && receipt.exitCode() <= 255
                && coded == (cause.get() == TerminationCause.EXITED);
        return valid ? "" : "has no valid receipt";
    }
}
