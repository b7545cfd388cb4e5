package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;

/** Where a grant holds Glove's state directory, its record is not the agent's to see or to make. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class OwnRecordTest {
    private static final List<String> ONLINE = List.of("--egress-allow", "registry.test");

    private final WorkRoom room;
    private final String state;

    OwnRecordTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
        this.state = room.work() + "/state";
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(List<String> options, String script) throws Exception {
        return room.exec(options, "bash", "-c", script)
                .with("XDG_STATE_HOME", state)
                .run();
    }

    @Test
    void theDefaultLogIsHiddenAndUsed() throws Exception {
        Command.Result first = run(ONLINE, "ls -A state/glove/audit; mv state/glove state/other");
        Command.Result second = run(ONLINE, "cat state/glove/audit/audit.jsonl");

        assertThat(first.out()).as("%s", first).isEmpty();
        assertThat(first.status()).as("what stands above it stays, too").isNotZero();
        assertThat(second.out()).as("%s", second).isEmpty();
        assertThat(room.outside("grep -c agent_ work/state/glove/audit/audit.jsonl"))
                .as("control: it is there")
                .isEqualTo("4\n");
    }

    @Test
    void anOfflineRunCannotMakeOne() throws Exception {
        run(List.of(), """
                mkdir -p state/glove/audit state/glove/pins
                touch state/glove/audit/audit.jsonl state/glove/pins/mine; touch state/control
                """);

        assertThat(room.outside("find work/state -type f")).isEqualTo("work/state/control\n");
    }

    @Test
    void explainSaysSoAndMakesNothing() throws Exception {
        assertThat(run(List.of("--explain"), "true").out()).doesNotContain("own state");
        assertThat(room.work().resolve("state")).doesNotExist();
        run(ONLINE, "true");

        assertThat(run(List.of("--explain"), "true").out())
                .contains(state + "/glove hidden: Glove's own state");
    }

    @Test
    void grantingTheRecordItselfIsRefused() throws Exception {
        run(ONLINE, "true");

        for (String path : List.of("", "/audit", "/audit/audit.jsonl")) {
            Command.Result result = run(List.of("--read", state + "/glove" + path), "true");

            assertThat(result.status()).as("%s", result).isEqualTo(2);
            assertThat(result.err()).contains("is Glove's own state");
        }
    }

    @Test
    void keysHomesAndLocksAreNeitherSeenNorChanged() throws Exception {
        room.outside("mkdir -p -m 700 work/state/glove/homes/dev; echo KEY > work/state/glove/key;"
                + " touch work/state/glove/homes/.dev.lock");
        String attack = "cat state/glove/key; rm state/glove/homes/.dev.lock;"
                + " touch state/glove/homes/dev/planted; mkdir -p state/glove/homes/mine;"
                + " mv state/glove state/other; mv state other; ls -A state/glove";

        Command.Result inside = run(List.of(), attack);

        assertThat(inside.out()).as("%s", inside).isEmpty();
        assertThat(inside.err())
                .contains("No such file or directory", "Read-only file system")
                .contains("Device or resource busy");
        assertThat(room.outside("cd work; find state -type f | sort"))
                .isEqualTo("state/glove/homes/.dev.lock\nstate/glove/key\n");
        assertThat(room.outside(
                        "cd work; " + attack + " 2>/dev/null || true; find . -name planted"))
                .as("control")
                .startsWith("KEY\n")
                .endsWith("planted\n");
    }

    @Test
    void aLinkOnTheWayToItCannotBeLedElsewhere() throws Exception {
        room.outside("mkdir -p real/glove work; ln -s ../real work/state");

        Command.Result inside = run(List.of(), "ln -sfn /tmp state; rm state");

        assertThat(inside.err()).as("%s", inside).contains("Device or resource busy");
        assertThat(room.outside("cd work; ln -sfn /tmp state; readlink state"))
                .as("control")
                .isEqualTo("/tmp\n");
    }

    @Test
    void tooFewDescriptorsAreRefusedInASentence() throws Exception {
        String run = "ulimit -n 64; \"$GLOVE\" exec --egress-allow registry.test -- true";

        Command.Result result = room.shell(run).with("XDG_STATE_HOME", state).run();

        assertThat(result.status()).as("%s", result).isEqualTo(2);
        assertThat(result.err()).contains("only 64 files may be open").contains("ulimit -n 160");
    }
}
