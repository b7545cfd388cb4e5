"""Model interfaces as coding agents speak them, with a model that asks once for the tool that has
'echo' in its name, and then repeats what came back. Listens on the port it is given."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ARGUMENTS = {"text": "hi"}


def echo_tool(tools):
    """The name of the tool, and of the group it is in if that is given apart."""
    for tool in tools or []:
        tool = tool.get("function", tool)
        members = tool.get("functionDeclarations") or (
            tool.get("type") == "namespace" and tool.get("tools")
        )
        if members:
            name, _ = echo_tool(members)
            if name:
                return name, tool.get("name")
        elif "echo" in tool.get("name", ""):
            return tool["name"], None
    return None, None


def anthropic(asked, tool, text):
    if tool:
        block = {"type": "tool_use", "id": "t1", "name": tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(ARGUMENTS)}
    else:
        block = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": text}
    message = {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": asked.get("model"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    stop = {"stop_reason": "tool_use" if tool else "end_turn", "stop_sequence": None}
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]


def responses(group, tool, text):
    if tool:
        item = {
            "type": "function_call",
            "id": "f1",
            "call_id": "c1",
            "name": tool,
            "arguments": json.dumps(ARGUMENTS),
        }
        if group:
            item["namespace"] = group
    else:
        content = [{"type": "output_text", "text": text, "annotations": []}]
        item = {"type": "message", "id": "m1", "role": "assistant", "content": content}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    whole = {"id": "r1", "status": "completed", "output": [item], "usage": usage}
    return [
        {"type": "response.created", "response": {"id": "r1"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]


def completions(asked, tool, text):
    call = {"name": tool, "arguments": json.dumps(ARGUMENTS)}
    said = {"role": "assistant", "content": None if tool else text}
    if tool:
        said["tool_calls"] = [{"index": 0, "id": "c1", "type": "function", "function": call}]
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    base = {"id": "x", "object": "chat.completion.chunk", "created": 1, "usage": usage}
    base["model"] = asked.get("model")
    end = "tool_calls" if tool else "stop"
    return [
        {**base, "choices": [{"index": 0, "delta": said, "finish_reason": None}]},
        {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": end}]},
    ]


def google(tool, text):
    part = {"functionCall": {"name": tool, "args": ARGUMENTS}} if tool else {"text": text}
    content = {"role": "model", "parts": [part]}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return [{"candidates": [{"content": content, "finishReason": "STOP"}], "usageMetadata": usage}]


class Model(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, kind, body):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.reply("application/json", b'{"object":"list","data":[],"models":[]}')

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        told = asked.get("messages") or asked.get("input") or asked.get("contents")
        answered = "a says hi" in json.dumps(told)
        tool, group = (None, None) if answered else echo_tool(asked.get("tools"))
        text = "the tool said hi" if answered else "there is no tool"
        path = self.path
        if "/messages" in path:
            events = anthropic(asked, tool, text)
        elif "/responses" in path:
            events = responses(group, tool, text)
        elif "/chat/completions" in path:
            events = completions(asked, tool, text)
        else:
            events = google(tool, text)
        stream = ""
        for event in events:
            name = event.get("type")
            stream += (f"event: {name}\n" if name else "") + f"data: {json.dumps(event)}\n\n"
        if "/chat/completions" in path:
            stream += "data: [DONE]\n\n"
        self.reply("text/event-stream", stream.encode())


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Model).serve_forever()
