"""A scripted MCP client: agent.py [--stdio] STEP..., each printed with its outcome.

A step is list, TOOL, TOOL:ARGUMENTS, retry:TOOL until it works, big:TOOL:BYTES, flood:COUNT or
touch:FILE. Over standard streams it prints on standard error.
"""

import json
import subprocess
import sys
import threading
import time

steps = sys.argv[1:]
if steps[:1] == ["--stdio"]:
    steps = steps[1:]
    to, back, out = sys.stdout, sys.stdin, sys.stderr
    bridge = None
else:
    pipe = subprocess.PIPE
    bridge = subprocess.Popen(["glove-mcp"], stdin=pipe, stdout=pipe, text=True)
    to, back, out = bridge.stdin, bridge.stdout, sys.stdout
number = 0


def tell(**message):
    to.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    to.flush()


def ask(method, **params):
    global number
    number += 1
    tell(id=number, method=method, params=params)
    return answer()


def answer():
    while True:
        line = back.readline()
        if not line:
            return {"error": {"message": "the session has ended"}}
        message = json.loads(line)
        if message.get("id") == number:
            return message


def call(name, arguments):
    got = ask("tools/call", name=name, arguments=arguments)
    if "error" in got:
        return "error " + got["error"]["message"]
    words = got["result"]["content"][0]["text"]
    return ("failed " if got["result"].get("isError") else "") + words


def do(step):
    name, _, rest = step.partition(":")
    if name == "list":
        got = ask("tools/list")
        if "error" in got:
            return "error " + got["error"]["message"]
        return " ".join(tool["name"] for tool in got["result"]["tools"])
    if name == "retry":
        for _ in range(2000):
            outcome = call(rest, {})
            if not outcome.startswith("error"):
                return outcome
            time.sleep(0.1)
        return outcome
    if name == "big":
        tool, size = rest.split(":")
        try:
            return call(tool, {"text": "x" * int(size)})
        except BrokenPipeError:
            return "error the session has ended"
    if name == "flood":
        wanted = range(int(rest))
        writer = threading.Thread(
            target=lambda: [tell(id="f%d" % count, method="tools/list") for count in wanted])
        writer.start()
        answers = 0
        while answers < len(wanted) and (line := back.readline()):
            answers += '"id":"f' in line
        writer.join()
        return str(answers)
    if name == "touch":
        open(rest, "w", encoding="utf-8").close()
        time.sleep(600)
    return call(name, json.loads(rest or "{}"))


client = {"name": "scripted", "version": "1"}
ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
tell(method="notifications/initialized")
for one in steps:
    print(one[:60], "->", do(one), file=out, flush=True)
if bridge:
    bridge.stdin.close()
    print("bridge ->", bridge.wait(), file=out)
