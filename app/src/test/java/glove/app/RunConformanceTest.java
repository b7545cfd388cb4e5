package glove.app;

import static glove.app.ToolRoom.and;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The official conformance suite as the agent, with what it requires of servers by 2025-11-25: it
 * speaks HTTP with an adapter inside, which has a {@code glove-mcp} for each session.
 */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class RunConformanceTest {
    /** The suite's own list, "server" in requirements/2025-11-25.yaml. */
    private static final List<String> REQUIRED = List.of(
            "server-initialize",
            "logging-set-level",
            "ping",
            "completion-complete",
            "tools-list",
            "tools-call-simple-text",
            "tools-call-image",
            "tools-call-audio",
            "tools-call-embedded-resource",
            "tools-call-mixed-content",
            "tools-call-with-logging",
            "tools-call-error",
            "tools-call-with-progress",
            "tools-call-sampling",
            "tools-call-elicitation",
            "elicitation-sep1034-defaults",
            "server-sse-multiple-streams",
            "elicitation-sep1330-enums",
            "resources-list",
            "resources-read-text",
            "resources-read-binary",
            "resources-templates-read",
            "resources-subscribe",
            "resources-unsubscribe",
            "prompts-list",
            "prompts-get-simple",
            "prompts-get-with-args",
            "prompts-get-embedded-resource",
            "prompts-get-with-image",
            "dns-rebinding-protection");

    /** Not scored, but run: they came later, or are pending. */
    private static final List<String> NOT_SCORED =
            List.of("server-session-lifecycle", "json-schema-2020-12");

    /** What asks for nothing that needs to be allowed. */
    private static final List<String> WITHOUT_RIGHTS = List.of(
            "server-initialize",
            "logging-set-level",
            "ping",
            "server-sse-multiple-streams",
            "dns-rebinding-protection",
            "server-session-lifecycle");

    private static final Pattern PASSED =
            Pattern.compile("^✓ (\\S+): [1-9]\\d* passed, 0 failed$", Pattern.MULTILINE);

    private final ToolRoom room;

    RunConformanceTest(Identity identity) throws IOException, InterruptedException {
        this.room = new ToolRoom(identity);
    }

    @BeforeEach
    void requireSuite() {
        McpPeers.require("conformance");
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result suite(String... allowances) throws IOException, InterruptedException {
        Path server = room.path().resolve("conformance.mjs");
        ToolRoom.copy("mcp_conformance_server.mjs", server);
        ToolRoom.copy("mcp_conformance_agent.mjs", room.room().work().resolve("agent.mjs"));
        Files.createSymbolicLink(room.path().resolve("node_modules"), McpPeers.MODULES);
        List<String> options = List.of(
                "--upstream",
                "c=" + McpPeers.NODE + "," + server,
                "--no-prefix",
                "c",
                "--loopback",
                "--read",
                McpPeers.PLACE.toString());
        String program = McpPeers.program("conformance").toString();
        return room.run(
                        and(options, allowances),
                        List.of(McpPeers.NODE.toString(), "agent.mjs", program))
                .run();
    }

    private static List<String> passed(Command.Result result) {
        Matcher lines = PASSED.matcher(result.out());
        return lines.results().map(line -> line.group(1)).toList();
    }

    @Test
    void everyRequiredScenarioPassesWhenAllIsAllowed() throws Exception {
        Command.Result result = suite(
                "--allow",
                "c.*",
                "--allow-resources",
                "c",
                "--allow-prompts",
                "c",
                "--allow-completion",
                "c",
                "--allow-sampling",
                "c",
                "--allow-elicitation",
                "c");

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(passed(result)).as("%s", result).containsAll(REQUIRED).containsAll(NOT_SCORED);
        assertThat(REQUIRED).hasSize(30);
    }

    @Test
    void withoutAnyAllowanceNothingPassesThatNeedsOne() throws Exception {
        Command.Result result = suite();

        assertThat(result.status()).as("%s", result).isEqualTo(1);
        assertThat(passed(result)).as("%s", result).containsExactlyElementsOf(WITHOUT_RIGHTS);
    }
}
