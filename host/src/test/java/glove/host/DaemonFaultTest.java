package glove.host;

import glove.testkit.FaultProcess;
import glove.testkit.Identity;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/**
 * For n = 1, 2, ...: the n-th system call of a daemon that starts, serves and ends fails, in each
 * way it can. It ends with one sentence, or one request fails alone; nothing is left, and the next
 * one has all that was answered. {@link DaemonFaultMain} makes the loop.
 */
@Tag("e2e")
@Timeout(2000)
final class DaemonFaultTest {
    private static final String WAYS = "3";

    @TempDir
    private Path directory;

    @Test
    void everyCallFailsOnce() throws Exception {
        Path err = directory.resolve("err");
        try (FaultProcess process = new FaultProcess("host")) {
            process.require(
                    "gloved: start, serving, end",
                    err,
                    Identity.available().getFirst(),
                    false,
                    List.of(
                            DaemonFaultMain.class.getName(),
                            directory.toRealPath().toString(),
                            err.toString(),
                            WAYS));
        }
    }
}
