package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A user namespace that maps one group does not take the caller's other groups away. */
@Tag("process")
final class HostProgramGroupsTest {
    @Test
    void supplementaryGroupsStillCount() throws Exception {
        Lanes.require("process", Identity.isRoot(), "only root can give groups");
        HostProgramRunner runner = new HostProgramRunner(Identity.ROOT);
        try {
            Path secret = Files.writeString(runner.room().resolve("secret"), "for the group\n");
            Command.of("chown", "12345:54322", secret.toString()).run();
            Command.of("chmod", "040", secret.toString()).run();

            assertThat(read(runner, "--groups=54322")).isEqualTo("for the group\nExited[code=0]\n");
            assertThat(read(runner, "--clear-groups")).isEqualTo("Exited[code=1]\n");
        } finally {
            runner.close();
        }
    }

    private static String read(HostProgramRunner runner, String groups)
            throws IOException, InterruptedException {
        List<String> ordinary = List.of("setpriv", "--reuid=54321", "--regid=54321", groups);
        return runner.command(ordinary, "--", "cat", "secret").run().out();
    }
}
