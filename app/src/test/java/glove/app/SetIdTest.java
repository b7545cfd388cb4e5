package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A set-user-id program that the host puts into a writable grant while an agent runs. */
@Tag("e2e")
final class SetIdTest {
    private static final String OWNER = "1234";

    private Optional<WorkRoom> room = Optional.empty();

    static List<Identity> identities() {
        return Identity.available();
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        if (room.isPresent()) {
            room.get().close();
        }
    }

    @ParameterizedTest
    @MethodSource("identities")
    void givesTheAgentNoRightsThoughItDoesOutside(Identity identity) throws Exception {
        Lanes.require("e2e", Identity.isRoot(), "only root makes a file of somebody else's");
        WorkRoom made = WorkRoom.of(identity);
        room = Optional.of(made);
        String script = "echo up; read go; ls -ln planted | cut -c1-10; ./planted -u; ./planted -g;"
                + " grep NoNewPrivs /proc/self/status";
        Process run = made.exec(List.of(), "sh", "-c", script).start();
        try (BufferedReader out = run.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo("up");
            String plant = "cd '" + made.work() + "' && cp \"$(command -v id)\" planted && chown "
                    + OWNER + ":" + OWNER + " planted && chmod 6755 planted";
            Command.Result planted = Command.of("sh", "-c", plant).run();
            assertThat(planted.status()).as("%s", planted).isZero();
            run.outputWriter(StandardCharsets.UTF_8).append("go\n").flush();

            assertThat(out.lines()).containsExactly("-rwsr-sr-x", "1000", "1000", "NoNewPrivs:\t1");
        }
        assertThat(run.waitFor()).isZero();
        String outside = "'" + made.work() + "'/planted -u; '" + made.work() + "'/planted -g";
        Command.Result control =
                new Command(Identity.ORDINARY.command(List.of("sh", "-c", outside))).run();
        assertThat(control.out()).as("the control: %s", control).isEqualTo("1234\n1234\n");
    }
}
