package glove.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.Digest;
import glove.wire.Id128;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What each request needs, and what it is told otherwise. */
@Tag("unit")
final class SessionRegistryTest {
    private static final String ID = "session-1";

    @TempDir
    private Path parent;

    private Room room;
    private SessionRegistry registry;

    @BeforeEach
    void open() throws Exception {
        room = new Room(parent);
        registry = room.open();
    }

    @AfterEach
    void close() {
        registry.close();
    }

    private void reopen() throws Exception {
        registry.close();
        registry = room.open();
    }

    private static void done(SessionState state, RegistryReply reply) {
        assertThat(reply).isInstanceOf(RegistryReply.Done.class);
        assertThat(((RegistryReply.Done) reply).session().state()).isEqualTo(state);
        assertThat(((RegistryReply.Done) reply).repeated()).isFalse();
    }

    private static void repeated(SessionState state, RegistryReply reply) {
        assertThat(reply).isInstanceOf(RegistryReply.Done.class);
        assertThat(((RegistryReply.Done) reply).session().state()).isEqualTo(state);
        assertThat(((RegistryReply.Done) reply).repeated()).isTrue();
    }

    private static void refused(RegistryCode code, RegistryReply reply) {
        assertThat(reply).isInstanceOf(RegistryReply.Refused.class);
        RegistryReply.Refused refused = (RegistryReply.Refused) reply;
        assertThat(refused.code()).as(refused.why()).isEqualTo(code);
        assertThat(refused.why()).isNotBlank();
    }

    private RegistryReply create(String id, String key, long nowMs) {
        return Room.create(registry, id, key, nowMs);
    }

    private RegistryReply reserve(StartAuthorization asked, String key, long nowMs) {
        return registry.reserveStart(asked, Room.call(key, nowMs));
    }

    private RegistryReply reserve() {
        return reserve(Room.authorization(ID, 1001, 2001), "reserve", 1002);
    }

    private RegistryReply starting(String key, long nowMs) {
        return registry.markStarting(
                Room.ids(ID), Room.LOCAL, Room.reserved(ID), Room.call(key, nowMs));
    }

    private RegistryReply running(Execution execution, String key, long nowMs) {
        return registry.markRunning(Room.ids(ID), execution, Room.call(key, nowMs));
    }

    private RegistryReply stopping(String key, long nowMs) {
        return registry.markStopping(Room.ids(ID), Room.RUNNING, Room.call(key, nowMs));
    }

    private RegistryReply exited(TerminalEnvelope envelope, String key) {
        return registry.markExited(envelope, Room.call(key, 3000));
    }

    private RegistryReply failed(FailureCode code, String key, long nowMs) {
        return registry.markFailed(Room.ids(ID), code, Room.call(key, nowMs));
    }

    private void upTo(SessionState state) {
        done(SessionState.CREATED, create(ID, "create", 1000));
        if (state.isFrom(SessionState.PREPARING)) {
            done(SessionState.PREPARING, reserve());
        }
        if (state.isFrom(SessionState.STARTING)) {
            done(SessionState.STARTING, starting("starting", 1003));
        }
        if (state.isFrom(SessionState.RUNNING)) {
            done(SessionState.RUNNING, running(Room.RUNNING, "running", 1004));
        }
        if (state.isFrom(SessionState.STOPPING)) {
            done(SessionState.STOPPING, stopping("stopping", 1005));
        }
    }

    @Test
    void aSessionGoesItsWholeWayAndIsTheSameAfterARestart() throws Exception {
        upTo(SessionState.STOPPING);
        done(SessionState.EXITED, exited(Room.envelope(ID, 1004, 1010), "exited"));
        SessionRecord before = registry.find(new Id128(ID)).orElseThrow();

        reopen();

        SessionRecord after = registry.find(new Id128(ID)).orElseThrow();
        assertThat(after).isEqualTo(before);
        assertThat(after.times()).isEqualTo(new SessionTimes(1003, 1004, 1005, 1010));
        assertThat(SessionView.of(after).profileDigest()).isEqualTo(Room.PROFILE);
        assertThat(registry.room().records()).isEqualTo(6);
    }

    @Test
    void everyRequestRepeatedGetsItsOldAnswerAndWritesNothing() throws Exception {
        upTo(SessionState.STOPPING);
        done(SessionState.EXITED, exited(Room.envelope(ID, 1004, 1010), "exited"));
        byte[] before = Files.readAllBytes(room.file);
        for (int i = 0; i < 2; i++) {
            // Much later: what was done stays done.
            repeated(SessionState.CREATED, create(ID, "create", 90_000));
            repeated(
                    SessionState.PREPARING,
                    reserve(Room.authorization(ID, 1001, 2001), "reserve", 90_000));
            repeated(SessionState.STARTING, starting("starting", 90_000));
            repeated(SessionState.RUNNING, running(Room.RUNNING, "running", 90_000));
            repeated(SessionState.STOPPING, stopping("stopping", 90_000));
            repeated(SessionState.EXITED, exited(Room.envelope(ID, 1004, 1010), "exited"));
            reopen();
        }
        assertThat(Files.readAllBytes(room.file)).isEqualTo(before);
    }

    @Test
    void aKeyThatWasUsedForSomethingElseIsRefused() {
        upTo(SessionState.RUNNING);
        RegistryCode conflict = RegistryCode.IDEMPOTENCY_CONFLICT;
        refused(conflict, create("session-2", "create", 1000));
        refused(conflict, create(ID, "reserve", 1000));
        byte[] other = Room.PLAN.replace("\":7", "\": 7").getBytes(StandardCharsets.UTF_8);
        refused(
                conflict,
                registry.create(
                        new Id128(ID), new Digest(Room.CONTROLLER), other, Room.call("create", 1)));
        byte[] same = Room.PLAN.getBytes(StandardCharsets.UTF_8);
        refused(
                conflict,
                registry.create(
                        new Id128(ID), new Digest(Room.PROFILE), same, Room.call("create", 1)));
        refused(conflict, reserve(Room.authorization(ID, 1001, 2002), "reserve", 1002));
        refused(conflict, starting("running", 1003));
        refused(conflict, stopping("running", 1005));
        refused(conflict, failed(FailureCode.SUPERVISOR_ERROR, "starting", 1005));
        refused(conflict, exited(Room.envelope(ID, 1004, 1010), "create"));
    }

    @Test
    void aCreationNeedsATimeAPlanThatIsAcceptedAndAFreshName() {
        refused(RegistryCode.INVALID_REQUEST, create(ID, "create", 0));
        refused(RegistryCode.INVALID_PLAN, create(ID, "create", 61_000));
        refused(
                RegistryCode.INVALID_PLAN,
                registry.create(
                        new Id128(ID),
                        new Digest(Room.CONTROLLER),
                        "{}".getBytes(StandardCharsets.UTF_8),
                        Room.call("create", 1000)));
        done(SessionState.CREATED, create(ID, "create", 1000));
        refused(RegistryCode.SESSION_CONFLICT, create(ID, "again", 1001));
        assertThat(registry.room().records()).isEqualTo(1);
    }

    @Test
    void aReservationNeedsAnAuthorizationThatHoldsForThisPlan() {
        RegistryCode code = RegistryCode.INVALID_AUTHORIZATION;
        refused(code, reserve(Room.authorization(ID, 0, 100), "r", 1));
        refused(code, reserve(Room.authorization(ID, 1001, 1001), "r", 1001));
        refused(code, reserve(Room.authorization(ID, 1001, 121_002), "r", 1001));
        refused(code, reserve(Room.authorization(ID, 1001, 2001), "r", 1000));
        refused(code, reserve(Room.authorization(ID, 1001, 2001), "r", 2001));
        refused(code, reserve(Room.authorization(ID, -5, 100), "r", 1001));
        refused(RegistryCode.NOT_FOUND, reserve());
        done(SessionState.CREATED, create(ID, "create", 1000));
        refused(code, reserve(Room.authorization(ID, 999, 2001), "r", 1001));
        refused(code, reserve(Room.authorization(ID, 1001, 61_001), "r", 1001));
        StartAuthorization otherPlan = new StartAuthorization(
                new Id128("approval"),
                new Id128(ID),
                new Digest(Room.CONTROLLER),
                new Digest(Room.PROFILE),
                1001,
                2001);
        refused(code, reserve(otherPlan, "r", 1001));
        done(SessionState.PREPARING, reserve(Room.authorization(ID, 1000, 61_000), "r", 60_999));
        refused(
                RegistryCode.INVALID_STATE,
                reserve(Room.authorization(ID, 1001, 2002), "r2", 1002));
    }

    @Test
    void aStartIsOnlyReservedForWhatCanBeLaunched() {
        done(SessionState.CREATED, create(ID, "create", 1000));
        room.launchable = false;
        refused(RegistryCode.INVALID_PLAN, reserve());
        room.launchable = true;
        room.eligibility = LaunchCheck.Eligibility.WRITES_DIRECTLY;
        refused(RegistryCode.INVALID_AUTHORIZATION, reserve());
        room.eligibility = LaunchCheck.Eligibility.LAUNCHABLE;
        done(SessionState.PREPARING, reserve());
        room.launchable = false;
        refused(RegistryCode.INVALID_PLAN, reserve());
        refused(RegistryCode.INVALID_PLAN, starting("starting", 1003));
        refused(
                RegistryCode.INVALID_PLAN,
                registry.readyToStart(new Id128(ID), new Id128("approval-" + ID), 1003));
    }

    @Test
    void aSessionIsReadyToStartOnlyWhileItIsPreparedAndAuthorized() {
        Id128 id = new Id128(ID);
        Id128 approval = new Id128("approval-" + ID);
        refused(RegistryCode.NOT_FOUND, registry.readyToStart(id, approval, 1002));
        done(SessionState.CREATED, create(ID, "create", 1000));
        refused(RegistryCode.INVALID_STATE, registry.readyToStart(id, approval, 1002));
        done(SessionState.PREPARING, reserve());
        RegistryCode code = RegistryCode.INVALID_AUTHORIZATION;
        refused(code, registry.readyToStart(id, approval, 2001));
        refused(code, registry.readyToStart(id, id, 1002));
        done(SessionState.PREPARING, registry.readyToStart(id, approval, 2000));
    }

    @Test
    void aStartNeedsIdentitiesAReservationAndTheAuthorizedIds() {
        upTo(SessionState.PREPARING);
        Resources.Local none = new Resources.Local(new Resources.Cgroup(1, 0, 1), Room.FILESYSTEM);
        RegistryCall call = Room.call("starting", 1003);
        RegistryCode request = RegistryCode.INVALID_REQUEST;
        refused(request, registry.markStarting(Room.ids(ID), none, Room.reserved(ID), call));
        refused(
                request,
                registry.markStarting(Room.ids(ID), Resources.NONE, Room.reserved(ID), call));
        RegistryCode code = RegistryCode.INVALID_AUTHORIZATION;
        refused(
                code,
                registry.markStarting(Room.ids(ID), Room.LOCAL, Room.reserved("session-2"), call));
        SessionIds otherApproval = new SessionIds(
                new Id128(ID),
                new Digest(Room.CONTROLLER),
                RecordChain.contentDigest(Room.PLAN),
                new Id128("another"),
                new Digest(Room.PROFILE));
        refused(code, registry.markStarting(otherApproval, Room.LOCAL, Room.reserved(ID), call));
        refused(code, starting("starting", 2001));
        refused(code, starting("starting", 1000));
        done(SessionState.STARTING, starting("starting", 1003));
        refused(RegistryCode.INVALID_STATE, starting("again", 1003));
    }

    @Test
    void filesystemsHaveSortedPartitionsThatFit() {
        for (Resources.Filesystem bad : List.of(
                new Resources.Filesystem(2, 100, List.of()),
                new Resources.Filesystem(1, 0, List.of()),
                new Resources.Filesystem(1, 100, List.of(new Resources.Partition("a", 100))),
                new Resources.Filesystem(1, 100, List.of(new Resources.Partition("a", 0))),
                new Resources.Filesystem(1, 100, List.of(new Resources.Partition("a b", 1))),
                new Resources.Filesystem(
                        1,
                        100,
                        List.of(new Resources.Partition("b", 1), new Resources.Partition("a", 1))),
                new Resources.Filesystem(
                        1,
                        100,
                        List.of(
                                new Resources.Partition("a", 1),
                                new Resources.Partition("b", -1))))) {
            assertThat(bad.isValid()).as(bad.toString()).isFalse();
        }
        assertThat(new Resources.Filesystem(1, 100, List.of(new Resources.Partition("a", 99)))
                        .isValid())
                .isTrue();
    }

    @Test
    void aProcessRunsOnlyInWhatWasMadeForItAndInTime() {
        upTo(SessionState.STARTING);
        RegistryCode code = RegistryCode.INVALID_AUTHORIZATION;
        ProcessIdentity elsewhere = new ProcessIdentity(
                1, 4242, Room.PROCESS.bootId(), 14242, 42, 99, Room.PROCESS.cgroupPathDigest());
        refused(code, running(new Execution.Local(elsewhere, Room.FILESYSTEM), "running", 1004));
        refused(code, running(new Execution.Managed(Room.MANAGED), "running", 1004));
        refused(code, running(Room.RUNNING, "running", 1002));
        refused(code, running(Room.RUNNING, "running", 2001));
        ProcessIdentity none = ProcessIdentity.NONE;
        refused(
                RegistryCode.INVALID_REQUEST,
                running(new Execution.Local(none, Room.FILESYSTEM), "running", 1004));
        done(SessionState.RUNNING, running(Room.RUNNING, "running", 2000));
        refused(RegistryCode.INVALID_STATE, running(Room.RUNNING, "again", 2000));
        refused(RegistryCode.INVALID_STATE, stopping("stopping", 1999));
        done(SessionState.STOPPING, stopping("stopping", 2000));
    }

    @Test
    void anEndNeedsAReceiptThatIsOnDiskAndOfThisRun() {
        upTo(SessionState.RUNNING);
        TerminalEnvelope good = Room.envelope(ID, 1004, 1010);
        room.worth = ReceiptCheck.Worth.MALFORMED;
        refused(RegistryCode.INVALID_REQUEST, exited(good, "exited"));
        room.worth = ReceiptCheck.Worth.UNKNOWN;
        refused(RegistryCode.INVALID_AUTHORIZATION, exited(good, "exited"));
        room.worth = ReceiptCheck.Worth.DURABLE;
        refused(RegistryCode.NOT_FOUND, exited(Room.envelope("session-2", 1004, 1010), "exited"));
        refused(RegistryCode.INVALID_STATE, exited(Room.envelope(ID, 1005, 1010), "exited"));
        refused(RegistryCode.INVALID_STATE, exited(Room.envelope(ID, 1004, 1003), "exited"));
        TerminalEnvelope refinement = new TerminalEnvelope(
                true,
                good.sessionId(),
                good.controllerPlanDigest(),
                good.profileDigest(),
                good.receipt(),
                good.finishedAtMs());
        refused(RegistryCode.INVALID_AUTHORIZATION, exited(refinement, "exited"));
        done(SessionState.EXITED, exited(good, "exited"));
        refused(RegistryCode.INVALID_STATE, exited(good, "again"));
        refused(RegistryCode.INVALID_STATE, failed(FailureCode.SUPERVISOR_ERROR, "f", 1011));
    }

    @Test
    void anEvaluationEndsWithAReceiptOfEvaluationsOnly() throws Exception {
        byte[] plan = Room.plan(AcceptedPlan.REFINEMENT_TEMPLATE).getBytes(StandardCharsets.UTF_8);
        Digest content = Digest.sha256(plan);
        Digest controller = new Digest(Room.CONTROLLER);
        registry.create(new Id128(ID), controller, plan, Room.call("c", 1000));
        StartAuthorization asked = new StartAuthorization(
                new Id128("approval-" + ID), new Id128(ID), controller, content, 1001, 2001);
        done(SessionState.PREPARING, reserve(asked, "r", 1001));
        SessionIds ids = new SessionIds(
                new Id128(ID),
                controller,
                content,
                new Id128("approval-" + ID),
                new Digest(Room.PROFILE));
        registry.markStarting(ids, Room.LOCAL, Room.reserved(ID), Room.call("s", 1002));
        registry.markRunning(ids, Room.RUNNING, Room.call("u", 1004));
        TerminalEnvelope plain = Room.envelope(ID, 1004, 1010);
        refused(RegistryCode.INVALID_AUTHORIZATION, exited(plain, "e"));
        TerminalEnvelope refinement = new TerminalEnvelope(
                true, plain.sessionId(), controller, plain.profileDigest(), plain.receipt(), 1010);
        done(SessionState.EXITED, exited(refinement, "e"));
        reopen();
        repeated(SessionState.EXITED, exited(refinement, "e"));
    }

    @Test
    void failuresHaveReasonsThatFitTheState() {
        refused(RegistryCode.NOT_FOUND, failed(FailureCode.LAUNCH_FAILED, "f", 1004));
        done(SessionState.CREATED, create(ID, "create", 1000));
        refused(RegistryCode.INVALID_STATE, failed(FailureCode.LAUNCH_FAILED, "f", 1004));
        done(SessionState.PREPARING, reserve());
        refused(RegistryCode.INVALID_STATE, failed(FailureCode.AUTHORIZATION_EXPIRED, "f", 2001));
        done(SessionState.STARTING, starting("starting", 1003));
        refused(RegistryCode.INVALID_STATE, failed(FailureCode.LAUNCH_FAILED, "f", 1002));
        done(SessionState.RUNNING, running(Room.RUNNING, "running", 1004));
        refused(RegistryCode.INVALID_STATE, failed(FailureCode.LAUNCH_FAILED, "f", 1005));
        refused(RegistryCode.INVALID_STATE, failed(FailureCode.AUTHORIZATION_EXPIRED, "f", 1005));
        done(SessionState.FAILED, failed(FailureCode.RECOVERED_TERMINATED, "f", 1005));
        repeated(SessionState.FAILED, failed(FailureCode.RECOVERED_TERMINATED, "f", 1006));
    }

    @Test
    void aFullStoreSaysCapacityAndStaysUsable() throws Exception {
        registry.close();
        room.recordsMax = 3;
        registry = room.open();
        done(SessionState.CREATED, create(ID, "create", 1000));
        done(SessionState.PREPARING, reserve());
        done(SessionState.CREATED, create("session-2", "create-2", 1000));
        assertThat(registry.room().isLow()).isTrue();
        refused(RegistryCode.CAPACITY, create("session-3", "create-3", 1000));
        repeated(SessionState.CREATED, create(ID, "create", 1000));
        refused(RegistryCode.CAPACITY, starting("starting", 1003));
        assertThat(registry.sessions()).hasSize(2);
        reopen();
        assertThat(registry.sessions()).hasSize(2);
    }

    @Test
    void aStoreThatWasChangedOutsideAnswersNothingAnyMore() throws Exception {
        upTo(SessionState.CREATED);
        Files.write(room.file, new byte[] {0}, java.nio.file.StandardOpenOption.APPEND);

        refused(RegistryCode.STORAGE, create(ID, "create", 1000));
        refused(RegistryCode.STORAGE, reserve());
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> registry.sessions()))
                .hasMessageContaining("changed by somebody else");
    }
}
