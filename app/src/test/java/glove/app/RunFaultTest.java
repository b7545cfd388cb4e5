package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import glove.testkit.Identity;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * For n = 1, 2, ...: the n-th system call of a whole run fails, in each way it can. It is told in
 * one sentence and with the status of Glove's own failures, or listed as harmless with the reason;
 * nothing is left, and the next run works. {@link FaultMain} makes the loop, in a JVM of its own.
 */
@Tag("e2e")
final class RunFaultTest {
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));
    private static final long SECONDS_MAX = 240;

    /**
     * A kind of run.
     *
     * @param ways of each call, at most
     * @param points at least
     */
    private record Kind(
            String name,
            Identity identity,
            int ways,
            int points,
            List<String> options,
            String script) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("offline", Identity.ROOT, 9, 500, List.of(), "echo ran >made"),
            new Kind("offline", Identity.ORDINARY, 2, 250, List.of(), "echo ran >made"),
            new Kind(
                    "kept home", Identity.ROOT, 2, 250, List.of("--home", "dev"), "echo ran >made"),
            new Kind(
                    "limits",
                    Identity.ROOT,
                    2,
                    250,
                    List.of("--memory", "512M", "--pids", "50", "--wall", "60s", "--output", "1M"),
                    "echo ran >made"),
            new Kind(
                    "egress",
                    Identity.ROOT,
                    1,
                    200,
                    List.of("--egress-allow", "registry.test"),
                    "/run/glove/bin/glove-connect 127.0.0.1 9 2>/dev/null; echo ran >made"));

    @TestFactory
    Stream<DynamicTest> everyCallFailsOnce() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Kind kind : KINDS) {
            if (Identity.available().contains(kind.identity())) {
                tests.add(dynamicTest(kind.name() + ", " + kind.identity(), () -> examine(kind)));
            }
        }
        return tests.stream();
    }

    @Test
    void theTableOfTheDocumentationSaysHowManyPointsEachKindCovers() throws IOException {
        List<String> rows = Files.readAllLines(ROOT.resolve("docs/faults.md")).stream()
                .filter(line -> line.contains("`RunFaultTest`"))
                .toList();

        assertThat(rows).hasSameSizeAs(KINDS);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i))
                    .contains(KINDS.get(i).name())
                    .endsWith("| " + KINDS.get(i).points() + " |");
        }
    }

    private static void examine(Kind kind) throws IOException, InterruptedException {
        WorkRoom room = WorkRoom.of(kind.identity());
        Path around = Files.createTempDirectory(Path.of("/var/tmp"), "glove-faults");
        try {
            List<String> lines = loop(kind, room, around);

            assertThat(lines).noneMatch(line -> line.startsWith("DEFECT"));
            String[] covered = lines.getLast().split(" ");
            assertThat(covered[0]).as("%s", lines).isEqualTo("COVERED");
            assertThat(Integer.parseInt(covered[2])).isGreaterThan(kind.points());
            System.out.println("faults of a run, " + kind.name() + ", " + kind.identity() + ": "
                    + covered[1] + " calls, " + covered[2] + " points");
        } finally {
            room.close();
            remove(around);
        }
    }

    private static List<String> loop(Kind kind, WorkRoom room, Path around)
            throws IOException, InterruptedException {
        Files.setPosixFilePermissions(around, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> line = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                classes(around),
                "--enable-native-access=ALL-UNNAMED",
                "-Dglove.native=" + around.resolve("native"),
                FaultMain.class.getName(),
                room.path().toString(),
                Integer.toString(kind.ways()),
                "exec",
                "--workspace",
                room.work().toString()));
        line.addAll(kind.options());
        line.addAll(List.of("--", "sh", "-c", kind.script()));
        Path out = around.resolve("out");
        Process process = new ProcessBuilder(kind.identity().command(line))
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(room.path().resolve("err").toFile())
                .start();
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        return Files.readAllLines(out);
    }

    /** Copies of all of Glove's classes, which everybody can read. */
    private static String classes(Path around) throws IOException, InterruptedException {
        List<String> paths = new ArrayList<>();
        List<String> script = new ArrayList<>(List.of("set -e"));
        script.add("cp -R '" + System.getProperty("glove.native") + "' native");
        String all = System.getProperty("jdk.module.path", "")
                + File.pathSeparator
                + System.getProperty("java.class.path", "")
                + File.pathSeparator
                + ROOT.resolve("app/target/test-classes");
        for (String entry : all.split(File.pathSeparator, -1)) {
            if (entry.startsWith(ROOT + "/")) {
                paths.add(around.resolve("c" + paths.size()).toString());
                script.add("cp -R '" + entry + "' " + paths.getLast());
            }
        }
        script.add("chmod -R a+rX .");
        Process copy = new ProcessBuilder("sh", "-c", String.join("\n", script))
                .directory(around.toFile())
                .inheritIO()
                .start();
        assertThat(copy.waitFor()).isZero();
        return String.join(File.pathSeparator, paths);
    }

    private static void remove(Path around) throws IOException, InterruptedException {
        new ProcessBuilder("rm", "-rf", around.toString()).start().waitFor();
    }
}
