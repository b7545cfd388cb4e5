package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A process of the host exchanges a granted directory with a link to a secret, all the time while
 * Glove starts. Whatever the moment: the agent never sees the secret.
 */
@Tag("e2e")
final class GrantSwapTest {
    private static final int LAUNCHES = 25;

    @ParameterizedTest
    @EnumSource(Identity.class)
    void aGrantReplacedDuringTheLaunchIsRefusedOrIsTheOldOne(Identity identity, @TempDir Path base)
            throws Exception {
        Assumptions.assumeTrue(
                Identity.available().contains(identity), "the tests are not run by root");
        Files.createDirectories(base.resolve("secret"));
        Files.writeString(base.resolve("secret/file"), "secret\n");
        Files.createDirectories(base.resolve("granted"));
        Files.writeString(base.resolve("granted/file"), "public\n");
        Command.of("sh", "-c", "chmod 755 . && chown -R " + identity.owner() + " secret granted")
                .in(base)
                .run();
        CountDownLatch done = new CountDownLatch(1);
        Thread swapper = new Thread(() -> swapUntil(done, base), "swapper");
        swapper.start();
        try {
            for (int i = 0; i < LAUNCHES; i++) {
                Command.Result result = GloveProgram.exec(
                                identity,
                                List.of("--read", base + "/granted"),
                                List.of("cat", base + "/granted/file"))
                        .run();

                assertThat(result.out()).isIn("public\n", "");
            }
        } finally {
            done.countDown();
            swapper.join();
        }
        Command.Result control = Command.of("cat", base + "/secret/file").run();
        assertThat(control.out()).isEqualTo("secret\n");
    }

    private static void swapUntil(CountDownLatch done, Path base) {
        String script = "ln -s \"$PWD/secret\" link\n"
                + "while [ ! -e done ]; do mv granted aside; mv link granted; "
                + "mv granted link; mv aside granted; done";
        try {
            Process process = Command.of("sh", "-c", script).in(base).start();
            done.await();
            Files.createFile(base.resolve("done"));
            process.waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
