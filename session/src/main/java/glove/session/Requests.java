package glove.session;

import static glove.session.RefusedException.unless;
import static glove.session.RegistryCode.INVALID_AUTHORIZATION;
import static glove.session.RegistryCode.INVALID_PLAN;
import static glove.session.RegistryCode.INVALID_STATE;
import static glove.session.RegistryCode.NOT_FOUND;
import static glove.session.RegistryCode.SESSION_CONFLICT;

import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.U64;

import java.util.Optional;

/** What may be asked of the registry, and what each makes of a session. Stateless. */
final class Requests {
    private Requests() {}

    /** The parts that all have. */
    abstract static class Asked implements RegistryChange.Request {
        private final SessionOperation operation;
        private final Id128 sessionId;
        private final RegistryCall call;
        private final Digest digest;

        Asked(SessionOperation operation, Id128 sessionId, RegistryCall call, Digest digest) {
            this.operation = operation;
            this.sessionId = sessionId;
            this.call = call;
            this.digest = digest;
        }

        @Override
        public SessionOperation operation() {
            return operation;
        }

        @Override
        public String sessionId() {
            return sessionId.text();
        }

        @Override
        public String key() {
            return call.key().text();
        }

        @Override
        public Digest digest() {
            return digest;
        }

        long nowMs() {
            return call.nowMs();
        }

        @Override
        public boolean isSame(RegistryView.KeyUse use, SessionRecord session) {
            return use.operation() == operation
                    && use.sessionId().equals(sessionId.text())
                    && use.requestDigest().equals(digest.hex());
        }

        /** The session, which must be there. */
        SessionRecord there(Optional<SessionRecord> session) throws RefusedException {
            unless(session.isPresent(), NOT_FOUND, "there is no session '" + sessionId + "'");
            return session.get();
        }

        /** The session, from which this state can follow. */
        SessionRecord before(SessionState next, Optional<SessionRecord> session)
                throws RefusedException {
            SessionRecord found = there(session);
            String why = "the session '" + sessionId + "' is " + found.state().word();
            unless(found.state().mayBecome(next), INVALID_STATE, why);
            return found;
        }
    }

    /**
     * A creation. Whether it was done before does not depend on the plan's check, so that it is
     * repeated even when the plan has expired.
     */
    static final class Creation extends Asked {
        private final String controllerPlanDigest;
        private Optional<CanonicalPlan> plan = Optional.empty();

        Creation(Id128 sessionId, Digest controllerPlan, byte[] submitted, RegistryCall call) {
            super(SessionOperation.CREATE, sessionId, call, Digest.sha256(submitted));
            this.controllerPlanDigest = controllerPlan.hex();
        }

        /** What the check made of it; before it is decided. */
        void setPlan(CanonicalPlan checked) {
            plan = Optional.of(checked);
        }

        @Override
        public boolean isSame(RegistryView.KeyUse use, SessionRecord session) {
            return super.isSame(use, session)
                    && session.plan().controllerPlanDigest().equals(controllerPlanDigest);
        }

        @Override
        public SessionRecord decide(Optional<SessionRecord> session) throws RefusedException {
            unless(
                    session.isEmpty(),
                    SESSION_CONFLICT,
                    "there is a session '" + sessionId() + "' already");
            CanonicalPlan checked = plan.orElseThrow();
            return SessionRecord.created(new AcceptedPlan(
                    sessionId(),
                    controllerPlanDigest,
                    checked.contentDigest().hex(),
                    checked.policyRevision(),
                    checked.expiresAtMs(),
                    nowMs(),
                    checked.json()));
        }
    }

    static RegistryChange.Request reserveStart(StartAuthorization asked, RegistryCall call) {
        return new Asked(
                SessionOperation.RESERVE_START,
                asked.sessionId(),
                call,
                RequestDigests.authorization(asked)) {
            @Override
            public SessionRecord decide(Optional<SessionRecord> session) throws RefusedException {
                SessionRecord found = before(SessionState.PREPARING, session);
                AcceptedPlan plan = found.plan();
                boolean authorized = plan.controllerPlanDigest()
                                .equals(asked.controllerPlanDigest().hex())
                        && plan.contentDigest().equals(asked.planContentDigest().hex())
                        && !U64.isLess(asked.approvedAtMs(), plan.createdAtMs())
                        && U64.compare(asked.expiresAtMs(), plan.expiresAtMs()) <= 0;
                unless(authorized, INVALID_AUTHORIZATION, "it approves another plan or time");
                return found.preparing(new Authorization(
                        asked.authorizationId().text(), asked.approvedAtMs(), asked.expiresAtMs()));
            }
        };
    }

    static RegistryChange.Request markStarting(
            SessionIds ids, Resources resources, RegistryCall call) {
        return new Asked(
                SessionOperation.MARK_STARTING.of(resources),
                ids.sessionId(),
                call,
                RequestDigests.starting(ids, resources)) {
            @Override
            public SessionRecord decide(Optional<SessionRecord> session) throws RefusedException {
                SessionRecord found = before(SessionState.STARTING, session);
                boolean authorized = ids.isAuthorizedFor(found)
                        && isAuthorized(found, found.authorization().authorizedAtMs(), nowMs());
                unless(authorized, INVALID_AUTHORIZATION, "another start was authorized");
                return found.starting(ids.profileDigest().hex(), resources, nowMs());
            }
        };
    }

    /** Whether now is between a time and the end of both authorisation and plan. */
    private static boolean isAuthorized(SessionRecord session, long fromMs, long nowMs) {
        return !U64.isLess(nowMs, fromMs)
                && U64.isLess(nowMs, session.authorization().expiresAtMs())
                && U64.isLess(nowMs, session.plan().expiresAtMs());
    }

    static RegistryChange.Request markRunning(
            SessionIds ids, Execution execution, RegistryCall call) {
        return new Asked(
                operation(SessionOperation.MARK_RUNNING, execution),
                ids.sessionId(),
                call,
                RequestDigests.running(ids, execution)) {
            @Override
            public SessionRecord decide(Optional<SessionRecord> session) throws RefusedException {
                SessionRecord found = before(SessionState.RUNNING, session);
                boolean authorized = ids.isOf(found)
                        && execution.runsIn(found.resources())
                        && isAuthorized(found, found.times().startingAtMs(), nowMs());
                unless(authorized, INVALID_AUTHORIZATION, "it is not what was started");
                return found.running(execution.leader(), nowMs());
            }
        };
    }

    private static SessionOperation operation(SessionOperation local, Execution execution) {
        return switch (execution) {
            case Execution.Local process -> local;
            case Execution.Managed managed -> local.of(managed.identity());
        };
    }

    static RegistryChange.Request markStopping(
            SessionIds ids, Execution execution, RegistryCall call) {
        return new Asked(
                operation(SessionOperation.MARK_STOPPING, execution),
                ids.sessionId(),
                call,
                RequestDigests.stopping(ids, execution)) {
            @Override
            public SessionRecord decide(Optional<SessionRecord> session) throws RefusedException {
                SessionRecord found = before(SessionState.STOPPING, session);
                boolean same = ids.isOf(found)
                        && execution.runsIn(found.resources())
                        && execution.leader().equals(found.process())
                        && !U64.isLess(nowMs(), found.times().runningAtMs());
                unless(same, INVALID_STATE, "it is not what runs");
                return found.stopping(nowMs());
            }
        };
    }

    /** By what holds the session: an end does not say it. */
    static RegistryChange.Request markFailed(
            SessionIds ids, FailureCode code, Resources held, RegistryCall call) {
        return new Asked(
                SessionOperation.MARK_FAILED.of(held),
                ids.sessionId(),
                call,
                RequestDigests.failure(ids, code.word())) {
            @Override
            public SessionRecord decide(Optional<SessionRecord> session) throws RefusedException {
                SessionRecord found = before(SessionState.FAILED, session);
                boolean starting = found.state() == SessionState.STARTING;
                boolean same = ids.isOf(found)
                        && (starting || code.isOfRunning())
                        && !U64.isLess(nowMs(), found.times().latest());
                unless(same, INVALID_STATE, "it cannot have failed so");
                return found.failed(code, nowMs());
            }
        };
    }

    static RegistryChange.Request markExited(
            TerminalEnvelope envelope, Resources held, RegistryCall call) {
        SessionOperation operation = envelope.refinement()
                ? SessionOperation.MARK_REFINEMENT_EXITED
                : SessionOperation.MARK_EXITED.of(held);
        return new Asked(operation, envelope.sessionId(), call, RequestDigests.terminal(envelope)) {
            @Override
            public SessionRecord decide(Optional<SessionRecord> session) throws RefusedException {
                boolean refinement = there(session).plan().isRefinement();
                unless(
                        refinement == envelope.refinement(),
                        INVALID_AUTHORIZATION,
                        refinement
                                ? "an evaluation ends with a receipt of evaluations"
                                : "only an evaluation ends with a receipt of evaluations");
                SessionRecord found = before(SessionState.EXITED, session);
                SessionTimes times = found.times();
                boolean same = found.plan()
                                .controllerPlanDigest()
                                .equals(envelope.controllerPlanDigest().hex())
                        && found.profileDigest().equals(envelope.profileDigest().hex())
                        && U64.compare(envelope.receipt().startedAtMs(), times.runningAtMs()) <= 0
                        && !U64.isLess(envelope.finishedAtMs(), times.latest());
                unless(same, INVALID_STATE, "the receipt is of another run");
                return found.exited(envelope.receipt(), envelope.finishedAtMs());
            }
        };
    }

    /** Whether the launch of a session's plan may be begun now. */
    static void checkLaunch(LaunchCheck launches, AcceptedPlan plan, long nowMs)
            throws RefusedException {
        try {
            LaunchCheck.Eligibility found = launches.check(plan, nowMs);
            unless(
                    found == LaunchCheck.Eligibility.LAUNCHABLE,
                    INVALID_AUTHORIZATION,
                    "it would write to the host's files directly");
        } catch (PlanRefusedException e) {
            throw new RefusedException(INVALID_PLAN, e.getMessage());
        }
    }
}
