package glove.app;

import static glove.app.EgressRoom.HTTP;
import static glove.app.EgressRoom.and;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A run with a way out as a whole: its record, its limits, its traces on the machine, its end. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class EgressRunTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final EgressWorld world;
    private final WorkRoom room;

    EgressRunTest(Identity identity) throws IOException, InterruptedException {
        this.world = EgressWorld.of(identity);
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    /** Waits for something, at most {@link #PATIENCE}. */
    private static void await(String what, Path file, Predicate<String> holds)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.exists(file) || !holds.test(Files.readString(file))) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void everyDecisionStandsInTheRecord() throws Exception {
        Path log = room.path().resolve("log");
        Command.Result result = world.inside(room, and(HTTP, "--audit-log", log.toString()), """
                curl -sS -d 12345 http://registry.test/count http://denied.test/recorded
                """)
                .run();

        List<String> lines = Files.readAllLines(log).stream()
                .filter(line -> line.contains("\"action\":\"egress\""))
                .toList();
        assertThat(lines).as("%s", result).hasSize(3);
        assertThat(lines.get(0))
                .contains(
                        "registry.test:80",
                        "decision=allowed",
                        "93.184.216.34:80",
                        "rule=--egress-allow_registry.test:80");
        assertThat(lines)
                .anyMatch(line -> line.contains("denied.test:80")
                        && line.contains("decision=refused")
                        && line.contains("no egress rule names this host"));
        assertThat(lines)
                .anyMatch(line -> line.contains("registry.test:80")
                        && line.contains("decision=ended")
                        && line.contains("bytes_out="));
    }

    @Test
    void whatCannotBeRecordedEndsTheRun() throws Exception {
        Path log = room.path().resolve("log");
        String many =
                "for i in $(seq 60); do curl -sS http://registry.test/limited-$i; done; touch survived";
        // The log is near the largest size a file may have; all else Glove writes is small.
        world.inside(room, List.of("--audit-log", log.toString()), "true").run();
        room.outside(
                "{ head -c 33554432 /dev/zero | tr '\\0' '\\n'; cat log; } > full; cat full > log; rm full");
        List<String> words = new ArrayList<>(List.of(
                "bash",
                "-c",
                "ulimit -f 32776; exec \"$@\"",
                "bash",
                GloveProgram.script(room.identity()),
                "exec",
                "--workspace",
                room.work().toString()));
        words.addAll(and(HTTP, "--audit-log", log.toString(), "--", "bash", "-c", many));

        Command.Result result = world.command(room, words).run();

        assertThat(result.status()).as("%s", result).isEqualTo(125);
        assertThat(result.err()).contains("its way out could not be recorded");
        String recorded = Files.readString(log);
        long arrived = world.requests().stream()
                .filter(line -> line.contains("/limited-"))
                .count();
        long allowed = recorded.lines()
                .filter(line -> line.contains("decision=allowed"))
                .count();
        assertThat(arrived).isBetween(1L, allowed).isLessThan(60);
        assertThat(room.work().resolve("survived")).doesNotExist();
        assertThat(world.inside(room, HTTP, many).run().status()).as("control").isZero();
        assertThat(world.wasAsked("/limited-60")).isTrue();
    }

    @Test
    void moreThanMayBeSentDoesNotArrive() throws Exception {
        String upload =
                "head -c 3000000 /dev/zero > body; curl -sS --data-binary @body http://registry.test/count";

        Command.Result cut = world.inside(
                        room, and(HTTP, "--egress-bytes-out", "registry.test=1M"), upload)
                .run();
        Command.Result cutOfRun = world.inside(room, and(HTTP, "--egress-bytes-out", "1M"), upload)
                .run();

        assertThat(cut.out()).as("%s", cut).doesNotContain("3000000 bytes");
        assertThat(cutOfRun.out()).as("%s", cutOfRun).doesNotContain("3000000 bytes");
        assertThat(world.inside(room, and(HTTP, "--egress-bytes-out", "registry.test=4M"), upload)
                        .run()
                        .out())
                .as("control")
                .isEqualTo("3000000 bytes\n");
    }

    @Test
    void nothingListensOutsideAndTheCredentialIsOfNoUseThere() throws Exception {
        String listening = "grep -h ' 0A ' /proc/net/tcp /proc/net/tcp6 | cut -d' ' -f5-6 | sort";
        String before = world.outside(room, listening).run().out();
        Process run = world.inside(room, HTTP, """
                curl -sS http://registry.test/hello > answer
                echo "$HTTP_PROXY" > url.new; mv url.new url
                for i in $(seq 4800); do [ ! -e go ] || exit 0; sleep 0.05; done; exit 1
                """).start();
        Path url = room.work().resolve("url");
        await("the run told its proxy", url, text -> text.contains("@"));

        String during = world.outside(room, listening).run().out();
        Command.Result used = world.outside(
                        room,
                        "curl -sS -m 200 --noproxy '' -x '"
                                + Files.readString(url).strip() + "' http://registry.test/hello")
                .run();
        room.outside("touch work/go");

        assertThat(run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(run.exitValue()).isZero();
        assertThat(Files.readString(room.work().resolve("answer")))
                .as("control: it works inside")
                .isEqualTo("hello from registry.test\n");
        assertThat(before).as("control: the servers are seen").isNotEmpty();
        assertThat(during).isEqualTo(before);
        assertThat(used.status()).as("%s", used).isEqualTo(7);
    }

    @Test
    void theEndOfTheRunEndsItsConnections() throws Exception {
        Path log = world.directory().resolve("requests.log");
        long before = count(Files.readString(log), " GET /endless ");
        long gone = count(Files.readString(log), " GONE ");
        Process run = world.inside(room, HTTP, """
                trap '' TERM
                setsid curl -sS --limit-rate 1M -o /dev/null http://registry.test/endless &
                wait
                """).start();
        await("the download began", log, text -> count(text, " GET /endless ") > before);

        run.destroyForcibly();
        await("the server saw the end", log, text -> count(text, " GONE ") > gone);
    }

    private static long count(String lines, String words) {
        return lines.lines().filter(line -> line.contains(words)).count();
    }

    @Test
    void decisionsAreToldLiveWhenAskedFor() throws Exception {
        Command.Result result =
                world.inside(room, and(HTTP, "--egress-log"), """
                curl -sS http://registry.test/hello http://denied.test/ >/dev/null; echo between >&2
                """).run();

        assertThat(result.err()).contains("egress allowed registry.test:80 (93.184.216.34:80)");
        assertThat(result.err().indexOf("'denied.test:80' is not allowed"))
                .as("%s", result)
                .isBetween(0, result.err().indexOf("between"));
    }

    @Test
    void aStderrNobodyReadsHoldsUpNothing() throws Exception {
        String script = """
                import socket
                for i in range(900):
                    s = socket.create_connection(('127.0.0.1', 1080))
                    s.sendall(b'CONNECT denied.test:81 HTTP/1.1\\r\\nHost: denied.test:81\\r\\n\\r\\n')
                    while s.recv(4096):
                        pass
                    s.close()
                """;
        Path done = room.work().resolve("done");
        Process run = world.inside(
                        room,
                        and(HTTP, "--egress-log", "--wall", "5m"),
                        "/usr/bin/python3 -c \"" + script + "\"; touch done; sleep 600")
                .start();
        await("all were answered", done, text -> true);

        assertThat(run.toHandle().destroy()).isTrue(); // the stream stays

        assertThat(run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("SIGTERM ends it")
                .isTrue();
        String told = new String(
                run.getErrorStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(told).contains("'denied.test:81' is not allowed").hasSizeGreaterThan(60_000);
    }
}
