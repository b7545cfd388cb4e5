// An agent with the official SDK: drives every feature of server-everything ("e") and
// server-filesystem ("f") through glove-mcp, and prints a line for each.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import * as types from "@modelcontextprotocol/sdk/types.js";

const capabilities = { sampling: {}, elicitation: { form: {} }, roots: {} };
const client = new Client({ name: "sdk-agent", version: "1" }, { capabilities });
const seen = { log: 0, updated: 0 };
client.setRequestHandler(types.CreateMessageRequestSchema, async () => ({
    role: "assistant",
    model: "none",
    content: { type: "text", text: "sampled here" },
}));
client.setRequestHandler(types.ElicitRequestSchema, async () => ({ action: "decline" }));
client.setNotificationHandler(types.LoggingMessageNotificationSchema, () => void seen.log++);
client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, () => void seen.updated++);

function say(name, value) {
    console.log(name + ": " + (typeof value === "string" ? value : JSON.stringify(value)));
}

async function call(name, args, options) {
    const request = { name, arguments: args ?? {} };
    const result = await client.callTool(request, undefined, { timeout: 240000, ...options });
    return result;
}

async function until(what) {
    for (let i = 0; i < 4800 && !what(); i++) {
        await new Promise((done) => setTimeout(done, 50));
    }
    return what();
}

await client.connect(new StdioClientTransport({ command: "glove-mcp", stderr: "inherit" }));
say("capabilities", Object.keys(client.getServerCapabilities()).sort().join(" "));
await client.ping();
say("tools", (await client.listTools()).tools.map((tool) => tool.name).join(" "));
say("echo", (await call("e__echo", { message: "hello" })).content[0].text);
say("sum", (await call("e__get-sum", { a: 2, b: 40 })).content[0].text);
const image = await call("e__get-tiny-image");
say("image", image.content.map((block) => block.type).join(" "));
say("structured", (await call("e__get-structured-content", { location: "Chicago" })).structuredContent);
say("annotated", (await call("e__get-annotated-message", { messageType: "error" })).content[0].annotations);
say("links", (await call("e__get-resource-links", { count: 2 })).content.map((b) => b.type).join(" "));

let steps = 0;
const long = { duration: 1, steps: 4 };
await call("e__trigger-long-running-operation", long, { onprogress: () => void steps++ });
say("progress", String(steps > 1));
const cancelling = new AbortController();
const slow = call("e__trigger-long-running-operation", { duration: 60 }, { signal: cancelling.signal });
setTimeout(() => cancelling.abort("enough"), 200);
say("cancelled", await slow.then(() => "no", () => "yes"));

say("sampling", (await call("e__trigger-sampling-request", { prompt: "hi" })).content[0].text);
say("elicitation", (await call("e__trigger-elicitation-request")).content[0].text);
say("roots", (await call("e__get-roots-list")).content[0].text);

const uris = (await client.listResources()).resources.map((resource) => resource.uri);
say("resources", String(uris.length > 3));
say("read", String((await client.readResource({ uri: uris[0] })).contents[0].text.length > 100));
const templates = (await client.listResourceTemplates()).resourceTemplates;
say("templates", String(templates.length));
const dynamic = "demo://resource/dynamic/text/3";
say("dynamic", (await client.readResource({ uri: dynamic })).contents[0].text.slice(0, 10));
await client.subscribeResource({ uri: uris[0] });
await call("e__toggle-subscriber-updates");
say("updated", String(await until(() => seen.updated > 0)));
await client.unsubscribeResource({ uri: uris[0] });

say("prompts", (await client.listPrompts()).prompts.map((prompt) => prompt.name).join(" "));
const prompt = { name: "e__args-prompt", arguments: { city: "Bern" } };
say("prompt", (await client.getPrompt(prompt)).messages[0].content.text);
const ref = { type: "ref/prompt", name: "e__completable-prompt" };
const argument = { name: "department", value: "E" };
say("completion", (await client.complete({ ref, argument })).completion.values.join(" "));
await client.setLoggingLevel("debug");
await call("e__toggle-simulated-logging");
say("logging", String(await until(() => seen.log > 0)));

say("file", (await call("f__read_text_file", { path: process.argv[2] })).content[0].text.trim());
const denied = await call("f__read_text_file", { path: process.argv[3] });
say("denied", String(denied.isError) + " " + denied.content[0].text);
say("hidden", await call("f__write_file", { path: "/x", content: "" }).then(String, String));
await client.close();
