package glove.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.Call;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.FaultySyscalls;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

@Tag("unit")
final class AuditLogTest {
    private static final int EIO = 5;
    private static final int EAGAIN = 11;

    @TempDir
    private Path directory;

    @Test
    void eachLineNamesTheDigestOfTheLineBeforeAlsoAcrossReopening() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (AuditLog log = open("log")) {
                log.append(event("first of " + i));
                log.append(event("second of " + i));
            }
        }

        assertChained(6);
    }

    @Test
    void settlingBetweenLinesLeavesTheChainAsItIs() throws Exception {
        try (AuditLog log = open("log");
                AuditLog other = open("log")) {
            log.settle();
            log.append(List.of(event("1"), event("2")));
            log.settle();
            log.settle();
            log.append(event("3"));
            other.append(List.of(event("4"), event("5")));
            log.settle();
            log.append(List.of());
            log.append(event("6"));
        }

        assertChained(6);
    }

    @Test
    void aLineHasTheMembersInTheirOrder() throws Exception {
        try (AuditLog log = open("log")) {
            log.append(new AuditEvent("agent_exit", "3", "", "execution_error", "a \"b\"", 12, 34));
        }

        assertThat(Files.readString(directory.resolve("log")))
                .startsWith("{\"action\":\"agent_exit\",\"tool\":\"3\",\"arguments\":\"\","
                        + "\"status\":\"execution_error\",\"error\":\"a \\\"b\\\"\","
                        + "\"timestamp_ns\":12,\"latency_ns\":34,\"run\":0,\"sequence\":0,");
    }

    @Test
    void linesOfOneRunAreToldFromThoseOfAnotherInTheSameLog() throws Exception {
        try (AuditLog one = open("log");
                AuditLog other = open("log")) {
            one.append(event("a"));
            other.append(event("b"));
            one.append(event("c"));

            List<String> lines = Files.readAllLines(directory.resolve("log"));
            assertThat(lines.get(0)).contains("\"a\"").contains(",\"run\":0,\"sequence\":0,");
            assertThat(lines.get(1)).contains("\"b\"").contains(",\"run\":1,\"sequence\":1,");
            assertThat(lines.get(2)).contains("\"c\"").contains(",\"run\":0,\"sequence\":2,");
        }
    }

    @Test
    void aNewLogIsOwnerOnly() throws Exception {
        open("log").close();

        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory.resolve("log"))))
                .isEqualTo("rw-------");
    }

    @Test
    void aLogThatOthersMayReadIsRefused() throws Exception {
        open("log").close();
        Files.setPosixFilePermissions(
                directory.resolve("log"), PosixFilePermissions.fromString("rw-r--r--"));

        assertRefused("log", "chmod 600");
    }

    @Test
    void aLinkADirectoryAndASecondNameAreRefused() throws Exception {
        open("log").close();
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("log"));
        Files.createDirectory(directory.resolve("directory"));
        Files.createLink(directory.resolve("hard"), directory.resolve("log"));

        assertRefused("link", "ELOOP");
        assertRefused("directory", "EISDIR");
        assertRefused("hard", "hard link");
    }

    @Test
    void severalWritersGoOnWithOneChain() throws Exception {
        try (AuditLog first = open("log");
                AuditLog second = open("log")) {
            first.append(event("first"));
            second.append(List.of(event("second"), event("third")));
            first.append(event("fourth"));
        }

        assertChained(4);
    }

    @Test
    void writersInSeveralThreadsLoseNoLine() throws Exception {
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            writers.add(Thread.ofPlatform().start(() -> {
                try (AuditLog log = AuditLog.open(new Linux(Records.UNSYNCED), path("log"))) {
                    for (int k = 0; k < 25; k++) {
                        log.append(event("one"));
                    }
                } catch (AuditException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        for (Thread writer : writers) {
            writer.join();
        }

        assertChained(100);
    }

    @Test
    void whatOnlyPartlyFitIsTakenBack() throws Exception {
        for (int nth = 1; nth < 12; nth++) {
            String name = "cut" + nth;
            FaultySyscalls kernel = new FaultySyscalls(Syscalls.host(), nth, EIO);
            try (AuditLog log = AuditLog.open(new Linux(kernel), path(name))) {
                log.append(event("once"));
            } catch (AuditException e) {
                assertThat(kernel.fired()).isTrue();
            }
            try (AuditLog log = open(name)) {
                log.append(event("again"));
            }
            assertThat(Files.readString(directory.resolve(name))).endsWith("}\n");
        }
    }

    private void assertChained(int count) throws IOException {
        List<String> lines = Files.readAllLines(directory.resolve("log"));
        assertThat(lines).hasSize(count);
        String previous = "0".repeat(64);
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i))
                    .endsWith(",\"sequence\":" + i + ",\"previous\":\"" + previous + "\"}");
            previous = AuditLog.sha256((lines.get(i) + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void aTornLastLineIsRefusedAndLeftAsItIs() throws Exception {
        try (AuditLog log = open("log")) {
            log.append(event("whole"));
        }
        String torn = Files.readString(directory.resolve("log")) + "{\"action\":\"agent_l";
        Files.writeString(directory.resolve("log"), torn);

        assertRefused("log", "in the middle of a line");
        assertThat(Files.readString(directory.resolve("log"))).isEqualTo(torn);
    }

    @Test
    void aFileThatIsNoAuditLogIsRefusedAndLeftAsItIs() throws Exception {
        Path file = Files.writeString(directory.resolve("notes"), "my notes\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        assertRefused("notes", "none of Glove's");
        assertThat(Files.readString(file)).isEqualTo("my notes\n");
    }

    @Test
    void aLineTooLongToBeFoundAgainIsRefused() throws Exception {
        try (AuditLog log = open("log")) {
            assertThatThrownBy(() -> log.append(event("x".repeat(40_000))))
                    .isInstanceOf(AuditException.class);
            log.append(event("short"));
        }

        assertThat(Files.readAllLines(directory.resolve("log"))).hasSize(1);
    }

    @Test
    void everyFailingCallIsAnAuditExceptionAndLeaksNothing() throws Exception {
        for (int nth = 1; ; nth++) {
            FaultySyscalls kernel = new FaultySyscalls(Syscalls.host(), nth, EIO);
            FdLeaks.watch();
            boolean failed = false;
            try (AuditLog log = AuditLog.open(new Linux(kernel), path("log" + nth))) {
                log.append(event("once"));
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

    @Test
    void aLogThatIsGoneOrAnotherFileOrShorterTakesNoMoreLines() throws Exception {
        Path file = directory.resolve("log");
        for (String done : List.of("removed", "moved", "replaced", "cut short")) {
            try (AuditLog log = open("log")) {
                log.append(event("first"));
                switch (done) {
                    case "removed" -> Files.delete(file);
                    case "moved" -> Files.move(file, directory.resolve("aside"));
                    case "replaced" -> {
                        Files.delete(file);
                        open("log").close();
                    }
                    default -> Files.write(file, new byte[0]);
                }

                assertThatThrownBy(() -> log.append(event("second")))
                        .as(done)
                        .isInstanceOf(AuditException.class)
                        .hasMessageContaining("while it was written");
            }
            Files.deleteIfExists(file);
        }
    }

    @Test
    @Timeout(900)
    void aLockSomebodyKeepsIsWaitedForAMomentOnly() throws Exception {
        Linux linux = Linux.host();
        try (AuditLog log = open("log");
                OwnedFd other = linux.open(path("log"), 0, 0)) {
            linux.lock(other);
            long start = System.nanoTime();

            assertThatThrownBy(() -> log.append(event("one")))
                    .hasMessageContaining("is locked by another process");

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("another run may wait for a slow disk meanwhile")
                    .isGreaterThan(Duration.ofSeconds(8));
            linux.unlock(other);
            log.append(event("one"));
        }
    }

    @Test
    void whoWaitsWhileOthersWriteWaitsOn() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        try (AuditLog other = open("log")) {
            Syscalls contended = (call, a, b, c, d, e, f) -> {
                if (call == Call.PPOLL) {
                    return 0; // without the time
                }
                boolean taken = call == Call.FLOCK && tries.get() > 0;
                if (taken && tries.decrementAndGet() % 3500 == 0) {
                    write(other);
                }
                return taken ? -EAGAIN : Syscalls.host().call(call, a, b, c, d, e, f);
            };
            try (AuditLog log = AuditLog.open(new Linux(contended), path("log"))) {
                tries.set(10_500); // a patience is 5000

                log.append(event("last"));
            }
        }

        assertChained(4);
    }

    private static void write(AuditLog log) {
        try {
            log.append(event("other"));
        } catch (AuditException e) {
            throw new IllegalStateException(e);
        }
    }

    private AuditLog open(String name) throws AuditException {
        return AuditLog.open(Linux.host(), path(name));
    }

    private UnixPath path(String name) {
        return UnixPath.of(directory.resolve(name).toString());
    }

    private void assertRefused(String name, String words) {
        assertThatThrownBy(() -> open(name).close())
                .isInstanceOf(AuditException.class)
                .hasMessageContaining(words);
    }

    private static AuditEvent event(String tool) {
        return new AuditEvent("agent_launch", tool, "", "ok", "", 1, 0);
    }
}
