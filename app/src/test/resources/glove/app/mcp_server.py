"""A scripted MCP server over stdio: server.py NAME [MODE]."""

import json
import os
import subprocess
import sys
import time
import urllib.request

NAME = sys.argv[1]
MODE = sys.argv[2] if len(sys.argv) > 2 else ""
TOOLS = ["crash", "echo", "environment", "fetch", "pid", "read", "secret", "size", "write"]


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def text(words, **more):
    return {"content": [{"type": "text", "text": words}], **more}


def call(name, arguments):
    if name == "echo":
        return text(NAME + " says " + arguments.get("text", ""))
    if name == "size":
        return text(str(len(arguments["text"])))
    if name == "pid":
        return text(str(os.getpid()))
    if name == "environment":
        return text("\n".join(sorted(k + "=" + v for k, v in os.environ.items())))
    if name == "crash":
        print("about to crash", file=sys.stderr, flush=True)
        os._exit(7)
    try:
        if name == "read":
            with open(arguments["path"], encoding="utf-8") as file:
                return text(file.read())
        if name == "write":
            os.makedirs(os.path.dirname(arguments["path"]) or ".", exist_ok=True)
            with open(arguments["path"], "w", encoding="utf-8") as file:
                file.write("by " + NAME)
            return text("written in " + os.getcwd())
        if name == "fetch":
            with urllib.request.urlopen(arguments["url"], timeout=20) as answer:
                return text(answer.read().decode())
    except OSError as problem:
        return text(str(problem), isError=True)
    return text("a secret")


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": NAME, "version": "1"},
        }
    if method == "tools/list":
        about = "changed" if MODE == "changed" else "as ever"
        kind = {"type": "object"}
        return {"tools": [{"name": t, "description": about, "inputSchema": kind} for t in TOOLS]}
    return call(params["name"], params.get("arguments", {}))


print("server", NAME, "begins", file=sys.stderr, flush=True)
if MODE == "dies":
    sys.exit(3)
if MODE == "daemon":
    # In a session of its own, nobody's child, deaf to what ends others.
    deaf = "trap '' TERM HUP INT; while :; do sleep 1; done"
    subprocess.run(["setsid", "-f", "sh", "-c", deaf, os.path.abspath(__file__), NAME], check=True)
if MODE == "marks":
    with open(NAME + ".pid", "w", encoding="utf-8") as mark:
        mark.write(str(os.getpid()))
for line in sys.stdin:
    if MODE == "silent":
        continue
    request = json.loads(line)
    if "id" in request and "method" in request:
        result = answer(request["method"], request.get("params", {}))
        send({"jsonrpc": "2.0", "id": request["id"], "result": result})
while MODE in ("stays", "daemon"):
    time.sleep(1)
