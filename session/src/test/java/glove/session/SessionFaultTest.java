package glove.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.journal.AppendLogException;
import glove.sys.Syscalls;
import glove.testkit.Fault;
import glove.testkit.FaultLoop;
import glove.testkit.FaultyCalls;
import glove.testkit.Leftovers;
import glove.wire.Id128;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every call of a session store that is opened and written to fails in every way: what was answered
 * is there when it is opened again, nothing else is, and whoever asks again is answered.
 */
@Tag("unit")
@Timeout(900)
final class SessionFaultTest {
    private static final String ID = "session-1";

    @TempDir
    private Path parent;

    /** A request, made again with the same key. */
    private interface Step {
        RegistryReply ask(SessionRegistry registry);
    }

    private static final List<Step> STEPS = List.of(
            registry -> Room.create(registry, ID, "create", 1000),
            registry -> registry.reserveStart(
                    Room.authorization(ID, 1001, 2001), Room.call("reserve", 1002)),
            registry -> registry.markStarting(
                    Room.ids(ID), Room.LOCAL, Room.reserved(ID), Room.call("start", 1003)),
            registry -> registry.markRunning(Room.ids(ID), Room.RUNNING, Room.call("run", 1004)),
            registry -> registry.markStopping(Room.ids(ID), Room.RUNNING, Room.call("stop", 1005)),
            registry ->
                    registry.markExited(Room.envelope(ID, 1004, 1006), Room.call("exit", 3000)));

    /** Why a request was refused; empty when it was not. */
    private static String why(RegistryReply reply) {
        return switch (reply) {
            case RegistryReply.Done done -> "";
            case RegistryReply.Refused refused -> refused.code() + " " + refused.why();
        };
    }

    @Test
    void whatWasAnsweredIsThereAndTheRestIsToldAndDoneNextTime() throws Exception {
        Room room = new Room(parent);
        new FaultLoop(Syscalls.host()).run(calls -> use(room, calls)).requireRow("session store");
    }

    private static void use(Room room, FaultyCalls calls) throws Exception {
        removeAll(room.directory);
        Leftovers leftovers = Leftovers.since(Leftovers.Place.withoutGroups());
        List<SessionState> answered = new ArrayList<>();
        String told = "";
        try (SessionRegistry registry = room.open(calls)) {
            for (Step step : STEPS) {
                RegistryReply reply = step.ask(registry);
                told = told.isEmpty() ? why(reply) : told;
                // A store that is still of use does it now.
                reply = reply instanceof RegistryReply.Done ? reply : step.ask(registry);
                if (reply instanceof RegistryReply.Done done) {
                    answered.add(done.session().state());
                } else {
                    assertThat(why(reply)).contains("STORAGE");
                    break;
                }
            }
            for (SessionRecord found : registry.sessions()) {
                assertThat(found.state()).isEqualTo(answered.getLast());
            }
        } catch (AppendLogException e) {
            told = told.isEmpty() ? String.valueOf(e.getMessage()) : told;
        }
        leftovers.assertNone();
        boolean done = answered.size() == STEPS.size();
        Fault.assertTold(calls.fault(), done && told.isEmpty(), told, "is in use");
        assertThat(told).doesNotContain("INVALID");
        assertKept(room, answered);
    }

    /** Also of a failed request there is all or nothing, and it may be made again. */
    private static void assertKept(Room room, List<SessionState> answered) throws Exception {
        try (SessionRegistry registry = room.open()) {
            Optional<SessionRecord> kept = registry.find(new Id128(ID));
            int steps = kept.map(found -> steps(found.state())).orElse(0);
            int before = answered.isEmpty() ? 0 : steps(answered.getLast());
            assertThat(steps).isBetween(before, before + 1);
            for (int i = 0; i < STEPS.size(); i++) {
                RegistryReply reply = STEPS.get(i).ask(registry);
                assertThat(why(reply)).as("%s", i).isEmpty();
                assertThat(((RegistryReply.Done) reply).repeated()).isEqualTo(i < steps);
            }
        }
    }

    /** How many led to a state. */
    private static int steps(SessionState state) {
        return List.of(SessionState.values()).indexOf(state) + 1;
    }

    private static void removeAll(Path directory) throws Exception {
        try (var names = Files.list(directory)) {
            for (Path name : names.toList()) {
                Files.delete(name);
            }
        }
    }
}
