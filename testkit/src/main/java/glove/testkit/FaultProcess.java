package glove.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A loop of faults in a JVM of its own, on copies of all classes that everybody can read; its
 * standard error is a file {@code err}. Owns a directory. Confined to one thread.
 */
public final class FaultProcess implements AutoCloseable {
    private static final String ROOT = System.getProperty("glove.root", "");
    private static final long SECONDS_MAX = 1800;

    private final Path around;
    private final String classes;

    /**
     * Copies them.
     *
     * @param module whose tests are among them
     */
    public FaultProcess(String module) throws IOException, InterruptedException {
        around = Files.createTempDirectory(Path.of("/var/tmp"), "glove-faults");
        Files.setPosixFilePermissions(around, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> paths = new ArrayList<>();
        List<String> script = new ArrayList<>(List.of("set -e"));
        script.add("cp -R '" + System.getProperty("glove.native") + "' native");
        String all = System.getProperty("jdk.module.path", "")
                + File.pathSeparator
                + System.getProperty("java.class.path", "")
                + File.pathSeparator
                + Path.of(ROOT, module, "target/test-classes");
        for (String entry : all.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty() && Files.exists(Path.of(entry))) {
                String suffix = entry.endsWith(".jar") ? ".jar" : "";
                paths.add(around.resolve("c" + paths.size() + suffix).toString());
                script.add("cp -R '" + entry + "' " + paths.getLast());
            }
        }
        script.add("chmod -R a+rX .");
        Process copy = new ProcessBuilder("sh", "-c", String.join("\n", script))
                .directory(around.toFile())
                .inheritIO()
                .start();
        if (copy.waitFor() != 0) {
            throw new IOException("the classes cannot be copied");
        }
        classes = String.join(File.pathSeparator, paths);
    }

    /**
     * Runs it, and fails when it found something, or covers other points than {@linkplain
     * FaultTable its row} says.
     *
     * @param row there
     * @param err where its standard error goes
     * @param identity who runs it
     * @param terminal whether it has one
     * @param main class and arguments
     */
    public void require(
            String row, Path err, Identity identity, boolean terminal, List<String> main)
            throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                classes,
                "--enable-native-access=ALL-UNNAMED",
                "-Dglove.native=" + around.resolve("native")));
        line.addAll(main);
        Path out = around.resolve("findings");
        Files.deleteIfExists(out);
        Files.createFile(out);
        Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("rw-rw-rw-"));
        line.add(1, "-Dglove.findings=" + out);
        Process process = started(identity.command(line), err, terminal);
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        List<String> lines = Files.readAllLines(out);
        String last = lines.isEmpty() ? "" : lines.getLast();
        boolean ended = last.startsWith("COVERED ");
        if (!ended || lines.stream().anyMatch(one -> one.startsWith("DEFECT"))) {
            throw new AssertionError(
                    row + ": " + String.join("\n", lines) + (ended ? "" : Files.readString(err)));
        }
        String[] covered = last.split(" ");
        FaultTable.require(row, Integer.parseInt(covered[1]), Integer.parseInt(covered[2]));
    }

    /** A terminal is made by script(1), as long as its standard input stays open. */
    private static Process started(List<String> line, Path err, boolean terminal)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectInput(new File("/dev/null"))
                .redirectError(err.toFile());
        if (terminal) {
            StringBuilder quoted = new StringBuilder("exec 2>'" + err + "'; exec");
            line.forEach(word -> quoted.append(" '").append(word).append('\''));
            builder = new ProcessBuilder("script", "-qec", quoted.toString(), "/dev/null");
        }
        return builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    }

    @Override
    public void close() throws IOException {
        Process removal =
                new ProcessBuilder("rm", "-rf", around.toString()).inheritIO().start();
        removal.onExit().join();
    }
}
