package glove.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.AppendLogException.Fault;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;

@Tag("unit")
final class AppendLogTest {
    @TempDir
    private Path parent;

    private Path directory;
    private Path file;

    @BeforeEach
    void makeDirectory() throws IOException {
        directory = Records.directory(parent, "own");
        file = directory.resolve("store");
    }

    private static AppendLogException refused(Fault fault, ThrowingCallable use) {
        AppendLogException refused = catchThrowableOfType(AppendLogException.class, use);
        assertThat(refused).isNotNull();
        assertThat(refused.fault()).as(refused.getMessage()).isEqualTo(fault);
        return refused;
    }

    private void refusedToOpen(Fault fault, String words) {
        assertThat(refused(
                        fault, () -> Records.open(file, new Records.Reading()).close()))
                .hasMessageContaining("test store '" + file + "'")
                .hasMessageContaining(words);
    }

    private void fill(String... texts) throws AppendLogException {
        try (AppendLog log = Records.open(file, new Records.Reading())) {
            for (String text : texts) {
                log.commit(new Records().text(text));
            }
        }
    }

    /** A file as another program would write it. */
    private static byte[] bytes(String... texts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(Records.HEADER.getBytes(StandardCharsets.US_ASCII));
        for (String text : texts) {
            byte[] payload = text.getBytes(StandardCharsets.UTF_8);
            byte[] length = ByteBuffer.allocate(4).putInt(payload.length).array();
            out.writeBytes(length);
            out.writeBytes(payload);
            out.writeBytes(length);
        }
        return out.toByteArray();
    }

    @Test
    void recordsStandBetweenTwoCopiesOfTheirLengthBehindTheHeader() throws Exception {
        fill("one", "second");
        fill("third");

        assertThat(Files.readAllBytes(file)).isEqualTo(bytes("one", "second", "third"));
        assertThat(Records.read(file)).containsExactly("one", "second", "third");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (var names = Files.list(directory)) {
            assertThat(names).containsExactly(file);
        }
    }

    @Test
    void sequencesGoOnAndRecordsCanBeReadAgain() throws Exception {
        fill("one", "second");
        Records.Reading reading = new Records.Reading();
        try (AppendLog log = Records.open(file, reading)) {
            assertThat(log.commit(new Records().text("third"))).isEqualTo(3);
            assertThat(log.read(reading.offsets.get(1)))
                    .isEqualTo("second".getBytes(StandardCharsets.UTF_8));
            assertThat(log.room()).isEqualTo(new AppendLog.Room(8 + 3 * 8 + 14, 400, 3, 10));
            assertThat(log.repaired()).isEmpty();
            log.verify();
            refused(Fault.CORRUPT, () -> log.read(9));
            refused(Fault.CORRUPT, () -> log.read(4000));
        }
    }

    @Test
    void whichFileMayBeOpenedIsTheCallersWord() throws Exception {
        UnixPath path = UnixPath.of(file.toString());
        refused(
                Fault.MISSING,
                () -> AppendLog.open(
                        Linux.host(),
                        path,
                        Records.LAYOUT,
                        AppendLog.Opening.EXISTING,
                        new Records.Reading()));
        fill();
        refused(
                Fault.EXISTS,
                () -> AppendLog.open(
                        Linux.host(),
                        path,
                        Records.LAYOUT,
                        AppendLog.Opening.NEW,
                        new Records.Reading()));
        assertThat(Records.read(file)).isEmpty();
    }

    @Test
    void aSecondOneThatOpensItIsRefusedWhileTheFirstGoesOn() throws Exception {
        try (AppendLog log = Records.open(file, new Records.Reading())) {
            refusedToOpen(Fault.IN_USE, "in use by another process");
            log.commit(new Records().text("one"));
        }
        assertThat(Records.read(file)).containsExactly("one");
    }

    @Test
    void aFileOthersMayHaveWrittenIsNotOpened() throws Exception {
        fill("one");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        refusedToOpen(Fault.UNSAFE, "chmod 600");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Path second = Files.createLink(directory.resolve("second"), file);
        refusedToOpen(Fault.UNSAFE, "hard link");
        Files.delete(second);
        Files.move(file, second);
        Files.createSymbolicLink(file, second);
        refusedToOpen(Fault.UNSAFE, "symbolic link");
        Files.delete(file);
        Files.createDirectory(file);
        refusedToOpen(Fault.SYSTEM, "EISDIR");
        Files.delete(file);
        Files.move(second, file);
        assertThat(Records.read(file)).containsExactly("one");
    }

    @Test
    void aFileOfSomebodyElseIsNotOpened() throws Exception {
        Lanes.require("privileged", Identity.isRoot(), "only root can give a file away");
        fill("one");
        Files.setAttribute(file, "unix:uid", 54321);
        refusedToOpen(Fault.UNSAFE, "belongs to the user 54321");
        Files.setAttribute(file, "unix:uid", 0);
        Files.setAttribute(directory, "unix:uid", 54321);
        refusedToOpen(Fault.UNSAFE, "chown it to you");
        Files.setAttribute(directory, "unix:uid", 0);
        assertThat(Records.read(file)).containsExactly("one");
    }

    @Test
    void aDirectoryThatOthersCanEnterIsRefusedOnlyWhereTheLayoutSaysSo() throws Exception {
        fill("one");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-x---"));
        refusedToOpen(Fault.UNSAFE, "chmod 700");
        AppendLayout open = new AppendLayout(
                "receipts", Records.HEADER, Records.LAYOUT.bounds(), AppendLayout.Parent.ANY);
        Records.Reading reading = new Records.Reading();
        AppendLog.open(
                        Linux.host(),
                        UnixPath.of(file.toString()),
                        open,
                        AppendLog.Opening.EXISTING,
                        reading)
                .close();
        assertThat(reading.texts).containsExactly("one");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        Path link = Files.createSymbolicLink(parent.resolve("link"), directory);
        file = link.resolve("store");
        refusedToOpen(Fault.SYSTEM, "its directory");
    }

    @Test
    void namesThatAreNoFileAreRefused() {
        for (String name : List.of("", "/", ".", "..", "own/..", "own/", "own/.")) {
            refused(
                    Fault.UNSAFE,
                    () -> AppendLog.open(
                            Linux.host(),
                            UnixPath.of(name),
                            Records.LAYOUT,
                            AppendLog.Opening.EITHER,
                            new Records.Reading()));
        }
    }

    @Test
    void whatDoesNotBeginWithTheHeaderIsNotOpenedAndLeftAsItIs() throws Exception {
        for (String text : List.of("", "TEST", "TESTLOG2", "my notes, and more of them")) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            Records.write(file, bytes);
            refusedToOpen(Fault.HEADER, "move");
            assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
        }
    }

    private void refusedToOpen(Fault fault, byte[] bytes, String words) throws IOException {
        Records.write(file, bytes);
        refusedToOpen(fault, words);
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
        assertThat(directory.toFile().list()).hasSize(1);
    }

    @Test
    void damageInTheMiddleIsToldWithItsPlaceAndLeftAsItIs() throws Exception {
        byte[] whole = bytes("one", "second", "third");
        byte[] length = whole.clone();
        length[8] = 1;
        refusedToOpen(Fault.CORRUPT, length, "record 1, at byte 8, has the length 16777219");
        byte[] zero = whole.clone();
        zero[22] = 0;
        refusedToOpen(Fault.CORRUPT, zero, "record 2, at byte 19, has the length 0");
        byte[] footer = whole.clone();
        footer[18] = 4;
        refusedToOpen(Fault.CORRUPT, footer, "record 1, at byte 8, has another length at its end");
        // A length that reaches beyond the end would make the rest look torn.
        byte[] longer = whole.clone();
        longer[11] = 60;
        refusedToOpen(Fault.CORRUPT, longer, "record 1, at byte 8, does not end where its length");
        byte[] longerLast = whole.clone();
        longerLast[22] ^= 0x20;
        refusedToOpen(Fault.CORRUPT, longerLast, "record 2, at byte 19, does not end where");
        refusedToOpen(Fault.CORRUPT, bytes("one", "bad", "third"), "record 2, at byte 19, is bad");
        refusedToOpen(Fault.CORRUPT, Arrays.copyOf(whole, whole.length + 9), "has the length 0");
    }

    /** Bytes that no interrupted append leaves are damage, where they are at the end, too. */
    @Test
    void anEndThatIsNoBeginningOfARecordIsRefused() throws Exception {
        byte[] whole = bytes("{\"a\":[\"}\\\"\"]}");
        for (int size = whole.length - 4; size <= whole.length; size++) {
            byte[] longer = Arrays.copyOf(whole, size);
            longer[11] ^= 0x20;
            refusedToOpen(Fault.CORRUPT, longer, "record 1, at byte 8, ");
        }
    }

    @Test
    void aTornEndIsKeptByteForByteCutOffAndToldOnce() throws Exception {
        byte[] whole = bytes("one", "second");
        for (int size = 20; size < whole.length; size++) {
            byte[] torn = Arrays.copyOf(whole, size);
            Records.write(file, torn);
            Records.Reading reading = new Records.Reading();

            try (AppendLog log = Records.open(file, reading)) {
                TornTail tail = log.repaired().orElseThrow();
                Path aside = Path.of(tail.setAside().toString());
                assertThat(tail.offset()).isEqualTo(19);
                assertThat(tail.bytes()).isEqualTo(size - 19);
                assertThat(Files.readAllBytes(aside)).isEqualTo(Arrays.copyOfRange(torn, 19, size));
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(aside)))
                        .isEqualTo("rw-------");
                Files.delete(aside);
                assertThat(reading.torn).isEqualTo(size - 19);
                log.commit(new Records().text("third"));
            }
            assertThat(reading.texts).containsExactly("one");
            try (AppendLog log = Records.open(file, new Records.Reading())) {
                assertThat(log.repaired()).isEmpty();
            }
            assertThat(Files.readAllBytes(file)).isEqualTo(bytes("one", "third"));
        }
    }

    @Test
    void aTornEndStaysWhereTheReplayDoesNotAllowTheCut() throws Exception {
        byte[] torn = Arrays.copyOf(bytes("one", "second"), 25);
        Records.write(file, torn);
        AppendLog.Replay untrusting = new AppendLog.Replay() {
            @Override
            public void record(long offset, byte[] payload) {}

            @Override
            public void end(long records, long tornBytes) throws RecordException {
                throw new RecordException("has " + records + " and " + tornBytes + " torn");
            }
        };

        assertThat(refused(Fault.TORN, () -> Records.open(file, untrusting)))
                .hasMessageContaining("has 1 and 6 torn");
        assertThat(Files.readAllBytes(file)).isEqualTo(torn);
        assertThat(directory.toFile().list()).hasSize(1);
    }

    @Test
    void boundsAreMetExactlyAndWhatGoesBeyondIsRefusedWithNumbers() throws Exception {
        try (AppendLog log = Records.open(file, new Records.Reading())) {
            Records records = new Records();
            refused(Fault.FULL, () -> log.commit(records.text("x".repeat(65))));
            refused(Fault.FULL, () -> log.commit(records.text("")));
            for (int i = 0; i < 5; i++) {
                log.commit(records.text("x".repeat(64)));
            }
            assertThat(log.room().isLow()).isTrue();
            // 8 + 5 * 72 = 368: there is room for 24 with their frame.
            assertThat(refused(Fault.FULL, () -> log.commit(records.text("x".repeat(25)))))
                    .hasMessageContaining("would have 401 bytes, and may have 400");
            log.commit(records.text("x".repeat(24)));
            assertThat(records.made()).hasSize(6).isEqualTo(records.published());
            assertThat(log.room().bytes()).isEqualTo(400);
        }
        assertThat(Records.read(file)).hasSize(6);
        Records.write(file, Arrays.copyOf(Files.readAllBytes(file), 401));
        refusedToOpen(Fault.TOO_LARGE, "401 bytes, more than the 400");
    }

    @Test
    void theNumberOfRecordsHasABoundWhichIsToldBefore() throws Exception {
        String[] ten = "0123456789".split("");
        try (AppendLog log = Records.open(file, new Records.Reading())) {
            for (int i = 0; i < 8; i++) {
                log.commit(new Records().text(ten[i]));
            }
            assertThat(log.room().isLow()).isFalse();
            log.commit(new Records().text(ten[8]));
            assertThat(log.room().isLow()).isTrue();
            log.commit(new Records().text(ten[9]));
            assertThat(refused(Fault.FULL, () -> log.commit(new Records().text("x"))))
                    .hasMessageContaining("has 10 records, and may have 10");
        }
        assertThat(Records.read(file)).containsExactly(ten);
        String[] eleven = Arrays.copyOf(ten, 11);
        eleven[10] = "x";
        refusedToOpen(Fault.TOO_LARGE, bytes(eleven), "more than the 10 records");
    }

    @Test
    void whatAnybodyElseDoesToTheFilePoisonsIt() throws Exception {
        List<String> deeds = List.of(
                "longer", "shorter", "rewritten", "moved", "replaced", "linked", "opened up");
        for (String deed : deeds) {
            Files.deleteIfExists(file);
            try (AppendLog log = Records.open(file, new Records.Reading())) {
                log.commit(new Records().text("one"));
                log.verify();
                byte[] before = Files.readAllBytes(file);

                disturb(deed, before);

                byte[] after = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
                assertThat(refused(Fault.POISONED, log::verify))
                        .as(deed)
                        .hasMessageContaining("while it was in use");
                Records records = new Records();
                refused(Fault.POISONED, () -> log.commit(records.text("two")));
                assertThat(records.made()).isEmpty();
                if (Files.exists(file)) {
                    assertThat(Files.readAllBytes(file)).as(deed).isEqualTo(after);
                }
            }
        }
    }

    private void disturb(String deed, byte[] before) throws IOException {
        switch (deed) {
            case "longer" -> Files.write(file, Arrays.copyOf(before, before.length + 1));
            case "shorter" -> Files.write(file, Arrays.copyOf(before, before.length - 1));
            case "rewritten" -> Files.write(file, before);
            case "moved" -> Files.move(file, directory.resolve("elsewhere"));
            case "replaced" -> {
                Files.delete(file);
                Records.write(file, before);
            }
            case "linked" -> Files.createLink(directory.resolve("again"), file);
            case "opened up" ->
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
            default -> throw new IllegalStateException(deed);
        }
    }

    @Test
    void aClosedLogTakesNothing() throws Exception {
        AppendLog log = Records.open(file, new Records.Reading());
        log.close();
        log.close();

        refused(Fault.CLOSED, () -> log.commit(new Records().text("one")));
    }
}
