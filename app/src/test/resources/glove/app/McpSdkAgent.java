import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.SubscribeRequest;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.UnsubscribeRequest;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * An agent with the official Java SDK: drives what it has an API for of server-everything ("e") and
 * server-filesystem ("f") through glove-mcp, and prints a line for each.
 */
final class McpSdkAgent {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private static final CountDownLatch PROGRESS = new CountDownLatch(2);
    private static final CountDownLatch LOGGED = new CountDownLatch(1);
    private static final CountDownLatch UPDATED = new CountDownLatch(1);

    private final McpSyncClient client;

    private McpSdkAgent(McpSyncClient client) {
        this.client = client;
    }

    /** Arguments: a file that may be read, and one that may not. */
    public static void main(String[] arguments) throws Exception {
        var transport = new StdioClientTransport(
                ServerParameters.builder("glove-mcp").build(), McpJsonDefaults.getMapper());
        McpSyncClient client = McpClient.sync(transport)
                .requestTimeout(PATIENCE)
                .initializationTimeout(PATIENCE)
                .capabilities(ClientCapabilities.builder()
                        .roots(true)
                        .sampling()
                        .elicitation()
                        .build())
                .sampling(request -> CreateMessageResult.builder(Role.ASSISTANT, "sampled", "none")
                        .build())
                .elicitation(request -> ElicitResult.builder(ElicitResult.Action.DECLINE).build())
                .progressConsumer(heard -> PROGRESS.countDown())
                .loggingConsumer(heard -> LOGGED.countDown())
                .resourcesUpdateConsumer(heard -> UPDATED.countDown())
                .build();
        McpSdkAgent agent = new McpSdkAgent(client);
        var hello = client.initialize();
        say("initialized", hello.protocolVersion() + " " + hello.serverInfo().name());
        agent.driveTools();
        agent.driveResources();
        agent.drivePrompts();
        agent.driveFiles(arguments[0], arguments[1]);
        client.closeGracefully();
    }

    private static void say(String what, Object value) {
        System.out.println(what + ": " + value);
    }

    private CallToolResult call(String tool, Map<String, Object> arguments) {
        return client.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
    }

    private static String text(CallToolResult result) {
        return ((TextContent) result.content().getFirst()).text().strip();
    }

    private void driveTools() throws InterruptedException {
        client.ping();
        StringBuilder names = new StringBuilder();
        client.listTools().tools().forEach(tool -> names.append(tool.name()).append(' '));
        say("tools", names);
        say("echo", text(call("e__echo", Map.of("message", "hello"))));
        say("sum", text(call("e__get-sum", Map.of("a", 2, "b", 40))));
        Map<String, Object> place = Map.of("location", "Chicago");
        say("structured", call("e__get-structured-content", place).structuredContent());
        say("image", call("e__get-tiny-image", Map.of()).content().size());
        client.callTool(CallToolRequest.builder("e__trigger-long-running-operation")
                .arguments(Map.of("duration", 1, "steps", 4))
                .progressToken("steps")
                .build());
        say("progress", heard(PROGRESS));
        say("sampling", text(call("e__trigger-sampling-request", Map.of("prompt", "hi"))));
        say("elicitation", text(call("e__trigger-elicitation-request", Map.of())));
        client.setLoggingLevel(LoggingLevel.DEBUG);
        call("e__toggle-simulated-logging", Map.of());
        say("logging", heard(LOGGED));
    }

    private static boolean heard(CountDownLatch latch) throws InterruptedException {
        return latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private void driveResources() throws InterruptedException {
        var resources = client.listResources().resources();
        say("resources", resources.size() > 3);
        String uri = resources.getFirst().uri();
        var asked = ReadResourceRequest.builder(uri).build();
        var read = client.readResource(asked).contents().getFirst();
        say("read", ((TextResourceContents) read).text().length() > 100);
        say("templates", client.listResourceTemplates().resourceTemplates().size());
        client.subscribeResource(SubscribeRequest.builder(uri).build());
        call("e__toggle-subscriber-updates", Map.of());
        say("updated", heard(UPDATED));
        client.unsubscribeResource(UnsubscribeRequest.builder(uri).build());
    }

    private void drivePrompts() {
        say("prompts", client.listPrompts().prompts().size());
        var prompt = client.getPrompt(GetPromptRequest.builder("e__args-prompt")
                .arguments(Map.of("city", "Bern"))
                .build());
        say("prompt", ((TextContent) prompt.messages().getFirst().content()).text());
        var asked = CompleteRequest.builder(
                        new PromptReference("e__completable-prompt"),
                        new CompleteRequest.CompleteArgument("department", "E"))
                .build();
        say("completion", client.completeCompletion(asked).completion().values());
    }

    private void driveFiles(String readable, String denied) {
        say("file", text(call("f__read_text_file", Map.of("path", readable))));
        CallToolResult refused = call("f__read_text_file", Map.of("path", denied));
        say("denied", refused.isError() + " " + text(refused));
        try {
            call("f__write_file", Map.of("path", "/x", "content", ""));
            say("hidden", "was called");
        } catch (McpError e) {
            say("hidden", e.getJsonRpcError().code());
        }
    }
}
