package glove.journal;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.Fault;
import glove.testkit.FaultLoop;
import glove.testkit.FaultyCalls;
import glove.testkit.Leftovers;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Every call of a log that is opened and appended to, and of a file that is replaced, fails in every
 * way: what was acknowledged is there, nothing is left open or locked, and the next one works.
 */
@Tag("unit")
final class JournalFaultTest {
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

    @Test
    void ofALogOfRecords() throws Exception {
        new FaultLoop(Syscalls.host()).run(this::appendRecords).requireRow("log of records");
    }

    private void appendRecords(FaultyCalls calls) throws IOException {
        removeAll();
        int acknowledged = 0;
        String told = "";
        FdLeaks.watch();
        try (AppendLog log = Records.open(calls, file, new Records.Reading())) {
            for (String text : TEXTS) {
                log.commit(new Records().text(text));
                acknowledged++;
            }
        } catch (AppendLogException e) {
            told = String.valueOf(e.getMessage());
        }
        assertTold(calls.fault(), acknowledged == TEXTS.size(), told);
        List<String> kept = reopened();
        assertThat(kept.subList(0, acknowledged)).isEqualTo(TEXTS.subList(0, acknowledged));
        assertThat(kept.size()).isLessThanOrEqualTo(acknowledged + 1);
    }

    /** The next one works, and finds so many. */
    private List<String> reopened() {
        Records.Reading reading = new Records.Reading();
        try (AppendLog log = Records.open(Syscalls.host(), file, reading)) {
            log.commit(new Records().text("after"));
        } catch (AppendLogException e) {
            throw new AssertionError("the next one does not work", e);
        }
        return reading.texts;
    }

    @Test
    void ofAReplacedFile() throws Exception {
        new FaultLoop(Syscalls.host()).run(this::replace).requireRow("file replaced whole");
    }

    private void replace(FaultyCalls calls) throws Exception {
        removeAll();
        Linux host = Linux.host();
        byte[] before = "before".getBytes(StandardCharsets.US_ASCII);
        byte[] after = "after it".getBytes(StandardCharsets.US_ASCII);
        try (OwnedFd own = host.open(UnixPath.of(directory.toString()), 0, 0)) {
            new DurableFile(host, own, UnixPath.of("file"), 100).replace(before);
            Leftovers leftovers = Leftovers.since(Leftovers.Place.withoutGroups(directory));
            FdLeaks.watch();
            String told = "";
            try {
                new DurableFile(new Linux(calls), own, UnixPath.of("file"), 100).replace(after);
            } catch (DurableFileException e) {
                told = String.valueOf(e.getMessage());
            }
            FdLeaks.assertNone();
            boolean done = told.isEmpty();
            assertTold(calls.fault(), done, told);
            Optional<byte[]> found = new DurableFile(host, own, UnixPath.of("file"), 100).read();
            assertThat(found.orElseThrow()).isIn(done ? List.of(after) : List.of(before, after));
            new DurableFile(host, own, UnixPath.of("file"), 100).replace(after);
            leftovers.assertNone();
        }
    }

    @Test
    void ofAnAuditLog() throws Exception {
        new FaultLoop(Syscalls.host()).run(this::audit).requireRow("audit log");
    }

    private void audit(FaultyCalls calls) throws IOException {
        removeAll();
        Linux host = Linux.host();
        UnixPath path = UnixPath.of(file.toString());
        FdLeaks.watch();
        String told = "";
        try (AuditLog log = AuditLog.open(new Linux(calls), path)) {
            log.append(event());
            log.append(event());
        } catch (AuditException e) {
            told = String.valueOf(e.getMessage());
        }
        assertTold(calls.fault(), told.isEmpty(), told);
        try (AuditLog log = AuditLog.open(host, path)) {
            log.append(event());
        } catch (AuditException e) {
            throw new AssertionError("the next one does not work", e);
        }
    }

    private static AuditEvent event() {
        return new AuditEvent("agent_launch", "tool", "", "ok", "", 1, 0);
    }

    private static void assertTold(Optional<Fault> fault, boolean done, String told) {
        FdLeaks.assertNone();
        Fault.assertTold(fault, done, told, "is in use", "was moved away");
    }

    private void removeAll() throws IOException {
        try (var names = Files.list(directory)) {
            for (Path name : names.toList()) {
                Files.delete(name);
            }
        }
    }
}
