package glove.session;

/**
 * All that is known of a session after one record. Immutable.
 *
 * @param plan what it was created with
 * @param state how far it came
 * @param authorization of its start
 * @param profileDigest of what was launched, or empty
 * @param resources it runs in
 * @param process that leads it
 * @param times when it came where
 * @param failureCode a {@link FailureCode}, or empty
 * @param receipt of its end
 */
public record SessionRecord(
        AcceptedPlan plan,
        SessionState state,
        Authorization authorization,
        String profileDigest,
        Resources resources,
        ProcessIdentity process,
        SessionTimes times,
        String failureCode,
        ReceiptLink receipt) {
    /** One that was just created. */
    static SessionRecord created(AcceptedPlan plan) {
        return new SessionRecord(
                plan,
                SessionState.CREATED,
                Authorization.NONE,
                "",
                Resources.NONE,
                ProcessIdentity.NONE,
                SessionTimes.NONE,
                "",
                ReceiptLink.NONE);
    }

    SessionRecord preparing(Authorization by) {
        return new SessionRecord(
                plan,
                SessionState.PREPARING,
                by,
                profileDigest,
                resources,
                process,
                times,
                failureCode,
                receipt);
    }

    SessionRecord starting(String profile, Resources in, long nowMs) {
        return new SessionRecord(
                plan,
                SessionState.STARTING,
                authorization,
                profile,
                in,
                process,
                new SessionTimes(nowMs, 0, 0, 0),
                failureCode,
                receipt);
    }

    SessionRecord running(ProcessIdentity leader, long nowMs) {
        SessionTimes then = new SessionTimes(times.startingAtMs(), nowMs, 0, 0);
        return at(SessionState.RUNNING, leader, then);
    }

    SessionRecord stopping(long nowMs) {
        SessionTimes then = new SessionTimes(times.startingAtMs(), times.runningAtMs(), nowMs, 0);
        return at(SessionState.STOPPING, process, then);
    }

    private SessionRecord at(SessionState next, ProcessIdentity leader, SessionTimes then) {
        return new SessionRecord(
                plan,
                next,
                authorization,
                profileDigest,
                resources,
                leader,
                then,
                failureCode,
                receipt);
    }

    SessionRecord failed(FailureCode code, long nowMs) {
        return ended(SessionState.FAILED, code.word(), ReceiptLink.NONE, nowMs);
    }

    SessionRecord exited(ReceiptLink by, long finishedAtMs) {
        return ended(SessionState.EXITED, "", by, finishedAtMs);
    }

    private SessionRecord ended(SessionState end, String code, ReceiptLink by, long finishedAtMs) {
        SessionTimes then = new SessionTimes(
                times.startingAtMs(), times.runningAtMs(), times.stoppingAtMs(), finishedAtMs);
        return new SessionRecord(
                plan, end, authorization, profileDigest, resources, process, then, code, by);
    }

    /** The same with the very plan object of the session, which may be large. */
    SessionRecord sharing(AcceptedPlan same) {
        return new SessionRecord(
                same,
                state,
                authorization,
                profileDigest,
                resources,
                process,
                times,
                failureCode,
                receipt);
    }
}
