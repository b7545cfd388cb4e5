package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Lanes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs C compilers and what they make, for tests. Output is bounded by what the programs print. */
final class CProgram {
    /** A compiler or a probe that takes longer hangs. */
    private static final long SECONDS_MAX = 300;

    private CProgram() {}

    /** Skips the test, with the reason, where a compiler is missing. */
    static void requireCompiler(String compiler) {
        boolean present = false;
        for (String directory : System.getenv("PATH").split(":", -1)) {
            present |= Files.isExecutable(Path.of(directory, compiler));
        }
        Lanes.require("process", present, "there is no C compiler '" + compiler + "'");
    }

    /** Compiles a source file. */
    static Path compile(Path directory, Path source, Path output)
            throws IOException, InterruptedException {
        String[] command = {
            "gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", output.toString(), source.toString()
        };
        run(directory, command);
        return output;
    }

    /** The lines a command prints; it must succeed. */
    static List<String> run(Path directory, String... command)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("glove-test", ".out");
        try {
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly();
            }
            List<String> lines =
                    new ArrayList<>(Files.readAllLines(output, StandardCharsets.UTF_8));
            assertThat(ended).as("%s ended in time; %s", command[0], lines).isTrue();
            assertThat(process.exitValue()).as("%s: %s", command[0], lines).isZero();
            return lines;
        } finally {
            Files.delete(output);
        }
    }
}
