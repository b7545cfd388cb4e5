package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import glove.gateway.UpstreamPins;
import glove.journal.AuditEvent;
import glove.journal.AuditLog;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.testkit.Command;
import glove.testkit.FaultProcess;
import glove.testkit.Identity;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * For n = 1, 2, ...: the n-th system call of a whole run fails, in each way it can. It is told in
 * one sentence and with the status of Glove's own failures, or listed as harmless with the reason;
 * nothing is left, and the next run works. {@link FaultMain} makes the loop, in a JVM of its own.
 */
@Tag("e2e")
final class RunFaultTest {
    /**
     * A kind of run.
     *
     * @param row of the table
     * @param ways of each call, at most
     * @param words of the command line, in front of the workspace's
     */
    private record Kind(
            String row, Identity identity, int ways, List<String> words, List<String> program) {
        /** Needs a terminal. */
        private static final String TERMINAL = "exec, a terminal";

        static Kind verb(String row, String... more) {
            List<String> words = new ArrayList<>(List.of(row.split(" ")));
            words.addAll(List.of(more));
            return new Kind(row, Identity.ROOT, 9, words, List.of());
        }

        static Kind exec(String row, Identity identity, int ways, String... options) {
            List<String> words = new ArrayList<>(List.of("exec"));
            words.addAll(List.of(options));
            return new Kind(row, identity, ways, words, List.of("sh", "-c", "echo ran >made"));
        }
    }

    private static final String PINS = "state/glove/pins/u-0123456789abcdef";

    private static final List<Kind> KINDS = List.of(
            Kind.exec("exec, offline, root", Identity.ROOT, 9),
            Kind.exec("exec, offline, an ordinary user", Identity.ORDINARY, 2),
            Kind.exec("exec, kept home", Identity.ROOT, 2, "--home", "dev"),
            Kind.exec(
                    "exec, limits",
                    Identity.ROOT,
                    2,
                    "--memory",
                    "512M",
                    "--pids",
                    "50",
                    "--wall",
                    "60s",
                    "--output",
                    "1M"),
            new Kind(
                    "exec, egress: bridge, proxy, audit log",
                    Identity.ROOT,
                    1,
                    List.of("exec", "--egress-allow", "registry.test"),
                    List.of(
                            "sh",
                            "-c",
                            "/run/glove/bin/glove-connect 127.0.0.1 9 2>/dev/null; echo ran >made")),
            Kind.exec(Kind.TERMINAL, Identity.ROOT, 2),
            new Kind(
                    "run: an upstream, the channel, the audit log",
                    Identity.ROOT,
                    1,
                    List.of(
                            "run",
                            "--upstream",
                            "u=sh,@/upstream",
                            "--allow",
                            "u.*",
                            "--audit-log",
                            "@/log"),
                    List.of("sh", "agent")),
            Kind.verb("tools check", "@/policy"),
            Kind.verb("tools test", "@/policy", "--call", "u.say", "{\"text\":\"/data/hi\"}"),
            Kind.verb("tools diff"),
            Kind.verb("tools accept", "u"),
            Kind.verb("audit verify", "@/log"),
            Kind.verb("audit show", "@/log", "--last", "1"));

    @TestFactory
    Stream<DynamicTest> everyCallFailsOnce() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Kind kind : KINDS) {
            if (Identity.available().contains(kind.identity())) {
                tests.add(dynamicTest(kind.row(), () -> examine(kind)));
            }
        }
        return tests.stream();
    }

    /** An upstream, an agent, and what a run leaves for the other verbs. */
    private static void prepare(WorkRoom room) throws Exception {
        Path training = Path.of(System.getProperty("glove.root"), "scripts/training");
        for (String name : List.of("upstream", "work/agent")) {
            Path from = training.resolve(Path.of(name).getFileName());
            Command.Result copied =
                    room.shell("cat >" + name).reading(Files.readAllBytes(from)).run();
            assertThat(copied.status()).as("%s", copied).isZero();
        }
        room.outside("mkdir -p -m 700 state/glove/pins; umask 077; : >" + PINS + "; : >policy");
        Files.write(room.path().resolve(PINS), new UpstreamPins("u", "sh upstream").toBytes());
        Files.writeString(room.path().resolve("policy"), """
                {"version":1,"rules":[{"tool":"u.say","arguments":[
                  {"pointer":"/text","required":true,"under":"/data"}]},{"tool":"u.*"}]}""");
    }

    /** What waits to be accepted, before each time that is tried. */
    private static void offer(WorkRoom room) throws Exception {
        UpstreamPins pins = new UpstreamPins("u", "sh upstream");
        String definition = "{\"description\":\"it\"}";
        String digest = AuditLog.sha256(definition.getBytes(StandardCharsets.UTF_8));
        pins.offer(new UpstreamPins.Definition("tool", "say", digest, definition));
        Path again = room.path().resolve(FaultMain.AGAIN).resolve(PINS);
        Files.createDirectories(again.getParent());
        Files.write(again, pins.toBytes());
    }

    /** A line of an audit log, by whom this test is. */
    private static void record(WorkRoom room) throws Exception {
        UnixPath log = UnixPath.of(room.path().resolve("log").toString());
        try (AuditLog open = AuditLog.open(Linux.host(), log)) {
            open.append(new AuditEvent("agent_launch", "tool", "", "ok", "", 1, 0));
        }
    }

    private static void examine(Kind kind) throws Exception {
        WorkRoom room = WorkRoom.of(kind.identity());
        try (FaultProcess process = new FaultProcess("app")) {
            prepare(room);
            if (kind.identity() == Identity.ROOT) {
                record(room);
            }
            if (kind.row().equals("tools accept")) {
                offer(room);
            }
            List<String> main = new ArrayList<>(List.of(
                    FaultMain.class.getName(),
                    room.path().toString(),
                    Integer.toString(kind.ways())));
            for (String word : kind.words()) {
                main.add(word.replace("@", room.path().toString()));
            }
            if (!kind.program().isEmpty()) {
                main.addAll(List.of("--workspace", room.work().toString(), "--"));
                main.addAll(kind.program());
            }
            boolean terminal = kind.row().equals(Kind.TERMINAL);
            Path err = room.path().resolve("err");
            process.require(kind.row(), err, kind.identity(), terminal, main);
        } finally {
            room.close();
        }
    }
}
