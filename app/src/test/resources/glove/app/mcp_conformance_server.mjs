// The server that the official conformance suite wants to talk to, with the official SDK: its
// scenarios name these tools, resources and prompts.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as types from "@modelcontextprotocol/sdk/types.js";

const PIXEL =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9" +
    "awAAAABJRU5ErkJggg==";
const SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
const capabilities = {
    tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {},
};
const server = new Server({ name: "conformance", version: "1" }, { capabilities });

const text = (words) => ({ type: "text", text: words });
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const audio = { type: "audio", data: SOUND, mimeType: "audio/wav" };
const embedded = (uri, mimeType, words) =>
    ({ type: "resource", resource: { uri, mimeType, text: words } });
const later = () => new Promise((done) => setTimeout(done, 50));
const object = (properties = {}, required = Object.keys(properties)) =>
    ({ type: "object", properties, required });
const string = { type: "string" };
const options = { type: "string", enum: ["option1", "option2", "option3"] };
const values = [["value1", "First"], ["value2", "Second"], ["value3", "Third"]]
    .map(([value, title]) => ({ const: value, title }));

async function ask(message, requestedSchema, extra) {
    const params = { mode: "form", message, requestedSchema };
    const got = await extra.sendRequest(
        { method: "elicitation/create", params }, types.ElicitResultSchema);
    const content = JSON.stringify(got.content);
    return [text(`Elicitation completed: action=${got.action}, content=${content}`)];
}

const tools = {
    test_simple_text: () => [text("This is a simple text response for testing.")],
    test_image_content: () => [image],
    test_audio_content: () => [audio],
    test_embedded_resource: () => [
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
    ],
    test_multiple_content_types: () => [
        text("Multiple content types test:"), image,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data"}'),
    ],
    test_tool_with_logging: async (_, extra) => {
        for (const data of ["started", "processing data", "completed"]) {
            const params = { level: "info", data: "Tool " + data };
            await extra.sendNotification({ method: "notifications/message", params });
            await later();
        }
        return [text("logged")];
    },
    test_error_handling: () => {
        throw new Error("This tool intentionally returns an error for testing");
    },
    test_tool_with_progress: async (_, extra) => {
        const progressToken = extra._meta?.progressToken;
        for (const progress of [0, 50, 100]) {
            const params = { progressToken, progress, total: 100 };
            if (progressToken !== undefined) {
                await extra.sendNotification({ method: "notifications/progress", params });
            }
            await later();
        }
        return [text("done")];
    },
    test_sampling: async ({ prompt }, extra) => {
        const messages = [{ role: "user", content: text(prompt) }];
        const got = await extra.sendRequest(
            { method: "sampling/createMessage", params: { messages, maxTokens: 100 } },
            types.CreateMessageResultSchema);
        return [text("LLM response: " + got.content.text)];
    },
    test_elicitation: ({ message }, extra) =>
        ask(message, object({ username: string, email: string }), extra),
    test_elicitation_sep1034_defaults: (_, extra) => ask("Defaults", object({
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
    }, []), extra),
    test_elicitation_sep1330_enums: (_, extra) => ask("Choices", object({
        untitledSingle: options,
        titledSingle: { type: "string", oneOf: values },
        legacyEnum: {
            type: "string", enum: ["opt1", "opt2", "opt3"],
            enumNames: ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti: { type: "array", items: options },
        titledMulti: { type: "array", items: { anyOf: values } },
    }, []), extra),
    json_schema_2020_12_tool: () => [text("ok")],
};
const schemas = {
    test_sampling: object({ prompt: string }),
    test_elicitation: object({ message: string }),
    // Keywords that must arrive as they are.
    json_schema_2020_12_tool: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: {
            address: {
                $anchor: "addressDef", type: "object", properties: { street: string, city: string },
            },
        },
        properties: {
            name: string, address: { $ref: "#/$defs/address" }, phone: string, email: string,
            contactMethod: { type: "string", enum: ["phone", "email"] },
        },
        allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
        if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
        then: { required: ["phone"] },
        else: { required: ["email"] },
        additionalProperties: false,
    },
};

server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: Object.keys(tools).map((name) =>
        ({ name, description: "Test: " + name, inputSchema: schemas[name] ?? object() })),
}));
server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, extra) => {
    try {
        return { content: await tools[params.name](params.arguments ?? {}, extra) };
    } catch (problem) {
        return { isError: true, content: [text(problem.message)] };
    }
});

const resources = {
    "test://static-text":
        { mimeType: "text/plain", text: "This is the content of the static text resource." },
    "test://static-binary": { mimeType: "image/png", blob: PIXEL },
    "test://watched-resource": { mimeType: "text/plain", text: "Watched resource content" },
};
server.setRequestHandler(types.ListResourcesRequestSchema, () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]) =>
        ({ uri, name: uri.slice(7), description: "Test: " + uri, mimeType })),
}));
server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
        {
            uriTemplate: "test://template/{id}/data",
            name: "template",
            mimeType: "application/json",
        },
    ],
}));
server.setRequestHandler(types.ReadResourceRequestSchema, ({ params: { uri } }) => {
    const id = /^test:\/\/template\/(.+)\/data$/.exec(uri)?.[1];
    const data = JSON.stringify({ id, templateTest: true, data: "Data for ID: " + id });
    const found = id ? { mimeType: "application/json", text: data } : resources[uri];
    if (!found) {
        throw new types.McpError(-32002, "Resource not found", { uri });
    }
    return { contents: [{ uri, ...found }] };
});
server.setRequestHandler(types.SubscribeRequestSchema, () => ({}));
server.setRequestHandler(types.UnsubscribeRequestSchema, () => ({}));

const argument = (name) => ({ name, description: "Test argument", required: true });
const prompts = {
    test_simple_prompt: { say: () => [text("This is a simple prompt for testing.")] },
    test_prompt_with_arguments: {
        arguments: [argument("arg1"), argument("arg2")],
        say: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    },
    test_prompt_with_embedded_resource: {
        arguments: [argument("resourceUri")],
        say: ({ resourceUri }) => [
            embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
            text("Please process the embedded resource above."),
        ],
    },
    test_prompt_with_image: { say: () => [image, text("Please analyze the image above.")] },
};
server.setRequestHandler(types.ListPromptsRequestSchema, () => ({
    prompts: Object.entries(prompts).map(([name, prompt]) =>
        ({ name, description: "Test: " + name, arguments: prompt.arguments })),
}));
server.setRequestHandler(types.GetPromptRequestSchema, ({ params }) => ({
    messages: prompts[params.name].say(params.arguments ?? {}).map((content) =>
        ({ role: "user", content })),
}));
server.setRequestHandler(types.CompleteRequestSchema, () => ({
    completion: { values: ["paris", "park", "party"], total: 3, hasMore: false },
}));

await server.connect(new StdioServerTransport());
