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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * When memory ends while a log is appended to, that costs the request it was needed for: what was
 * acknowledged is there, and the log goes on, unless nobody knows what is on disk.
 */
@Tag("unit")
@Timeout(900)
final class CommitterMemoryTest {
    @TempDir
    private Path parent;

    private Path file;

    @BeforeEach
    void makeDirectory() throws Exception {
        file = Records.directory(parent, "own").resolve("store");
    }

    private List<String> texts() throws AppendLogException {
        Records.Reading reading = new Records.Reading();
        Records.openLarge(Syscalls.host(), file, reading).close();
        return reading.texts;
    }

    private static boolean isCommitter() {
        return Thread.currentThread().getName().startsWith("append to");
    }

    /** Memory ends at each call of the committer in turn: before it, or just after it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void atAnyCallOfTheCommitter(boolean after) throws Exception {
        List<String> acknowledged = new ArrayList<>();
        int poisoned = 0;
        int wentOn = 0;
        for (int nth = 1; ; nth++) {
            AtomicInteger left = new AtomicInteger(nth);
            AtomicBoolean written = new AtomicBoolean();
            AtomicBoolean synced = new AtomicBoolean();
            Syscalls kernel = (call, a, b, c, d, e, f) -> {
                boolean hit = isCommitter() && left.getAndDecrement() == 1;
                synced.compareAndSet(false, isCommitter() && call == Call.FDATASYNC);
                if (hit && !after) {
                    throw new OutOfMemoryError("injected");
                }
                long result = Syscalls.host().call(call, a, b, c, d, e, f);
                written.compareAndSet(false, isCommitter() && call == Call.PWRITE64);
                if (hit) {
                    throw new OutOfMemoryError("injected");
                }
                return result;
            };
            String first = "first" + nth;
            String second = "second" + nth;
            AppendLogException refused;
            try (AppendLog log = Records.openLarge(kernel, file, new Records.Reading())) {
                refused = catchThrowableOfType(
                        AppendLogException.class, () -> log.commit(new Records().text(first)));
                boolean mayPoison = synced.get();
                if (refused == null) {
                    acknowledged.add(first);
                }
                AppendLogException next = catchThrowableOfType(
                        AppendLogException.class, () -> log.commit(new Records().text(second)));
                if (next == null) {
                    acknowledged.add(second);
                    wentOn += refused == null ? 0 : 1;
                } else if (refused != null) {
                    assertThat(next.fault()).isEqualTo(Fault.POISONED);
                    assertThat(refused.fault()).isEqualTo(Fault.POISONED);
                    assertThat(mayPoison).as("call %s: nothing was synced", nth).isTrue();
                    poisoned++;
                }
            }
            assertThat(texts()).as("call %s", nth).containsSubsequence(acknowledged);
            if (left.get() > 0) {
                break;
            }
        }
        assertThat(poisoned).as("the control").isPositive();
        assertThat(wentOn).as("the control").isGreaterThan(2);
    }

    /** A text; memory ends where a test wants. */
    private static final class Text implements Change<String> {
        private final Records memory;
        private final String text;
        private final Where where;
        private int dones;
        private boolean made;

        enum Where {
            NOWHERE,
            BEFORE_MAKE,
            AFTER_MAKE,
            FIRST_DONE,
            EVERY_DONE
        }

        Text(Records memory, String text, Where where) {
            this.memory = memory;
            this.text = text;
            this.where = where;
        }

        private void endIf(boolean now) {
            if (now) {
                throw new OutOfMemoryError("injected");
            }
        }

        @Override
        public Optional<byte[]> make(long sequence) {
            endIf(where == Where.BEFORE_MAKE);
            memory.made().add(text);
            made = true;
            endIf(where == Where.AFTER_MAKE);
            return Optional.of(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String done() {
            dones++;
            endIf(where == Where.EVERY_DONE || (where == Where.FIRST_DONE && dones == 1));
            return text;
        }

        @Override
        public void undone() {
            if (made) {
                assertThat(memory.made().removeLast()).isEqualTo(text);
            }
        }
    }

    /** Commits all in one batch: the first one holds the committer until the rest wait. */
    private static List<String> batch(AppendLog log, List<Text> changes) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Change<Integer> holding = new Change<>() {
            @Override
            public Optional<byte[]> make(long sequence) {
                begun.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return Optional.empty();
            }

            @Override
            public Integer done() {
                return 0;
            }

            @Override
            public void undone() {}
        };
        Thread holder = Thread.ofPlatform().start(() -> commit(log, holding));
        begun.await();
        List<Thread> threads = new ArrayList<>();
        List<String> told = new ArrayList<>();
        for (Text change : changes) {
            int place = told.size();
            told.add("");
            Thread thread = Thread.ofPlatform().start(() -> {
                String outcome = commit(log, change);
                synchronized (told) {
                    told.set(place, outcome);
                }
            });
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait(); // so they come in order
            }
            threads.add(thread);
        }
        go.countDown();
        holder.join();
        for (Thread thread : threads) {
            thread.join();
        }
        return told;
    }

    private static String commit(AppendLog log, Change<?> change) {
        try {
            return String.valueOf(log.commit(change));
        } catch (AppendLogException e) {
            return e.fault().name();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BEFORE_MAKE", "AFTER_MAKE"})
    void aChangeThatCannotBeMadeIsTheOnlyOneThatFails(String where) throws Exception {
        Records memory = new Records();
        List<String> told;
        try (AppendLog log = Records.openLarge(Syscalls.host(), file, new Records.Reading())) {
            told = batch(
                    log,
                    List.of(
                            new Text(memory, "one", Text.Where.NOWHERE),
                            new Text(memory, "two", Text.Where.valueOf(where)),
                            new Text(memory, "three", Text.Where.NOWHERE)));
            assertThat(log.commit(new Text(memory, "four", Text.Where.NOWHERE))).isEqualTo("four");
        }

        assertThat(told).containsExactly("one", "SYSTEM", "three");
        assertThat(memory.made()).containsExactly("one", "three", "four");
        assertThat(texts()).containsExactly("one", "three", "four");
    }

    @Test
    void whatIsOnDiskIsShownAtTheSecondAttempt() throws Exception {
        Records memory = new Records();
        try (AppendLog log = Records.openLarge(Syscalls.host(), file, new Records.Reading())) {
            List<String> told = batch(
                    log,
                    List.of(
                            new Text(memory, "one", Text.Where.FIRST_DONE),
                            new Text(memory, "two", Text.Where.NOWHERE)));

            assertThat(told).containsExactly("one", "two");
            log.verify();
        }
        assertThat(texts()).containsExactly("one", "two");
    }

    @Test
    void whatIsOnDiskAndCannotBeShownEndsTheUseOfTheLogAndIsThereAfterwards() throws Exception {
        Records memory = new Records();
        try (AppendLog log = Records.openLarge(Syscalls.host(), file, new Records.Reading())) {
            List<String> told = batch(
                    log,
                    List.of(
                            new Text(memory, "one", Text.Where.NOWHERE),
                            new Text(memory, "two", Text.Where.EVERY_DONE),
                            new Text(memory, "three", Text.Where.NOWHERE)));

            assertThat(told).containsExactly("one", "POISONED", "POISONED");
            assertThat(catchThrowableOfType(AppendLogException.class, log::verify)
                            .fault())
                    .isEqualTo(Fault.POISONED);
        }
        assertThat(texts()).as("acknowledged or not").containsExactly("one", "two", "three");
    }
}
