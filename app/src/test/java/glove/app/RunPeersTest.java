package glove.app;

import static glove.app.ToolRoom.and;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

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

/** Servers and clients of the protocol's own project. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class RunPeersTest {
    private final ToolRoom room;

    RunPeersTest(Identity identity) throws IOException, InterruptedException {
        this.room = new ToolRoom(identity);
    }

    @BeforeEach
    void requirePeers() {
        McpPeers.require("server-everything", "server-filesystem");
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private static String server(String name, String package_, String rest) {
        return name + "=" + McpPeers.NODE + "," + McpPeers.program(package_) + rest;
    }

    private List<String> options() {
        Path data = room.path().resolve("data");
        List<String> filesystem = List.of(
                "--upstream",
                server("f", "server-filesystem", "," + data),
                "--allow",
                "f.read_text_file",
                "--allow-arg",
                "f.read_text_file:path=" + data + "/public");
        return and(
                filesystem,
                "--upstream",
                server("e", "server-everything", ",stdio"),
                "--allow",
                "e.*",
                "--allow-resources",
                "e",
                "--allow-prompts",
                "e",
                "--allow-completion",
                "e",
                "--allow-sampling",
                "e",
                "--allow-elicitation",
                "e",
                "--allow-roots",
                "e",
                "--read",
                McpPeers.PLACE.toString());
    }

    @Test
    void theOfficialClientDrivesEveryFeatureOfTheOfficialServers() throws Exception {
        room.room().outside("mkdir -p data/public; echo public > data/public/a; echo no > data/b");
        ToolRoom.copy("mcp_sdk_agent.mjs", room.room().work().resolve("agent.mjs"));
        Files.createSymbolicLink(room.room().work().resolve("node_modules"), McpPeers.MODULES);

        Command.Result result = room.run(
                        options(),
                        List.of(
                                McpPeers.NODE.toString(),
                                "agent.mjs",
                                room.path() + "/data/public/a",
                                room.path() + "/data/b"))
                .run();

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out())
                .contains("capabilities: completions logging prompts resources tools\n")
                .contains(" e__echo ", " f__read_text_file ")
                .doesNotContain("f__write_file ")
                .contains("echo: Echo: hello\n", "sum: The sum of 2 and 40 is 42.\n")
                .contains("image: text image text\n", "structured: {\"temperature\":")
                .contains("\"priority\":1}\n", "links: text resource_link resource_link\n")
                .contains("progress: true\n", "cancelled: yes\n")
                .contains("sampling: LLM sampling result", "elicitation: ")
                .contains("resources: true\n", "read: true\n", "templates: 2\n")
                .contains("dynamic: Resource 3", "updated: true\n")
                .contains("e__simple-prompt", "prompt: What's weather in Bern?\n")
                .contains("completion: Engineering\n", "logging: true\n")
                .contains("file: public\n", "denied: true not allowed by policy: ")
                .contains("hidden: McpError: MCP error -32602")
                .contains("file://" + room.room().work().toString().replace(" ", "%20"));
    }

    @Test
    void theOfficialJavaClientDrivesWhatItHasAnApiFor() throws Exception {
        Lanes.require(
                "mcp",
                Files.isDirectory(McpPeers.JARS),
                "the Java SDK is not in " + McpPeers.JARS + ", see .ci/run");
        room.room().outside("mkdir -p data/public; echo public > data/public/a; echo no > data/b");
        ToolRoom.copy("McpSdkAgent.java", room.room().work().resolve("McpSdkAgent.java"));
        String home = System.getProperty("java.home");

        Command.Result result = room.run(
                        and(options(), "--read", home),
                        List.of(
                                home + "/bin/java",
                                "-cp",
                                McpPeers.JARS + "/*",
                                "McpSdkAgent.java",
                                room.path() + "/data/public/a",
                                room.path() + "/data/b"))
                .run();

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out())
                .contains("initialized: 2025-11-25 glove\n")
                .contains(" e__echo ", "f__read_text_file ")
                .doesNotContain("f__write_file ")
                .contains("echo: Echo: hello\n", "sum: The sum of 2 and 40 is 42.\n")
                .contains("structured: {temperature=", "image: 3\n", "progress: true\n")
                .contains("sampling: LLM sampling result", "elicitation: ", "logging: true\n")
                .contains("declined")
                .contains("resources: true\n", "read: true\n", "templates: 2\n")
                .contains("updated: true\n", "prompts: 4\n")
                .contains("prompt: What's weather in Bern?\n", "completion: [Engineering]\n")
                .contains("file: public\n", "denied: true not allowed by policy: ")
                .contains("hidden: -32602\n");
    }
}
