package glove.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.AppendLogException.Fault;
import glove.sys.Call;
import glove.sys.FdLeaks;
import glove.sys.Syscalls;
import glove.testkit.DyingSyscalls;
import glove.testkit.FaultySyscalls;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Whenever the process or a call ends: what was acknowledged is there, and nothing half is. */
@Tag("unit")
final class AppendLogCrashTest {
    private static final int EIO = 5;
    private static final int ENOSPC = 28;
    private static final List<String> TEXTS = List.of("one", "the second", "3");

    @TempDir
    private Path parent;

    private Path directory;
    private Path file;

    @BeforeEach
    void makeDirectory() throws IOException {
        directory = Records.directory(parent, "own");
        file = directory.resolve("store");
    }

    private void removeAll() throws IOException {
        try (var names = Files.list(directory)) {
            for (Path name : names.toList()) {
                Files.delete(name);
            }
        }
    }

    /** What was acknowledged to one who opens and appends until it fails. */
    private List<String> use(Syscalls kernel) {
        List<String> acknowledged = new ArrayList<>();
        try (AppendLog log = Records.open(kernel, file, new Records.Reading())) {
            for (String text : TEXTS) {
                log.commit(new Records().text(text));
                acknowledged.add(text);
            }
        } catch (AppendLogException e) {
            assertThat(e).hasMessageContaining("test store");
        }
        return acknowledged;
    }

    /** Opens, and whatever was kept of a torn end is told. */
    private void assertHolds(List<String> acknowledged, String when) throws Exception {
        List<String> read = Records.read(file);
        assertThat(read).as(when).isEqualTo(TEXTS.subList(0, read.size()));
        assertThat(read).as(when).hasSizeGreaterThanOrEqualTo(acknowledged.size());
    }

    @Test
    void aProcessKilledBeforeAnyCallHasLostNothingAcknowledged() throws Exception {
        for (int last = 1; ; last++) {
            removeAll();
            DyingSyscalls kernel = new DyingSyscalls(Syscalls.host(), last);

            List<String> acknowledged = use(kernel);

            assertHolds(acknowledged, "before call " + last);
            if (!kernel.isDead()) {
                assertThat(acknowledged).isEqualTo(TEXTS);
                assertThat(last).isGreaterThan(25);
                return;
            }
        }
    }

    @Test
    void aProcessKilledInTheMiddleOfAnyWriteHasLostNothingAcknowledged() throws Exception {
        int torn = 0;
        for (int last = 1; ; last++) {
            boolean dead = false;
            for (int bytes = 1; bytes < 20; bytes += 5) {
                removeAll();
                DyingSyscalls kernel = new DyingSyscalls(Syscalls.host(), last, bytes);

                List<String> acknowledged = use(kernel);

                dead = kernel.isDead();
                assertHolds(acknowledged, "in call " + last + " after " + bytes);
                torn += directory.toFile().list().length > 1 ? 1 : 0;
            }
            if (!dead) {
                assertThat(torn).isGreaterThan(5);
                return;
            }
        }
    }

    @Test
    void aCrashInTheMiddleOfARepairLosesNothingOfWhatWasTorn() throws Exception {
        use(Syscalls.host());
        byte[] whole = Files.readAllBytes(file);
        byte[] torn = Arrays.copyOf(whole, whole.length - 2);
        for (int last = 1; ; last++) {
            removeAll();
            Records.write(file, torn);
            DyingSyscalls kernel = new DyingSyscalls(Syscalls.host(), last);
            AppendLogException failure = catchThrowableOfType(
                    AppendLogException.class,
                    () -> Records.open(kernel, file, new Records.Reading()).close());
            boolean dead = kernel.isDead();
            assertThat(failure != null).isEqualTo(dead);

            assertThat(Records.read(file)).containsExactly("one", "the second");

            assertThat(keptBytes()).as("call " + last).containsExactly(0, 0, 0, 1, '3', 0, 0);
            if (!dead) {
                return;
            }
        }
    }

    /** Of the one file beside the log, which may have been written twice. */
    private byte[] keptBytes() throws IOException {
        try (var names = Files.list(directory)) {
            List<Path> kept = names.filter(name -> name.toString().contains(".torn-")
                            && !name.getFileName().toString().startsWith("."))
                    .toList();
            assertThat(kept).hasSize(1);
            return Files.readAllBytes(kept.get(0));
        }
    }

    @Test
    void everyPrefixOfTheFileOpensWithTheWholeRecordsInIt() throws Exception {
        use(Syscalls.host());
        byte[] whole = Files.readAllBytes(file);
        List<Integer> ends = List.of(8, 19, 37, 46);
        assertThat(whole).hasSize(46);
        for (int size = 8; size <= whole.length; size++) {
            removeAll();
            Records.write(file, Arrays.copyOf(whole, size));
            int count = 0;
            while (count < 3 && ends.get(count + 1) <= size) {
                count++;
            }

            assertThat(Records.read(file)).as("%d bytes", size).isEqualTo(TEXTS.subList(0, count));
        }
    }

    @Test
    void aFailingCallIsToldLeaksNothingAndTheLogOpensAgain() throws Exception {
        for (int errno : new int[] {EIO, ENOSPC}) {
            for (int nth = 1; ; nth++) {
                removeAll();
                FaultySyscalls kernel = new FaultySyscalls(Syscalls.host(), nth, errno);
                FdLeaks.watch();

                List<String> acknowledged = use(kernel);

                assertThat(FdLeaks.stop()).as("call %d", nth).isEmpty();
                assertHolds(acknowledged, "call " + nth);
                if (!kernel.fired()) {
                    assertThat(acknowledged).isEqualTo(TEXTS);
                    break;
                }
            }
        }
    }

    /** Fails calls of one kind, some of them. */
    private static final class Hierarchy implements Syscalls {
        private final Call failing;
        private final int first;
        private final int count;
        private int seen;

        Hierarchy(Call failing, int first, int count) {
            this.failing = failing;
            this.first = first;
            this.count = count;
        }

        @Override
        public synchronized long call(Call call, long a, long b, long c, long d, long e, long f) {
            if (call == failing && ++seen >= first && seen < first + count) {
                if (call == Call.PWRITE64) {
                    Syscalls.host().call(call, a, b, 5, d, e, f); // a part of it
                }
                return -ENOSPC;
            }
            return Syscalls.host().call(call, a, b, c, d, e, f);
        }
    }

    @Test
    void aWriteThatFailsIsTakenBackAndTheLogGoesOn() throws Exception {
        Records records = new Records();
        // The first write is that of the header.
        try (AppendLog log =
                Records.open(new Hierarchy(Call.PWRITE64, 3, 1), file, new Records.Reading())) {
            log.commit(records.text("one"));
            AppendLogException failure = catchThrowableOfType(
                    AppendLogException.class, () -> log.commit(records.text("two")));
            assertThat(failure.fault()).isEqualTo(Fault.SYSTEM);
            assertThat(failure).hasMessageContaining("ENOSPC");
            assertThat(records.made()).containsExactly("one");

            log.commit(records.text("three"));

            assertThat(records.published()).containsExactly("one", "three");
        }
        assertThat(Records.read(file)).containsExactly("one", "three");
    }

    @Test
    void aSyncThatFailsIsNeverRepeatedAndPoisons() throws Exception {
        Records records = new Records();
        try (AppendLog log =
                Records.open(new Hierarchy(Call.FDATASYNC, 2, 1), file, new Records.Reading())) {
            log.commit(records.text("one"));
            for (String text : List.of("two", "three")) {
                AppendLogException failure = catchThrowableOfType(
                        AppendLogException.class, () -> log.commit(records.text(text)));
                assertThat(failure.fault()).isEqualTo(Fault.POISONED);
                assertThat(failure).hasMessageContaining("cannot be synced");
            }
            assertThat(records.made()).containsExactly("one");
            assertThat(records.published()).containsExactly("one");
        }
        assertThat(Records.read(file)).containsExactly("one");
    }

    @Test
    void aWriteThatCannotBeTakenBackPoisons() throws Exception {
        Records records = new Records();
        Syscalls noCut = new Hierarchy(Call.FTRUNCATE, 1, 1);
        Syscalls noWrite = (call, a, b, c, d, e, f) -> {
            if (call == Call.PWRITE64 && d > 8) {
                Syscalls.host().call(call, a, b, 5, d, e, f);
                return -ENOSPC;
            }
            return noCut.call(call, a, b, c, d, e, f);
        };
        try (AppendLog log = Records.open(noWrite, file, new Records.Reading())) {
            log.commit(records.text("one"));
            AppendLogException failure = catchThrowableOfType(
                    AppendLogException.class, () -> log.commit(records.text("two")));
            assertThat(failure.fault()).isEqualTo(Fault.POISONED);
            assertThat(records.made()).containsExactly("one");
        }
        assertThat(Records.read(file)).containsExactly("one");
    }
}
