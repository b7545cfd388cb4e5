package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Processes of the whole machine that sleep with an argument nobody else uses. */
final class MarkedProcesses {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String marker = "86400." + UUID.randomUUID().toString().replaceAll("[^0-9]", "");

    /** The argument of sleep(1) that marks them. */
    String marker() {
        return marker;
    }

    /**
     * A script that starts three daemons, a child, one with its own session that ignores signals,
     * and one by a double fork whose parents have ended; and then prints {@code ready}.
     */
    String tree() {
        return """
                sleep MARK > /dev/null 2>&1 &
                (trap '' TERM INT HUP; exec setsid sleep MARK < /dev/null > /dev/null 2>&1) &
                (setsid sh -c 'sleep MARK & exit 0' < /dev/null > /dev/null 2>&1 &)
                while [ "$(ps -e -o args= | grep -c '^sleep MARK')" != 3 ]; do :; done
                echo ready
                """.replace("MARK", marker);
    }

    /** Their process ids here. */
    List<String> list() throws IOException {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : all) {
                if (commandLine(process).startsWith("sleep\0" + marker)) {
                    found.add(process.getFileName().toString());
                }
            }
        }
        return found;
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // it has just ended
        }
    }

    /** Waits until there are so many. */
    void await(int wanted) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<String> found = list();
        while (found.size() != wanted && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(10);
            found = list();
        }
        assertThat(found).hasSize(wanted);
    }
}
