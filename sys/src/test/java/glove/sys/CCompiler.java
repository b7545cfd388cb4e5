package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Small C programs for tests: what the headers say, and what a child sees. */
final class CCompiler {
    static final Path SOURCES =
            Path.of(System.getProperty("glove.root")).resolve("native/sys/test");

    private static final String AARCH64 = "aarch64-linux-gnu-gcc";
    private static final long LIMIT_SECONDS = 300;

    private CCompiler() {}

    /** Compiles for this machine. */
    static Path program(Path source, Path directory) throws IOException, InterruptedException {
        Path program = directory.resolve("program");
        run(List.of("gcc", "-Wall", "-Werror", "-o", program.toString(), source.toString()));
        return program;
    }

    /** Checks the assertions of a source with the headers of aarch64; skips without a compiler. */
    static void checkForAarch64(String source, Path directory)
            throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/usr/bin", AARCH64)),
                "no " + AARCH64 + " to read aarch64's headers with");
        Path file = Files.writeString(directory.resolve("check.c"), source);
        run(List.of(AARCH64, "-fsyntax-only", "-Wall", "-Werror", file.toString()));
    }

    /** Runs a command that succeeds; its output. */
    static String run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("glove-sys", ".out");
        try {
            Process process = new ProcessBuilder(new ArrayList<>(command))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            String text = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(ended).as("%s ends in time: %s", command, text).isTrue();
            assertThat(process.exitValue()).as("%s: %s", command, text).isZero();
            return text;
        } finally {
            Files.delete(output);
        }
    }
}
