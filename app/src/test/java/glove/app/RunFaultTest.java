package glove.app;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import glove.testkit.FaultProcess;
import glove.testkit.Identity;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
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
        static Kind exec(String row, Identity identity, int ways, String... options) {
            List<String> words = new ArrayList<>(List.of("exec"));
            words.addAll(List.of(options));
            return new Kind(row, identity, ways, words, List.of("sh", "-c", "echo ran >made"));
        }
    }

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
                            "/run/glove/bin/glove-connect 127.0.0.1 9 2>/dev/null; echo ran >made")));

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

    private static void examine(Kind kind) throws IOException, InterruptedException {
        try (WorkRoom room = WorkRoom.of(kind.identity());
                FaultProcess process = new FaultProcess("app")) {
            List<String> main = new ArrayList<>(List.of(
                    FaultMain.class.getName(),
                    room.path().toString(),
                    Integer.toString(kind.ways())));
            main.addAll(kind.words());
            main.addAll(List.of("--workspace", room.work().toString(), "--"));
            main.addAll(kind.program());
            process.require(kind.row(), room.path().resolve("err"), kind.identity(), main);
        }
    }
}
