// An agent that lets the official conformance suite test what it is connected with: Streamable HTTP
// in, one glove-mcp for each session out. Ends with the suite's status.
//   agent.mjs SUITE
import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const SESSIONS_MAX = 6;
const sessions = new Map();
let left = Promise.resolve(); // until all that were closed have given their place free

async function open() {
    if (sessions.size === SESSIONS_MAX) {
        close(sessions.values().next().value);
    }
    await left;
    const session = { id: randomUUID(), streams: new Map(), last: undefined };
    session.bridge = spawn("glove-mcp", { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: session.bridge.stdout }).on("line", (line) => deliver(session, line));
    sessions.set(session.id, session);
    return session;
}

function close(session) {
    sessions.delete(session.id);
    left = Promise.all([left, once(session.bridge, "close")]);
    session.bridge.stdin.end();
}

// An answer goes to who asked; all else to the youngest stream that is open.
function deliver(session, line) {
    const message = JSON.parse(line);
    const isAnswer = message.method === undefined;
    const stream = isAnswer ? session.streams.get(message.id) : session.last;
    if (stream === undefined) {
        return;
    }
    stream.write("event: message\ndata: " + line + "\n\n");
    if (isAnswer) {
        session.streams.delete(message.id);
        stream.end();
        session.last = [...session.streams.values()].pop();
    }
}

function isLocal(request) {
    const own = "localhost:" + request.socket.localPort;
    const origin = request.headers.origin;
    return request.headers.host === own && (origin === undefined || origin === "http://" + own);
}

async function post(request, response, body) {
    const message = JSON.parse(body);
    const session = message.method === "initialize"
        ? await open() : sessions.get(request.headers["mcp-session-id"]);
    if (session === undefined) {
        response.writeHead(404).end();
        return;
    }
    const headers = { "mcp-session-id": session.id };
    if (message.method !== undefined && message.id !== undefined) {
        session.streams.set(message.id, response);
        session.last = response;
        response.writeHead(200, { "content-type": "text/event-stream", ...headers });
        response.flushHeaders();
    } else {
        response.writeHead(202, headers).end();
    }
    session.bridge.stdin.write(body.replaceAll("\n", " ") + "\n");
}

const http = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => void (body += bytes));
    request.on("end", () => {
        if (!isLocal(request)) {
            response.writeHead(403).end();
        } else if (request.method === "POST") {
            post(request, response, body);
        } else if (request.method === "DELETE" && sessions.has(request.headers["mcp-session-id"])) {
            close(sessions.get(request.headers["mcp-session-id"]));
            response.writeHead(200).end();
        } else {
            response.writeHead(405).end();
        }
    });
});
await new Promise((done) => http.listen(0, "localhost", done));
const url = `http://localhost:${http.address().port}/mcp`;

const words = [process.argv[2], "server", "--url", url, "--requirements", "2025-11-25"];
const suite = spawn(process.execPath, words, { stdio: ["ignore", "inherit", "inherit"] });
process.exitCode = await new Promise((done) => suite.on("close", done));
[...sessions.values()].forEach(close);
http.close();
http.closeAllConnections();
