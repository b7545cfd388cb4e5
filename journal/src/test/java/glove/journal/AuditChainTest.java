package glove.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.journal.AuditChain.Mark;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.EveryBit;
import glove.testkit.FaultySyscalls;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** What a reader finds in a log, whatever was done to it. */
@Tag("unit")
final class AuditChainTest {
    private static final int EIO = 5;
    private static final int LINES = 5;
    private static final int APPENDS = 12;

    @TempDir
    private Path directory;

    private List<String> lines = List.of();

    @BeforeEach
    void write() throws Exception {
        try (AuditLog log = AuditLog.open(Linux.host(), path())) {
            for (int i = 0; i < LINES; i++) {
                log.append(event("tool " + i));
            }
        }
        lines = new ArrayList<>(Files.readAllLines(file()));
    }

    private Path file() {
        return directory.resolve("log");
    }

    private UnixPath path() {
        return UnixPath.of(file().toString());
    }

    private static AuditEvent event(String tool) {
        return new AuditEvent(
                "egress", tool, "rule=x", "ok", "\u001b[31m\u009b \"a\"\u202e", 12, 34);
    }

    private AuditChain check(Optional<Mark> expected) throws AuditException {
        return check(Linux.host(), expected);
    }

    private AuditChain check(Linux linux, Optional<Mark> expected) throws AuditException {
        try (AuditFile file = AuditFile.open(linux, path()).orElseThrow()) {
            file.look();
            return AuditChain.of(file, expected);
        }
    }

    private AuditChain check() throws AuditException {
        return check(Optional.empty());
    }

    private AuditChain of(List<String> changed) throws IOException, AuditException {
        return of(String.join("\n", changed) + "\n");
    }

    private AuditChain of(String text) throws IOException, AuditException {
        Files.writeString(file(), text);
        return check();
    }

    /** The number of the line that is found fault with, and why. */
    private static void assertFault(AuditChain chain, long line, String words) {
        assertThat(chain.fault()).as(words).isPresent();
        assertThat(chain.fault().orElseThrow().what()).contains(words);
        assertThat(chain.fault().orElseThrow().line()).as(words).isEqualTo(line);
    }

    @Test
    void whatGloveWroteIsWhole() throws Exception {
        AuditChain chain = check();

        assertThat(chain.fault()).isEmpty();
        assertThat(chain.lines()).isEqualTo(LINES);
        assertThat(chain.first()).hasValue(event("tool 0"));
        assertThat(chain.last()).hasValue(event("tool " + (LINES - 1)));
        assertThat(chain.mark()).hasValue(markOf(LINES - 1));
    }

    @Test
    void noBitCanChangeUnseen() throws Exception {
        Mark end = markOf(LINES - 1); // the last line needs it: nothing stands behind it yet

        assertThat(EveryBit.flippedUnseen(
                        file(), () -> check(Optional.of(end)).fault().isPresent()))
                .isEmpty();
    }

    private Mark markOf(int line) {
        byte[] bytes = (lines.get(line) + "\n").getBytes(StandardCharsets.UTF_8);
        return new Mark(line, AuditLog.sha256(bytes));
    }

    @Test
    void anEmptyLogIsWholeAndHasNoLine() throws Exception {
        AuditChain chain = of("");

        assertThat(chain.fault()).isEmpty();
        assertThat(chain.mark()).isEmpty();
    }

    @Test
    void everyLineThatIsRemovedShowsButTheLast() throws Exception {
        for (int i = 0; i < LINES - 1; i++) {
            List<String> changed = new ArrayList<>(lines);
            changed.remove(i);
            assertFault(of(changed), i + 1, "lines before it are missing");
        }
    }

    @Test
    void everyTwoLinesThatAreSwappedShow() throws Exception {
        for (int i = 0; i < LINES - 1; i++) {
            List<String> changed = new ArrayList<>(lines);
            changed.set(i, lines.get(i + 1));
            changed.set(i + 1, lines.get(i));
            assertFault(of(changed), i + 1, "where " + i + " belongs");
        }
    }

    @Test
    void everyLineThatIsDoubledShows() throws Exception {
        for (int i = 0; i < LINES; i++) {
            List<String> changed = new ArrayList<>(lines);
            changed.add(i, lines.get(i));
            assertFault(of(changed), i + 2, "it was put here");
        }
    }

    @Test
    void aLineThatIsEditedShowsAtTheNext() throws Exception {
        for (int i = 0; i < LINES - 1; i++) {
            List<String> changed = new ArrayList<>(lines);
            changed.set(i, lines.get(i).replace("tool ", "loot "));
            assertFault(of(changed), i + 2, "'previous' is not the digest");
        }
    }

    @Test
    void everyCutShowsWithTheMarkAndAtALineFeedOnlyWithIt() throws Exception {
        byte[] whole = Files.readAllBytes(file());
        Optional<Mark> mark = check().mark();
        for (int length = 0; length < whole.length; length++) {
            Files.writeString(
                    file(),
                    new String(whole, 0, length, StandardCharsets.ISO_8859_1),
                    StandardCharsets.ISO_8859_1);
            boolean clean = length == 0 || whole[length - 1] == '\n';
            AuditChain unaware = check();
            assertThat(unaware.fault().isEmpty()).as("%d bytes", length).isEqualTo(clean);
            if (!clean) {
                assertFault(unaware, unaware.lines() + 1, "ends in the middle");
            }
            assertFault(check(mark), unaware.lines() + 1, clean ? "cut off" : "in the middle");
        }
    }

    @Test
    void aChainMadeAnewShowsOnlyByTheMark() throws Exception {
        Optional<Mark> mark = check().mark();
        Files.delete(file());
        try (AuditLog log = AuditLog.open(Linux.host(), path())) {
            for (int i = 0; i < LINES + 2; i++) {
                log.append(event(i == 3 ? "harmless" : "tool " + i));
            }
        }

        assertThat(check().fault()).isEmpty();
        assertFault(check(mark), LINES, "another line");
    }

    @Test
    void theMarkStaysGoodWhileTheLogGrows() throws Exception {
        Optional<Mark> mark = check().mark();
        try (AuditLog log = AuditLog.open(Linux.host(), path())) {
            log.append(event("more"));
        }

        assertThat(check(mark).fault()).isEmpty();
        assertThat(check(Optional.of(markOf(0))).fault()).isEmpty();
    }

    @Test
    void linesThatWereWrittenBeforeTheyHadARunAreWellToo() throws Exception {
        String old = lines.get(0).replace("\"run\":0,", "");
        assertThat(old).as("control").isNotEqualTo(lines.get(0));
        Files.writeString(file(), old + "\n");
        try (AuditLog log = AuditLog.open(Linux.host(), path())) {
            log.append(event("new"));
        }

        AuditChain chain = check();

        assertThat(chain.fault()).isEmpty();
        assertThat(chain.lines()).isEqualTo(2);
    }

    @Test
    void whatGloveDoesNotWriteIsNoLine() throws Exception {
        String two = lines.get(1);
        refused("", "nothing");
        refused("\ufeff" + two, "byte order mark");
        refused(two + "\r", "not written the way");
        refused(" " + two, "other than an object");
        refused(two + " ", "not written the way");
        refused(two.replace("\",\"tool", "\", \"tool"), "not written the way");
        refused(two.replace("tool 1", "t\\u006fol 1"), "not written the way");
        refused(two.replace("tool 1", "tool\0 1"), "no strict JSON");
        refused(two.replace("tool 1", "t".repeat(33_000)), "longer than 32768");
        refused("\0".repeat(100_000), "longer than 32768");
        refused(two.replace("\"tool\":", "\"loot\":"), "member 2 is not 'tool'");
        refused(two.replace("\"status\":\"ok\",", ""), "member 4 is not 'status'");
        refused(two.replace("\"latency_ns\":34", "\"latency_ns\":\"34\""), "'latency_ns' is not");
        refused(two.replace("\"latency_ns\":34", "\"latency_ns\":34.0"), "no whole number");
        refused(two.replace("\"latency_ns\":34", "\"latency_ns\":034"), "no strict JSON");
        refused(two.replace("\"tool\":\"tool 1\"", "\"tool\":1"), "'tool' is not");
        refused(two.replace("}", ",\"more\":1}"), "a member more than the 10");
        refused(two.replace("}", ",\"previous\":\"\"}"), "no strict JSON");
        refused(two.replace("\"sequence\":1,", "\"sequence\":-1,"), "below 0");
        refused(two.replace("\"previous\":\"", "\"previous\":\"0"), "64 lower-case");
        refused(two.replace("\"run\":0", "\"run\":2"), "'run' is the number of no line");
        refused(two.replace("\"run\":0", "\"run\":-2"), "'run' is the number of no line");
        refused(two.replace("\"run\":0", "\"run\":\"0\""), "'run' is not");
        refused(two.replace("\"run\":", "\"ran\":"), "member 8 is not 'sequence'");
        refused(two + two, "no strict JSON");
        refused("[]", "other than an object");
        refused("my notes", "other than an object");
    }

    private void refused(String line, String words) throws Exception {
        List<String> changed = new ArrayList<>(lines);
        changed.set(1, line);
        AuditChain chain = of(changed);
        assertThat(chain.lines()).isEqualTo(1);
        assertThat(chain.fault()).as(line).isPresent();
        assertThat(chain.fault().orElseThrow().line()).isEqualTo(2);
        assertThat(chain.fault().orElseThrow().offset())
                .isEqualTo(lines.get(0).getBytes(StandardCharsets.UTF_8).length + 1);
        assertThat(chain.fault().orElseThrow().what()).contains(words);
    }

    @Test
    void whoMayHaveChangedTheFileIsTold() throws Exception {
        assertThat(complaint()).isEmpty();
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(complaint()).contains("is not owner-only: chmod 600");
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));
        Files.createLink(directory.resolve("other"), file());
        assertThat(complaint()).contains("hard link");
    }

    private String complaint() throws AuditException {
        try (AuditFile file = AuditFile.open(Linux.host(), path()).orElseThrow()) {
            return file.complaint();
        }
    }

    @Test
    void whatIsNoFileIsRefusedAndNothingIsNothing() throws Exception {
        Files.delete(file());
        assertThat(AuditFile.open(Linux.host(), path())).isEmpty();
        Files.createSymbolicLink(file(), Path.of("/etc/hostname"));
        assertThatThrownBy(this::check).hasMessageContaining("ELOOP");
        Files.delete(file());
        Files.createDirectory(file());
        assertThatThrownBy(this::check).hasMessageContaining("not a regular file");
    }

    @Test
    void itIsWholeAtAnyMomentWhileOthersWrite() throws Exception {
        CountDownLatch halfWay = new CountDownLatch(1);
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            writers.add(Thread.ofPlatform().start(() -> append(halfWay)));
        }
        long seen = 0;
        int between = 0;
        while (writers.get(0).isAlive() || writers.get(1).isAlive()) {
            AuditChain chain = check();
            assertThat(chain.fault()).isEmpty();
            assertThat(chain.lines()).isGreaterThanOrEqualTo(seen);
            if (chain.lines() > LINES && chain.lines() < LINES + 2 * APPENDS * 3) {
                between++;
                halfWay.countDown();
            }
            seen = chain.lines();
        }

        assertThat(between).as("looks while it grew").isPositive();
        assertThat(check().lines()).isEqualTo(LINES + 2 * APPENDS * 3);
        assertThat(check().fault()).isEmpty();
    }

    /** Lines so long that they are written in several parts. */
    private void append(CountDownLatch halfWay) {
        try (AuditLog log = AuditLog.open(new Linux(Records.UNSYNCED), path())) {
            AuditEvent large = event("x".repeat(30_000));
            for (int i = 0; i < APPENDS; i++) {
                log.append(List.of(large, large, large));
                if (i == APPENDS / 2) {
                    halfWay.await();
                }
            }
        } catch (AuditException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatIsCutShortWhileItIsReadIsTold() throws Exception {
        try (AuditFile file = AuditFile.open(Linux.host(), path()).orElseThrow()) {
            file.look();
            Files.writeString(file(), "");
            assertThatThrownBy(file::next).hasMessageContaining("cut short");
        }
        Files.writeString(file(), String.join("\n", lines) + "\n");
        try (AuditFile file = AuditFile.open(Linux.host(), path()).orElseThrow()) {
            file.look();
            assertThat(file.next()).isPresent();
            Files.writeString(file(), "");
            assertThatThrownBy(file::look).hasMessageContaining("cut short");
        }
    }

    @Test
    void aReaderGoesOnWhenMoreIsThereAndBackWhereItWas() throws Exception {
        try (AuditFile file = AuditFile.open(Linux.host(), path()).orElseThrow()) {
            file.look();
            for (int i = 0; i < LINES; i++) {
                assertThat(file.next().orElseThrow().number()).isEqualTo(i + 1);
            }
            assertThat(file.next()).isEmpty();
            Files.writeString(file(), "more\nand torn", StandardOpenOption.APPEND);
            assertThat(file.next()).isEmpty();
            file.look();
            AuditLine more = file.next().orElseThrow();
            assertThat(new String(more.bytes(), StandardCharsets.UTF_8)).isEqualTo("more\n");
            assertThat(file.next().orElseThrow().end()).isEqualTo(AuditLine.End.TORN);
            assertThat(file.next()).isEmpty();
            file.goBackTo(more.number(), more.offset());
            assertThat(file.next().orElseThrow().bytes()).isEqualTo(more.bytes());
        }
    }

    @Test
    void marksAreReadStrictly() {
        String digest = "0123456789abcdef".repeat(4);
        assertThat(Mark.parse("12:" + digest)).hasValue(new Mark(12, digest));
        for (String wrong : List.of(
                "",
                ":",
                "12",
                "12:",
                ":" + digest,
                "12:" + digest.substring(1),
                "012:" + digest,
                "+1:" + digest,
                "1x:" + digest,
                "12:" + digest.replace('a', 'A'))) {
            assertThat(Mark.parse(wrong)).as(wrong).isEmpty();
        }
    }

    @Test
    void everyFailingCallIsAnAuditExceptionAndLeaksNothing() throws Exception {
        for (int nth = 1; ; nth++) {
            FaultySyscalls kernel = new FaultySyscalls(Syscalls.host(), nth, EIO);
            FdLeaks.watch();
            boolean failed = false;
            try {
                check(new Linux(kernel), Optional.empty());
            } catch (AuditException e) {
                failed = true;
                assertThat(e.getMessage()).contains("audit log");
            }
            assertThat(FdLeaks.stop()).isEmpty();
            assertThat(failed).as("call %d", nth).isEqualTo(kernel.fired());
            if (!kernel.fired()) {
                return;
            }
        }
    }
}
