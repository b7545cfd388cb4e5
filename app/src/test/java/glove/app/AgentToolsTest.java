package glove.app;

import static glove.app.ToolRoom.and;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/**
 * The agents people run call a tool through {@code glove-mcp}, set up as docs/agents.md says. Their
 * model is {@code pretended_model.py}, inside; what a real one decides is no matter of Glove's.
 */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class AgentToolsTest {
    private static final String MODEL = "http://127.0.0.1:8321";

    /** Starts the model, and waits until it listens. */
    private static final String START = """
            python3 model.py 8321 &
            until (exec 3<>/dev/tcp/127.0.0.1/8321) 2>/dev/null; do sleep 0.05; done
            """;

    private final ToolRoom room;

    AgentToolsTest(Identity identity) throws IOException, InterruptedException {
        this.room = new ToolRoom(identity);
        ToolRoom.copy("pretended_model.py", room.room().work().resolve("model.py"));
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result inside(String agent, List<String> rules, String script)
            throws IOException, InterruptedException {
        Lanes.require(
                "agents",
                room.room()
                                .shell("test -x \"$(command -v " + agent + ")\"")
                                .run()
                                .status()
                        == 0,
                agent + " is not in PATH; docs/agents.md tells how to install it");
        List<String> options = and(room.upstream("a", ""), "--loopback", "--tool", agent);
        return room.run(and(options, rules), List.of("bash", "-c", START + script))
                .within(Duration.ofMinutes(
                        10)) // the minute of processor it takes, on a busy machine
                .run();
    }

    private void callsATool(String agent, String script) throws Exception {
        Command.Result allowed = inside(agent, List.of("--allow", "a.echo"), script);

        assertThat(allowed.out()).as("%s", allowed).contains("the tool said hi");
        assertThat(Files.readString(room.log()))
                .contains("\"action\":\"call_tool\",\"tool\":\"a.echo\"");
    }

    @Test
    void claudeDoes() throws Exception {
        callsATool("claude", """
                claude mcp add -s user glove -- glove-mcp
                export ANTHROPIC_BASE_URL=%s ANTHROPIC_API_KEY=sk-none
                export ENABLE_TOOL_SEARCH=false MCP_CONNECTION_NONBLOCKING=0 MCP_TIMEOUT=200000
                claude -p 'call it' --dangerously-skip-permissions
                """.formatted(MODEL));
    }

    @Test
    void codexDoes() throws Exception {
        callsATool("codex", """
                codex mcp add glove -- glove-mcp
                codex exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox \\
                    -c model_providers.p.name=p -c model_providers.p.base_url=%s/v1 \\
                    -c model_providers.p.wire_api=responses -c model_provider=p -m m \\
                    -c mcp_servers.glove.startup_timeout_sec=200 \\
                    'call it' </dev/null
                """.formatted(MODEL));
    }

    @Test
    void opencodeDoes() throws Exception {
        callsATool("opencode", """
                mkdir -p ~/.config/opencode
                cat >~/.config/opencode/opencode.json <<'E'
                {"mcp": {"glove": {"type": "local", "command": ["glove-mcp"], "enabled": true,
                   "timeout": 200000}},
                 "provider": {"p": {"npm": "@ai-sdk/openai-compatible", "name": "p",
                   "options": {"baseURL": "%s/v1"}, "models": {"m": {"name": "m"}}}}}
                E
                opencode run -m p/m 'call it'
                """.formatted(MODEL));
    }

    @Test
    void copilotDoes() throws Exception {
        callsATool("copilot", """
                copilot mcp add glove -- glove-mcp
                export COPILOT_OFFLINE=true COPILOT_MODEL=m COPILOT_PROVIDER_BASE_URL=%s/v1
                copilot -p 'call it' --allow-all-tools
                """.formatted(MODEL));
    }

    @Test
    void geminiDoes() throws Exception {
        callsATool("gemini", """
                export GEMINI_CLI_TRUST_WORKSPACE=true GEMINI_API_KEY=none
                mkdir ~/.gemini
                echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}}' \\
                    >~/.gemini/settings.json
                gemini mcp add -s user glove glove-mcp
                GOOGLE_GEMINI_BASE_URL=%s gemini -y -m gemini-2.5-pro -p 'call it'
                """.formatted(MODEL));
    }

    @Test
    void aToolThatIsNotAllowedIsNoneForTheModel() throws Exception {
        Command.Result hidden =
                inside("copilot", List.of("--allow", "a.pid"), """
                copilot mcp add glove -- glove-mcp
                export COPILOT_OFFLINE=true COPILOT_MODEL=m COPILOT_PROVIDER_BASE_URL=%s/v1
                copilot -p 'call it' --allow-all-tools
                """.formatted(MODEL));

        assertThat(hidden.out()).as("%s", hidden).contains("there is no tool");
        assertThat(Files.readString(room.log()))
                .contains("\"action\":\"list_tools\"")
                .doesNotContain("\"call_tool\"");
    }
}
