package glove.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Syscalls;
import glove.testkit.DyingSyscalls;
import glove.testkit.Seed;
import glove.wire.Digest;
import glove.wire.Id128;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Random histories, restarts and crashes against a model in memory. */
@Tag("unit")
@Timeout(900)
final class SessionModelTest {
    private static final int HISTORIES = 30;
    private static final int LENGTH = 120;
    private static final int RECORDS = 14;

    @TempDir
    private Path parent;

    private Room room;

    @BeforeEach
    void makeRoom() throws Exception {
        room = new Room(parent);
    }

    private static String ask(SessionRegistry registry, SessionModel.Request request) {
        RegistryReply reply = send(registry, request);
        return switch (reply) {
            case RegistryReply.Done done ->
                (done.repeated() ? "again " : "done ") + done.session().state().word();
            case RegistryReply.Refused refused -> refused.code().name();
        };
    }

    private static SessionIds ids(String id, int variant) {
        return new SessionIds(
                new Id128(id),
                new Digest(Room.CONTROLLER),
                RecordChain.contentDigest(Room.PLAN),
                new Id128("approval-" + id),
                profile(variant));
    }

    private static Digest profile(int variant) {
        return new Digest((variant == 0 ? "e" : "f").repeat(64));
    }

    private static RegistryReply send(SessionRegistry registry, SessionModel.Request request) {
        String id = request.id();
        SessionIds ids = ids(id, request.variant());
        return switch (request.step()) {
            case CREATE -> Room.create(registry, id, request.key(), 1000);
            case RESERVE ->
                registry.reserveStart(
                        Room.authorization(id, 1001, 2001), Room.call(request.key(), 1001));
            case START ->
                registry.markStarting(
                        ids,
                        Room.LOCAL,
                        new ReceiptReservation(
                                new Id128(id),
                                new Digest(Room.CONTROLLER),
                                profile(request.variant())),
                        Room.call(request.key(), 1003));
            case RUN -> registry.markRunning(ids, Room.RUNNING, Room.call(request.key(), 1004));
            case STOP -> registry.markStopping(ids, Room.RUNNING, Room.call(request.key(), 1005));
            case EXIT -> {
                TerminalEnvelope good = Room.envelope(id, 1004, 1010);
                yield registry.markExited(
                        new TerminalEnvelope(
                                false,
                                good.sessionId(),
                                good.controllerPlanDigest(),
                                profile(request.variant()),
                                good.receipt(),
                                1010),
                        Room.call(request.key(), 1010));
            }
            case FAIL ->
                registry.markFailed(
                        ids, FailureCode.SUPERVISOR_ERROR, Room.call(request.key(), 1011));
        };
    }

    private static Map<String, SessionState> states(SessionRegistry registry) throws Exception {
        Map<String, SessionState> states = new HashMap<>();
        for (SessionRecord session : registry.sessions()) {
            states.put(session.plan().sessionId(), session.state());
        }
        return states;
    }

    @Test
    void aRandomHistoryWithRestartsIsAnsweredAsTheModelSays() throws Exception {
        room.recordsMax = RECORDS;
        Map<String, Integer> seen = new HashMap<>();
        for (int number = 0; number < HISTORIES; number++) {
            Files.deleteIfExists(room.file);
            Random random = Seed.random(number);
            SessionModel model = new SessionModel(RECORDS);
            SessionRegistry registry = room.open();
            try {
                for (SessionModel.Request request : SessionModel.history(random, LENGTH)) {
                    String expected = model.answer(request);
                    seen.merge(expected, 1, Integer::sum);

                    assertThat(ask(registry, request))
                            .as("%s in history %d; %s", request, number, Seed.words())
                            .isEqualTo(expected);
                    if (random.nextInt(30) == 0) {
                        registry.close();
                        registry = room.open();
                        assertThat(registry.repaired()).isEmpty();
                        assertThat(states(registry)).isEqualTo(model.states());
                    }
                }
                assertThat(registry.room().records()).isEqualTo(model.records());
            } finally {
                registry.close();
            }
        }
        assertThat(seen)
                .containsKeys(
                        "done created",
                        "done running",
                        "again created",
                        "again preparing",
                        "IDEMPOTENCY_CONFLICT",
                        "SESSION_CONFLICT",
                        "NOT_FOUND",
                        "INVALID_STATE",
                        "CAPACITY");
    }

    /** A way through all states, for crashes. */
    private static List<SessionModel.Request> way() {
        List<SessionModel.Request> way = new ArrayList<>();
        for (String id : List.of("a", "b")) {
            for (SessionModel.Step step : SessionModel.Step.values()) {
                boolean other = step == SessionModel.Step.FAIL || step == SessionModel.Step.EXIT;
                if (!other || id.equals("a") == (step == SessionModel.Step.EXIT)) {
                    way.add(new SessionModel.Request(step, id, id + "-" + step, 0));
                }
            }
        }
        return way;
    }

    @Test
    void aCrashAtAnyCallLosesNothingThatWasAnsweredAndTheRestCanBeAskedAgain() throws Exception {
        for (int last = 1; ; last++) {
            room.write(new byte[0]);
            Files.delete(room.file);
            DyingSyscalls kernel = new DyingSyscalls(Syscalls.host(), last, 700);
            int answered = 0;
            try (SessionRegistry registry = room.open(kernel)) {
                for (SessionModel.Request request : way()) {
                    if (!ask(registry, request).startsWith("done ")) {
                        break;
                    }
                    answered++;
                }
            } catch (glove.journal.AppendLogException e) {
                assertThat(e).hasMessageContaining("session store");
            }

            try (SessionRegistry registry = room.open()) {
                assertThat(registry.room().records()).isBetween((long) answered, answered + 1L);
                int at = 0;
                for (SessionModel.Request request : way()) {
                    String before = at < answered ? "again " : "";
                    assertThat(ask(registry, request))
                            .as("%s after call %d", request, last)
                            .startsWith(before)
                            .matches("(again|done) .*");
                    at++;
                }
            }
            if (!kernel.isDead()) {
                assertThat(answered).isEqualTo(12);
                return;
            }
        }
    }

    @Test
    void manyClientsAtOnceGetOneAnswerEachAndTheStoreOpens() throws Exception {
        int clients = 8;
        int each = 25;
        ConcurrentLinkedQueue<String> answers = new ConcurrentLinkedQueue<>();
        try (SessionRegistry registry = room.open()) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int number = i;
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int k = 0; k < each; k++) {
                        // Two clients ask for each session, with keys of their own.
                        String id = "session-" + number / 2 + "-" + k;
                        SessionModel.Step step = SessionModel.Step.CREATE;
                        answers.add(ask(
                                registry,
                                new SessionModel.Request(step, id, "k-" + number + "-" + k, 0)));
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        try (SessionRegistry registry = room.open()) {
            assertThat(registry.sessions()).hasSize(clients / 2 * each);
        }

        assertThat(answers).hasSize(clients * each);
        assertThat(answers.stream().filter("done created"::equals)).hasSize(clients / 2 * each);
        assertThat(answers.stream().filter("SESSION_CONFLICT"::equals)).hasSize(clients / 2 * each);
    }
}
