package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;

/** The agents people run, started as docs/agents.md says; they must be in the caller's PATH. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class AgentProgramTest {
    private final WorkRoom room;

    AgentProgramTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private void startsInside(String agent, String help) throws Exception {
        Lanes.require(
                "agents",
                room.shell("test -x \"$(command -v " + agent + ")\"").run().status() == 0,
                agent + " is not in PATH; docs/agents.md tells how to install it");
        String outside = room.outside("HOME=$PWD " + agent + " --version");

        String version = room.prints(List.of("--tool", agent), agent + " --version 2>&1");
        String text = room.prints(List.of("--tool", agent), agent + " --help 2>&1");

        assertThat(version).isEqualTo(outside).matches("(?s).*[0-9]+\\.[0-9]+\\.[0-9]+.*");
        assertThat(text).contains(help);
    }

    @Test
    void codexTellsItsVersionAndHelp() throws Exception {
        startsInside("codex", "Usage: codex");
    }

    @Test
    void claudeTellsItsVersionAndHelp() throws Exception {
        startsInside("claude", "Usage: claude");
    }

    @Test
    void opencodeTellsItsVersionAndHelp() throws Exception {
        startsInside("opencode", "opencode run");
    }

    @Test
    void copilotTellsItsVersionAndHelp() throws Exception {
        startsInside("copilot", "Usage: copilot");
    }

    @Test
    void geminiTellsItsVersionAndHelp() throws Exception {
        startsInside("gemini", "Usage: gemini");
    }
}
