package glove.app;

import static glove.app.ToolRoom.and;

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

/** How agents reach the gateway, and how upstreams are held. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class RunChannelTest {
    private static final String HELLO =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
                    + "\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
                    + "\"clientInfo\":{\"name\":\"sh\",\"version\":\"1\"}}}";

    private final ToolRoom room;

    RunChannelTest(Identity identity) throws IOException, InterruptedException {
        this.room = new ToolRoom(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private static List<String> sh(String script) {
        return List.of("sh", "-c", script);
    }

    @Test
    void aShellFindsTheBridgeInItsPathAndGetsTheAnswerAfterItsInputHasEnded() throws Exception {
        Command.Result result = room.run(
                        room.open("a"),
                        sh("printf '%s\\n' '" + HELLO + "' | glove-mcp; echo status $?"))
                .run();

        assertThat(result.out())
                .as("%s", result)
                .contains("\"id\":1", "\"serverInfo\":{\"name\":\"glove\"", "status 0");
        Command.Result exec =
                room.room().exec(List.of(), "sh", "-c", "glove-mcp").run();
        assertThat(exec.status()).as("control: %s", exec).isEqualTo(127);
    }

    @Test
    void anAgentThatSpeaksOnItsStandardStreamsGetsNoneOfGloves() throws Exception {
        Command.Result result = room.agent(
                        and(room.open("a"), "--mcp-stdio"), "--stdio", "list", "a__echo")
                .reading("not for the agent\n".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .run();

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("a__echo -> a says ");
    }

    @Test
    void aStreamsRunHasNoSocketInsideAndEndsWithItsAgent() throws Exception {
        Command.Result result = room.run(
                        and(room.open("a"), "--mcp-stdio"),
                        sh("ls /run/glove >&2; exec >&-; sleep 0.2; exit 9"))
                .run();

        assertThat(result.status()).as("%s", result).isEqualTo(9);
        assertThat(result.err()).contains("/run/glove").contains("No such file");
    }

    @Test
    void severalAgentsOfARunAreServedAtOnceAndThoseBeyondTheLimitAreSentAway() throws Exception {
        Command.Result result =
                room.run(room.open("a"), sh("""
                for i in 1 2 3 4 5 6 7 8 9 10; do
                  { printf '%s\\n' '@'; until [ -e over ]; do sleep 0.1; done; } |
                    { glove-mcp >out.$i 2>/dev/null; : >left.$i; } &
                done
                served() { grep -l serverInfo out.* 2>/dev/null | wc -l; }
                until [ "$(ls left.* 2>/dev/null | wc -l) $(served)" = "2 8" ]; do sleep 0.1; done
                : >over; wait; served
                """.replace("@", HELLO))).run();

        assertThat(result.out()).as("%s", result).isEqualTo("8\n");
    }

    @Test
    void aContainedUpstreamReadsWhatItIsGrantedAndNothingElse() throws Exception {
        room.room().outside("mkdir data other; echo granted > data/file; echo closed > other/file");
        String granted = "a__read:{\"path\":\"" + room.path() + "/data/file\"}";
        String closed = "a__read:{\"path\":\"" + room.path() + "/other/file\"}";
        String server = "read=" + room.path() + "/server.py";
        List<String> contained = and(
                room.open("a"),
                "--upstream-sandbox",
                "a:" + server + ",read=" + room.path() + "/data",
                "--upstream-env",
                "a:GIVEN=yes");

        Command.Result inside =
                room.succeeds(contained, granted, closed, "a__environment", "a__pid");
        Command.Result outside = room.succeeds(room.open("a"), closed);

        assertThat(inside.out())
                .contains("-> granted")
                .contains("-> failed [Errno 2] No such file or directory")
                .contains("GIVEN=yes")
                .contains("GLOVE_SANDBOXED=1");
        assertThat(outside.out()).as("control").contains("-> closed");
    }

    @Test
    void aContainedUpstreamComesBackAfterACrashAndCanBeRefused() throws Exception {
        String server = "a:read=" + room.path() + "/server.py";

        Command.Result result = room.succeeds(
                and(room.open("a"), "--upstream-sandbox", server), "a__crash", "retry:a__echo");
        Command.Result refused = room.agent(
                        and(room.open("a"), "--upstream-sandbox", "a:reed=/x"), "list")
                .run();
        Command.Result missing = room.agent(
                        and(room.open("a"), "--upstream-sandbox", "a:read=/nowhere"), "list")
                .run();

        assertThat(result.out()).contains("retry:a__echo -> a says");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("'reed=/x' is no KEY=VALUE").contains("Try: ");
        assertThat(missing.status()).isEqualTo(2);
        assertThat(missing.err()).contains("upstream 'a': ").contains("/nowhere");
    }

    @Test
    void aProgramTheAgentCouldChangeDoesNotRunWithTheCallersRights() throws Exception {
        room.room().outside("printf '#!/bin/sh\\ncat\\n' > work/server; chmod +x work/server");
        List<String> options = List.of("--upstream", "a=" + room.room().work() + "/server");

        Command.Result refused = room.agent(options, "list").run();

        assertThat(refused.status()).as("%s", refused).isEqualTo(2);
        assertThat(refused.err())
                .contains("lies inside a writable grant")
                .contains("Try: name a program outside every writable grant");
    }
}
