package glove.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.AppendLogException.Fault;
import glove.sys.Call;
import glove.sys.Syscalls;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Several callers at once. */
@Tag("unit")
@Timeout(900)
final class AppendLogGroupTest {
    private static final int THREADS = 8;
    private static final int EACH = 40;

    @TempDir
    private Path parent;

    private Path file;

    @BeforeEach
    void makeDirectory() throws IOException {
        file = Records.directory(parent, "own").resolve("store");
    }

    /** Counts syncs of data, and can hold one until it is told to go on. */
    private static final class Crashing implements Syscalls {
        private final AtomicInteger syncs = new AtomicInteger();
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch release = new CountDownLatch(1);
        private final int held;
        private final int failing;

        Crashing(int held, int failing) {
            this.held = held;
            this.failing = failing;
        }

        @Override
        public long call(Call call, long a, long b, long c, long d, long e, long f) {
            if (call == Call.FDATASYNC) {
                int now = syncs.incrementAndGet();
                if (now == held) {
                    reached.countDown();
                    await(release);
                }
                if (now == failing) {
                    return -5;
                }
            }
            return Records.UNSYNCED.call(call, a, b, c, d, e, f);
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(5, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void recordsOfManyCallersAreAllThereInTheOrderOfTheirSequences() throws Exception {
        Crashing kernel = new Crashing(0, 0);
        Records records = new Records();
        List<Thread> threads = new ArrayList<>();
        try (AppendLog log = Records.openLarge(kernel, file, new Records.Reading())) {
            for (int i = 0; i < THREADS; i++) {
                String name = "thread " + i + " ";
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int k = 0; k < EACH; k++) {
                        try {
                            log.commit(records.text(name + k));
                        } catch (AppendLogException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                }));
            }
            join(threads);
        }
        Records.Reading reading = new Records.Reading();
        Records.openLarge(Syscalls.host(), file, reading).close();

        assertThat(reading.texts).hasSize(THREADS * EACH).isEqualTo(records.published());
    }

    @Test
    void whatComesDuringASyncSharesTheNextOne() throws Exception {
        Crashing kernel = new Crashing(1, 0);
        Records records = new Records();
        List<Thread> threads = new ArrayList<>();
        try (AppendLog log = Records.openLarge(kernel, file, new Records.Reading())) {
            for (int i = 0; i < 5; i++) {
                String name = "text " + i;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        log.commit(records.text(name));
                    } catch (AppendLogException e) {
                        throw new IllegalStateException(e);
                    }
                }));
                assertThat(kernel.reached.await(5, TimeUnit.MINUTES)).isTrue();
            }
            // They wait in commit when they are no longer running.
            for (Thread thread : threads) {
                while (thread.getState() != Thread.State.WAITING) {
                    Thread.onSpinWait();
                }
            }
            assertThat(records.published()).isEmpty();
            log.verify(); // a write under way is not taken for somebody else's
            kernel.release.countDown();
            join(threads);
        }

        assertThat(kernel.syncs).hasValue(2);
        assertThat(records.published()).hasSize(5);
    }

    @Test
    void whenASyncFailsAllThatSharedItAreToldAndTakenBack() throws Exception {
        Crashing kernel = new Crashing(1, 2);
        Records records = new Records();
        AtomicInteger refused = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        try (AppendLog log = Records.openLarge(kernel, file, new Records.Reading())) {
            for (int i = 0; i < 5; i++) {
                String name = "text " + i;
                threads.add(Thread.ofPlatform().start(() -> {
                    AppendLogException failure = catchThrowableOfType(
                            AppendLogException.class, () -> log.commit(records.text(name)));
                    if (failure != null && failure.fault() == Fault.POISONED) {
                        refused.incrementAndGet();
                    }
                }));
                assertThat(kernel.reached.await(5, TimeUnit.MINUTES)).isTrue();
            }
            for (Thread thread : threads) {
                while (thread.getState() != Thread.State.WAITING) {
                    Thread.onSpinWait();
                }
            }
            kernel.release.countDown();
            join(threads);
        }

        assertThat(refused).hasValue(4);
        assertThat(records.made()).containsExactly("text 0");
        Records.Reading reading = new Records.Reading();
        Records.openLarge(Syscalls.host(), file, reading).close();
        assertThat(reading.texts).containsExactly("text 0");
    }

    @Test
    void ofSeveralThatMakeTheSameLogOneHasItAndTheOthersAreToldThatItIsInUse() throws Exception {
        for (int round = 0; round < 20; round++) {
            List<Thread> threads = new ArrayList<>();
            List<AppendLog> opened = new ArrayList<>();
            AtomicInteger inUse = new AtomicInteger();
            for (int i = 0; i < 4; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        AppendLog log =
                                Records.openLarge(Records.UNSYNCED, file, new Records.Reading());
                        synchronized (opened) {
                            opened.add(log);
                        }
                    } catch (AppendLogException e) {
                        inUse.addAndGet(e.fault() == Fault.IN_USE ? 1 : 0);
                    }
                }));
            }
            join(threads);

            assertThat(opened).hasSize(1);
            assertThat(inUse).hasValue(3);
            opened.get(0).close();
            Files.delete(file);
        }
    }

    @Test
    void anInterruptDoesNotEndTheWaitAndIsNotLost() throws Exception {
        try (AppendLog log = Records.openLarge(Syscalls.host(), file, new Records.Reading())) {
            Thread.currentThread().interrupt();
            long sequence = log.commit(new Records().text("one"));

            assertThat(Thread.interrupted()).isTrue();
            assertThat(sequence).isEqualTo(1);
        }
    }

    @Test
    void aChangeWithoutARecordIsAnsweredWithoutASync() throws Exception {
        Crashing kernel = new Crashing(0, 0);
        Change<String> refusal = new Change<>() {
            @Override
            public Optional<byte[]> make(long sequence) {
                return Optional.empty();
            }

            @Override
            public String done() {
                return "no";
            }

            @Override
            public void undone() {
                throw new IllegalStateException("nothing to undo");
            }
        };
        try (AppendLog log = Records.openLarge(kernel, file, new Records.Reading())) {
            assertThat(log.commit(refusal)).isEqualTo("no");
        }

        assertThat(kernel.syncs).hasValue(0);
    }

    @Test
    void aBugInAChangePoisonsAndLeavesNobodyWaiting() throws Exception {
        Change<String> bug = new Change<>() {
            @Override
            public Optional<byte[]> make(long sequence) {
                throw new IllegalStateException("a bug, as this test wants it");
            }

            @Override
            public String done() {
                return "never";
            }

            @Override
            public void undone() {}
        };
        try (AppendLog log = Records.openLarge(Syscalls.host(), file, new Records.Reading())) {
            for (Change<?> change : List.of(bug, new Records().text("one"))) {
                AppendLogException failure =
                        catchThrowableOfType(AppendLogException.class, () -> log.commit(change));

                assertThat(failure.fault()).isEqualTo(Fault.POISONED);
            }
        }
    }
}
