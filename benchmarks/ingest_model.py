"""A whole book read by a model over the real wire: what is shown of it, and how many tokens that takes.

Run: python benchmarks/ingest_model.py BOOK.pdf [OUT] [--fail-after N]

The model is a peer on loopback that speaks Chat Completions. It reads honestly and little: of each section the first line as its
summary, and label lines (`Armor Class 15`) as the fields of the thing its heading names; empty lists everywhere else. With
--fail-after it answers N questions and then refuses for good. Printed as JSON: questions, tokens in (our count over messages and
schema), the share of sections that were shown whole, and what the run said.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from freeform.core.text import count_tokens

_BOOK = re.compile(r"<book>\n(\[.*\])\n</book>", re.S)
_LABEL = re.compile(r"^\*\*([^*\n]{2,30})\*\*:? ([^\n]{1,60})$", re.M)


class Peer:
    """What was asked, and how it is answered."""

    def __init__(self, fail_after: int) -> None:
        self.fail_after = fail_after
        self.questions = self.tokens = 0
        self.shown: dict[str, str] = {}
        self.times: Counter[str] = Counter()
        self.lock = threading.Lock()

    def answer(self, body: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a question; None where it is refused."""
        form = _schema(body)
        text = "\n".join(str(message.get("content") or "") for message in body["messages"])
        with self.lock:
            self.questions += 1
            if self.fail_after and self.questions > self.fail_after:
                return None
            self.tokens += count_tokens(text) + count_tokens(json.dumps(form))
            sections = _sections(text)
            if "sections" not in form.get("properties", {}) or not sections:
                return dict(_least(form, form))
            for row in sections:
                self.shown[row["id"]] = row["text"]
                self.times[row["id"]] += 1
        return {"sections": [_read(row) for row in sections]}


def _schema(body: dict[str, Any]) -> dict[str, Any]:
    tools = body.get("tools") or []
    if tools:
        return dict(tools[0]["function"]["parameters"])
    return dict((body.get("response_format") or {}).get("json_schema", {}).get("schema", {}))


def _sections(text: str) -> list[dict[str, Any]]:
    found = _BOOK.search(text)
    rows = json.loads(found[1]) if found else []
    return [row for row in rows if isinstance(row, dict) and {"id", "text"} <= set(row)]


def _read(row: dict[str, Any]) -> dict[str, Any]:
    """One section as such a reader reads it."""
    text = row["text"]
    lines = [line for line in text.splitlines() if line.strip()]
    name = re.sub(r"^#+ ", "", lines[0]) if lines else ""
    fields = [{"label": label.strip(" :"), "value": value} for label, value in _LABEL.findall(text)]
    thing = {"name": name, "kind": "thing", "quote": name, "fields": fields}
    return {"id": row["id"], "content_type": "GENERAL", "route": "BOTH", "confidence": 0.3,
            "summary": name, "tags": [], "things": [thing] if fields else [], "relations": [],
            "rules": []}  # fmt: skip


def _least(form: dict[str, Any], whole: dict[str, Any]) -> Any:
    """The emptiest answer that a schema allows."""
    if "$ref" in form:
        return _least(whole["$defs"][form["$ref"].rpartition("/")[2]], whole)
    if "enum" in form:
        return form["enum"][0]
    if "anyOf" in form:
        return _least(form["anyOf"][-1], whole)
    if form.get("type") == "object":
        parts = form.get("properties", {})
        return {name: _least(parts[name], whole) for name in form.get("required", parts)}
    empty = {"array": [], "string": "", "integer": 0, "number": 0.0, "boolean": False}
    return empty.get(str(form.get("type")))


def serve(peer: Peer) -> ThreadingHTTPServer:
    """The peer, listening."""

    class Door(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

        def do_GET(self) -> None:
            self._send(200, {"object": "list", "data": [{"id": "peer", "object": "model"}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            said = peer.answer(body)
            if said is None:
                self._send(401, {"error": {"message": "this key is worth nothing any more"}})
                return
            if body.get("stream"):
                self._stream(body, json.dumps(said))
                return
            self._send(200, _completion(body, json.dumps(said)))

        def _stream(self, body: dict[str, Any], text: str) -> None:
            whole = _completion(body, text)
            choice = whole["choices"][0]
            delta = dict(choice["message"])
            for number, call in enumerate(delta.get("tool_calls") or ()):
                call["index"] = number
            first = {**whole, "object": "chat.completion.chunk",
                     "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}  # fmt: skip
            last = {**first, "choices": [{"index": 0, "delta": {},
                    "finish_reason": choice["finish_reason"]}]}  # fmt: skip
            data = "".join(f"data: {json.dumps(part)}\n\n" for part in (first, last))
            self._raw(200, f"{data}data: [DONE]\n\n".encode(), "text/event-stream")

        def _send(self, status: int, body: dict[str, Any]) -> None:
            self._raw(status, json.dumps(body).encode(), "application/json")

        def _raw(self, status: int, data: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def _completion(body: dict[str, Any], text: str) -> dict[str, Any]:
    tools = body.get("tools") or []
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if tools:
        call = {"name": tools[0]["function"]["name"], "arguments": text}
        message = {"role": "assistant", "content": None,
                   "tool_calls": [{"id": "call_1", "type": "function", "function": call}]}  # fmt: skip
    spent = {"prompt_tokens": count_tokens(json.dumps(body["messages"])),
             "completion_tokens": count_tokens(text)}  # fmt: skip
    done = "tool_calls" if tools else "stop"
    return {"id": "peer", "object": "chat.completion", "model": "peer", "created": 0,
            "choices": [{"index": 0, "message": message, "finish_reason": done}],
            "usage": spent | {"total_tokens": sum(spent.values())}}  # fmt: skip


def main() -> None:
    """Reads the book and prints what was shown."""
    told = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    told.add_argument("book", type=Path)
    told.add_argument("out", type=Path, nargs="?")
    told.add_argument("--fail-after", type=int, default=0)
    args = told.parse_args()
    peer = Peer(args.fail_after)
    server = serve(peer)
    with tempfile.TemporaryDirectory() as scratch:
        out = args.out or Path(scratch) / "out"
        model = f"url:http://127.0.0.1:{server.server_address[1]}/v1#peer"
        ran = subprocess.run(
            [sys.executable, "-m", "freeform", "--home", f"{scratch}/home", "--model", model, "--json",
             "pack-ingest", str(args.book), "--out", str(out), "--id", "book", "--yes", "--no-install"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        print(json.dumps(_told(peer, ran, out), indent=1))


def _told(peer: Peer, ran: "subprocess.CompletedProcess[str]", out: Path) -> dict[str, Any]:
    work = out / "work" / "book"
    rows = [
        json.loads(line)
        for line in (work / "structure" / "sections.jsonl").read_text("utf-8").splitlines()
    ]
    manifest = json.loads((work / "classify" / "segment_manifest.json").read_text("utf-8"))
    segments = manifest["segments"] if isinstance(manifest, dict) else manifest
    ids = {segment["id"] for segment in segments}
    report = json.loads(ran.stdout) if ran.returncode == 0 else {"error": ran.stderr[-400:]}
    stages = [row for row in report.get("stages", ()) if row.get("warnings")]
    return {
        "pages": report.get("pages"),
        "headings": len(rows),
        "segments": len(ids),
        "shown": len(ids & set(peer.shown)),
        "shown_twice": sum(1 for times in peer.times.values() if times > 1),
        "questions": peer.questions,
        "input_tokens": peer.tokens,
        "exit": ran.returncode,
        "entities": report.get("entities"),
        "notes": report.get("notes"),
        "warnings": {row["name"]: row["warnings"] for row in stages},
        "error": report.get("error"),
    }


if __name__ == "__main__":
    main()
