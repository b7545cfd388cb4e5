package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Call;
import glove.sys.FdLeaks;
import glove.sys.Syscalls;
import glove.testkit.DyingSyscalls;
import glove.testkit.FaultySyscalls;
import glove.testkit.Seed;
import glove.wire.Id128;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Random histories, restarts, failing calls and kills against a model in memory. */
@Tag("unit")
@Timeout(900)
final class ExposureModelTest {
    private static final int HISTORIES = 20;
    private static final int LENGTH = 80;
    private static final int CALLS_MAX = 300;
    private static final int ENOSPC = 28;
    private static final int EIO = 5;

    @TempDir
    private Path parent;

    private Grounds grounds;

    @BeforeEach
    void makeGrounds() throws Exception {
        grounds = new Grounds(parent);
    }

    /** One request. */
    private record Asked(boolean creation, String id, String key, long generation, long nowMs) {
        String digest() {
            return creation ? "create " + id : "revoke " + id + " " + generation;
        }
    }

    /** What should be: the plainest code that could be right. */
    private static final class Model {
        private final Map<String, List<String>> states = new TreeMap<>();
        private final Map<String, List<Long>> ends = new HashMap<>();
        private final Map<String, String> digests = new HashMap<>();
        private final Map<String, Integer> made = new HashMap<>();

        String ask(Asked asked) {
            String before = digests.get(asked.key);
            if (before != null) {
                return before.equals(asked.digest())
                        ? "again " + stored(asked.id, made.getOrDefault(asked.key, 0))
                        : "CONFLICT";
            }
            return asked.creation ? create(asked) : revoke(asked);
        }

        private String stored(String id, int generation) {
            return generation + " " + states.getOrDefault(id, List.of()).get(generation - 1);
        }

        private String create(Asked asked) {
            List<String> of = states.computeIfAbsent(asked.id, id -> new ArrayList<>());
            List<Long> times = ends.computeIfAbsent(asked.id, id -> new ArrayList<>());
            int last = of.size() - 1;
            if (last >= 0 && of.get(last).equals("active") && times.get(last) > asked.nowMs) {
                return "STATE";
            }
            of.add("active");
            times.add(asked.nowMs + 100_000);
            return remember(asked, of.size(), "done ");
        }

        private String revoke(Asked asked) {
            List<String> of = states.getOrDefault(asked.id, List.of());
            int index = (int) asked.generation - 1;
            if (index >= of.size() || !of.get(index).equals("active")) {
                return "STATE";
            }
            boolean over = ends.getOrDefault(asked.id, List.of()).get(index) <= asked.nowMs
                    || index < of.size() - 1;
            of.set(index, over ? "expired" : "revoked");
            return remember(asked, index + 1, "done ");
        }

        private String remember(Asked asked, int generation, String word) {
            digests.put(asked.key, asked.digest());
            made.put(asked.key, generation);
            return word + stored(asked.id, generation);
        }

        List<String> listed(long nowMs) {
            List<String> all = new ArrayList<>();
            states.forEach((id, of) -> {
                for (int i = 0; i < of.size(); i++) {
                    boolean over =
                            ends.getOrDefault(id, List.of()).get(i) <= nowMs || i < of.size() - 1;
                    String state = of.get(i).equals("active") && over ? "expired" : of.get(i);
                    all.add(id + " " + (i + 1) + " " + state);
                }
            });
            return all;
        }
    }

    private String ask(ExposureRegistry registry, Asked asked) {
        Id128 key = new Id128(asked.key);
        return Grounds.words(
                asked.creation
                        ? registry.create(grounds.wish(asked.id, grounds.project), key, asked.nowMs)
                        : registry.revoke(asked.id, asked.generation, key, asked.nowMs));
    }

    private static List<String> listed(ExposureRegistry registry, long nowMs) throws Exception {
        return registry.list(nowMs).stream()
                .map(view -> view.exposureId() + " " + view.generation() + " "
                        + view.state().word())
                .toList();
    }

    private static Asked random(Random random, long nowMs) {
        return new Asked(
                random.nextBoolean(),
                "e" + random.nextInt(3),
                "k" + random.nextInt(60),
                1 + random.nextInt(4),
                nowMs);
    }

    @Test
    void everyHistoryIsTheModels() throws Exception {
        for (int history = 0; history < HISTORIES; history++) {
            Files.deleteIfExists(grounds.file);
            Random random = Seed.random(history);
            Model model = new Model();
            long now = 1_000_000;
            ExposureRegistry registry = grounds.open();
            try {
                for (int i = 0; i < LENGTH; i++) {
                    now += random.nextInt(60_000) - 5_000; // a clock may go back a little
                    Asked asked = random(random, now);
                    String where = "history " + history + ", " + asked + ", " + Seed.words();
                    assertThat(ask(registry, asked)).as(where).isEqualTo(model.ask(asked));
                    assertThat(listed(registry, now)).as(where).isEqualTo(model.listed(now));
                    if (random.nextInt(10) == 0) {
                        registry.close();
                        registry = grounds.open();
                        assertThat(listed(registry, now)).as(where).isEqualTo(model.listed(now));
                    }
                }
            } finally {
                registry.close();
            }
        }
    }

    private static final List<Asked> SCRIPT = List.of(
            new Asked(true, "a", "k1", 0, 1_000_000),
            new Asked(false, "a", "k2", 1, 1_000_001),
            new Asked(true, "a", "k3", 0, 1_000_002),
            new Asked(true, "b", "k4", 0, 1_000_003));

    /** What was acknowledged to one who asks until a call fails. */
    private List<String> use(Syscalls kernel) {
        List<String> answers = new ArrayList<>();
        try (ExposureRegistry registry = grounds.open(kernel)) {
            for (Asked asked : SCRIPT) {
                answers.add(ask(registry, asked));
            }
        } catch (RootException | glove.journal.AppendLogException e) {
            assertThat(e).hasMessageMatching("(exposure journal|the directory) '.*");
        }
        return answers;
    }

    private void removeJournals() throws IOException {
        try (var names = Files.list(grounds.file.getParent())) {
            for (Path name : names.toList()) {
                Files.delete(name);
            }
        }
    }

    /** All that was acknowledged is there, and of the rest a part from its beginning, or nothing. */
    private void assertHolds(List<String> answers, String when) throws Exception {
        long acknowledged =
                answers.stream().filter(answer -> answer.startsWith("done")).count();
        List<List<String>> possible = new ArrayList<>();
        Model model = new Model();
        possible.add(model.listed(1_000_004));
        for (Asked asked : SCRIPT) {
            model.ask(asked);
            possible.add(model.listed(1_000_004));
        }
        try (ExposureRegistry registry = grounds.open()) {
            long records = registry.room().records();
            assertThat(records).as(when).isGreaterThanOrEqualTo(acknowledged);
            assertThat(listed(registry, 1_000_004)).as(when).isEqualTo(possible.get((int) records));
        }
    }

    @Test
    void aProcessKilledBeforeAnyCallHasLostNothingAcknowledged() throws Exception {
        for (int last = 1; last <= CALLS_MAX; last++) {
            removeJournals();
            DyingSyscalls kernel = new DyingSyscalls(Syscalls.host(), last, 100);
            FdLeaks.watch();
            List<String> answers = use(kernel);
            FdLeaks.assertNone();
            assertHolds(answers, "killed before call " + last);
            if (!kernel.isDead()) {
                assertThat(answers).hasSize(4).allMatch(answer -> answer.startsWith("done"));
                assertThat(last).isGreaterThan(30);
                return;
            }
        }
        throw new AssertionError("more than " + CALLS_MAX + " calls");
    }

    @Test
    void whicheverCallFailsNothingHalfIsTrustedAndNothingStaysOpen() throws Exception {
        for (int errno : new int[] {EIO, ENOSPC}) {
            int nth = 1;
            boolean fired = true;
            for (; fired && nth <= CALLS_MAX; nth++) {
                removeJournals();
                FaultySyscalls kernel = new FaultySyscalls(Syscalls.host(), nth, errno);
                FdLeaks.watch();
                List<String> answers = useInOrder(kernel);
                FdLeaks.assertNone();
                assertHolds(answers, "call " + nth + " fails with " + errno);
                fired = kernel.fired();
            }
            assertThat(fired).isFalse();
            assertThat(nth).isGreaterThan(30);
        }
    }

    /** Ends at the first answer that is not what the model says: the rest would rest on it. */
    private List<String> useInOrder(Syscalls kernel) {
        List<String> answers = new ArrayList<>();
        Model model = new Model();
        try (ExposureRegistry registry = grounds.open(kernel)) {
            for (Asked asked : SCRIPT) {
                String answer = ask(registry, asked);
                if (!answer.equals(model.ask(asked))) {
                    assertThat(answer).isIn("STORAGE", "UNAVAILABLE");
                    return answers;
                }
                answers.add(answer);
            }
        } catch (RootException | glove.journal.AppendLogException e) {
            assertThat(e).hasMessageMatching("(exposure journal|the directory) '.*");
        }
        return answers;
    }

    @Test
    void whatCouldNotBeWrittenWasNotDoneAndTheRestGoesOn() throws Exception {
        AtomicBoolean full = new AtomicBoolean();
        Syscalls kernel = (call, a, b, c, d, e, f) -> full.get() && call == Call.PWRITE64
                ? -ENOSPC
                : Syscalls.host().call(call, a, b, c, d, e, f);
        try (ExposureRegistry registry = grounds.open(kernel)) {
            ask(registry, SCRIPT.get(0));
            full.set(true);
            for (Asked asked : SCRIPT.subList(1, 4)) {
                assertThat(ask(registry, asked)).isIn("STORAGE", "STATE");
            }
            assertThat(listed(registry, 1_000_004)).containsExactly("a 1 active");
            full.set(false);
            for (Asked asked : SCRIPT.subList(1, 4)) {
                assertThat(ask(registry, asked)).startsWith("done");
            }
        }
        try (ExposureRegistry registry = grounds.open()) {
            assertThat(listed(registry, 1_000_004))
                    .containsExactly("a 1 revoked", "a 2 active", "b 1 active");
        }
    }

    /** The calls that make a record last, each named: they are in both loops above. */
    @Test
    void theLoopsReachWritingAndSyncing() {
        List<Call> seen = new ArrayList<>();
        use((call, a, b, c, d, e, f) -> {
            synchronized (seen) {
                seen.add(call);
            }
            return Syscalls.host().call(call, a, b, c, d, e, f);
        });

        assertThat(seen).contains(Call.PWRITE64, Call.OPENAT2, Call.FLOCK);
        assertThat(seen).containsAnyOf(Call.FDATASYNC, Call.FSYNC);
    }
}
