package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;

import glove.journal.AppendLogException;
import glove.sys.Syscalls;
import glove.testkit.Fault;
import glove.testkit.FaultLoop;
import glove.testkit.FaultyCalls;
import glove.testkit.Leftovers;
import glove.wire.Id128;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Every call of an exposure journal and its pinned roots fails in every way: what was answered is
 * there when it is opened again, no grant is good that should not be, and whoever asks again is
 * answered.
 */
@Tag("unit")
@Timeout(900)
final class ExposureFaultTest {
    private static final long NOW = 1_000_000;

    @TempDir
    private Path parent;

    private Grounds grounds;

    @BeforeEach
    void makeGrounds() throws Exception {
        grounds = new Grounds(parent);
    }

    @Test
    void whatWasAnsweredIsThereAndTheRestIsToldAndDoneNextTime() throws Exception {
        new FaultLoop(Syscalls.host()).run(this::use).requireRow("exposure journal and roots");
    }

    /** One exposed, granted, listed and taken back, and another one exposed. */
    private void use(FaultyCalls calls) throws Exception {
        Files.deleteIfExists(grounds.file);
        Leftovers leftovers = Leftovers.since(Leftovers.Place.withoutGroups());
        List<String> answered = new ArrayList<>();
        List<String> told = new ArrayList<>();
        try (ExposureRegistry registry = grounds.open(calls)) {
            answer("a", create(registry, "a", "k1"), answered, told);
            resolve(registry, told);
            registry.list(NOW);
            answer("-a", registry.revoke("a", 1, new Id128("k2"), NOW), answered, told);
            answer("b", create(registry, "b", "k3"), answered, told);
        } catch (AppendLogException | RootException | ExposureRefusedException e) {
            told.add(String.valueOf(e.getMessage()));
        }
        leftovers.assertNone();
        // The owner's files, when they may not be seen, are not what was exposed.
        Fault.assertTold(
                calls.fault(),
                told.isEmpty(),
                told.isEmpty() ? "" : told.getFirst(),
                "is in use",
                "is of something that is not there any more",
                "is of something that cannot be looked at now",
                "cannot be looked up: the exposure journal is of no more use");
        assertKept(answered);
    }

    private ExposureReply create(ExposureRegistry registry, String id, String key) {
        return registry.create(grounds.wish(id, grounds.project), new Id128(key), NOW);
    }

    private static void answer(
            String what, ExposureReply reply, List<String> answered, List<String> told) {
        switch (reply) {
            case ExposureReply.Done done -> answered.add(what);
            case ExposureReply.Refused refused -> told.add(refused.why());
        }
    }

    private static void resolve(ExposureRegistry registry, List<String> told)
            throws AppendLogException, ExposureRefusedException {
        for (ExposureView view : registry.list(NOW)) {
            try {
                registry.resolve(Grounds.grant(view), Grounds.reading(10), Grounds.CODEX, NOW)
                        .close();
            } catch (ExposureRefusedException e) {
                told.add(String.valueOf(e.getMessage()));
            }
        }
    }

    private void assertKept(List<String> answered) throws Exception {
        try (ExposureRegistry registry = grounds.open()) {
            List<String> kept = new ArrayList<>();
            for (ExposureView view : registry.list(NOW)) {
                kept.add(view.exposureId().text());
                boolean revoked = view.state() == ExposureState.REVOKED;
                kept.addAll(revoked ? List.of("-" + view.exposureId()) : List.of());
            }
            assertThat(kept).containsAll(answered);
            List<String> again = new ArrayList<>();
            List<String> told = new ArrayList<>();
            answer("a", create(registry, "a", "k1"), again, told);
            answer("-a", registry.revoke("a", 1, new Id128("k2"), NOW), again, told);
            answer("b", create(registry, "b", "k3"), again, told);
            assertThat(told).isEmpty();
        }
    }
}
