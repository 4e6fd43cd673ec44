"""Malformed requests at every door and malformed files of every kind: what shows a traceback, a 500, hangs or dies.

Made from what is valid by seeded mutation. Requests go to a real `freeform-rpg serve` (all routes of its own document, /v1,
/mcp) and to the real command line; files to the functions behind the uploads, in a process of their own. Prints a table, then
JSON with every distinct finding. Exit 1 when there is any.
Run: python benchmarks/fuzz.py [--requests 800] [--commands 100] [--files 1000] [--seed 1] [--minutes 10]
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
import httpx
import typer

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.fuzz_files import HANG_S, Tally, fuzz_files
from benchmarks.fuzz_mutate import ODD, by_schema, mutated, odd_value
from tests.apps.program import Home
from tests.web.served import Server, serving

UNHURRIED = {"/api/events"}
LONG_RUNNING = {"serve", "mcp", "discord", "worker", "lore", "eval", "party", "models", "bisect", "replay", "metrics", "research"}  # fmt: skip
"""Verbs that run until they are stopped, fetch from the network, or measure for minutes."""


# --- requests


def fuzz_requests(count: int, chance: random.Random, tally: Tally) -> None:
    """So many requests at a real server."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        home.begin()
        (home.path / "freeform.toml").write_text("[serve]\nper_minute = 0\n")
        with serving(home.path) as server:
            server.play("a", "I look around")
            makers = _makers(server)
            with httpx.Client(base_url=server.url, timeout=HANG_S * 4) as http:
                for _ in range(count):
                    if tally.is_over or server.process.poll() is not None:
                        break
                    name, request = chance.choice(makers)(http, chance)
                    tally.tried[f"request: {name}"] += 1
                    _send(http, request, tally)
            if server.process.poll() is not None:
                tally.find("the server died", str(server.process.returncode))
        log = home.path / "logs" / "freeform.log"
        for line in log.read_text(errors="replace").splitlines() if log.exists() else []:
            if " mistake " in line or " turn_failed " in line:
                told = line.split(" ", 2)[2]
                tally.find(" ".join(p for p in told.split() if not p.startswith("request=")), line)


Maker = Callable[[httpx.Client, random.Random], tuple[str, httpx.Request]]


def _makers(server: Server) -> list[Maker]:
    document = httpx.get(f"{server.url}/api/openapi.json", timeout=HANG_S).json()
    routes = [
        (path, method, told)
        for path, methods in document["paths"].items()
        for method, told in methods.items()
        if path not in UNHURRIED and "model/test" not in path
    ]
    tools = _tools(server)

    def by_route(http: httpx.Client, chance: random.Random) -> tuple[str, httpx.Request]:
        path, method, told = chance.choice(routes)
        query: dict[str, Any] = {}
        for each in told.get("parameters", ()):
            value = by_schema(each.get("schema", {}), document, chance)
            value = chance.choice(ODD) if chance.random() < 0.3 else value
            if each["in"] == "path":
                named = {"campaign": "a", "pack": "neo_seattle", "scenario": "cellar"}
                value = named.get(each["name"], value) if chance.random() < 0.7 else value
                word = quote(_word(value), safe="", errors="surrogatepass") or "x"
                path = path.replace(f"{{{each['name']}}}", word)
            elif each["in"] == "query":
                query[each["name"]] = _word(value).encode("utf-8", "replace").decode()
        body, headers = _body(told, document, chance)
        return "api", http.build_request(
            method.upper(), path[:6000], params=query, content=body, headers=headers
        )

    def chat(http: httpx.Client, chance: random.Random) -> tuple[str, httpx.Request]:
        said: Any = {"model": "table/a", "stream": chance.random() < 0.3, "messages": [{"role": "user", "content": "I wait"}]}  # fmt: skip
        said = odd_value(said, chance)
        return "v1", http.build_request("POST", "/v1/chat/completions", content=_json(said), headers=JSON)  # fmt: skip

    def mcp(http: httpx.Client, chance: random.Random) -> tuple[str, httpx.Request]:
        tool = chance.choice(tools)
        given = by_schema(tool.get("inputSchema", {}), {"components": {"schemas": tool.get("inputSchema", {}).get("$defs", {})}}, chance)  # fmt: skip
        asked = _rpc("tools/call", {"name": tool["name"], "arguments": given})
        for _ in range(chance.choice((0, 1, 2))):
            asked = odd_value(asked, chance)
        return "mcp", http.build_request("POST", "/mcp", content=_json(asked), headers=JSON)

    return [by_route] * 8 + [chat, mcp]


JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


def _word(value: Any) -> str:
    return (value if isinstance(value, str) else json.dumps(value))[:3000]


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _rpc(method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def _tools(server: Server) -> list[dict[str, Any]]:
    """What /mcp has; what researches on the web is left out."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}}  # fmt: skip
    with httpx.Client(base_url=server.url, timeout=HANG_S) as http:
        begun = http.post("/mcp", json=_rpc("initialize", hello), headers=JSON)
        if "mcp-session-id" in begun.headers:
            JSON["mcp-session-id"] = begun.headers["mcp-session-id"]
        answer = http.post("/mcp", json=_rpc("tools/list", {}), headers=JSON)
    text = answer.text.partition("data: ")[2] if "data: " in answer.text else answer.text
    found: list[dict[str, Any]] = json.loads(text)["result"]["tools"]
    return [tool for tool in found if "research" not in tool["name"]]


def _body(told: Any, document: Any, chance: random.Random) -> tuple[bytes, dict[str, str]]:
    content = told.get("requestBody", {}).get("content", {})
    if not content:
        return b"", {}
    if "multipart/form-data" in content:
        piece = mutated(b'{"name": "Nell", "hp": 7}', "x.json", chance)
        head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="x.json"\r\n\r\n'
        sent = head + piece + b"\r\n--b--\r\n"
        if chance.random() < 0.3:
            sent = mutated(sent, "x.bin", chance)
        return sent, {"content-type": "multipart/form-data; boundary=b"}
    schema = content.get("application/json", {}).get("schema", {})
    said = by_schema(schema, document, chance)
    if chance.random() < 0.7:
        said = odd_value(said, chance)
    sent = _json(said)
    headers = {"content-type": chance.choice(("application/json",) * 8 + ("text/plain", "x"))}
    if chance.random() < 0.2:
        headers["idempotency-key"] = chance.choice(("k", "a b", "x" * 300))
    return mutated(sent, "x.bin", chance) if chance.random() < 0.1 else sent, headers


def _send(http: httpx.Client, request: httpx.Request, tally: Tally, *, again: bool = True) -> None:
    what = f"{request.method} {request.url.raw_path[:80].decode('ascii', 'replace')}"
    began = time.monotonic()
    try:
        answer = http.send(request)
    except httpx.TimeoutException:
        tally.find(f"no answer: {request.method} {request.url.path[:60]}", what)
        return
    except (httpx.ReadError, httpx.RemoteProtocolError) as wrong:
        # A server may hang up on a line that it kept: that is no answer to this request.
        if again:
            _send(http, request, tally, again=False)
        else:
            tally.find(f"{type(wrong).__name__}: {request.method} {request.url.path[:60]}", what)
        return
    except httpx.HTTPError as wrong:
        tally.find(f"{type(wrong).__name__}: {request.method} {request.url.path[:60]}", what)
        return
    if answer.status_code == 500 or answer.status_code > 503 or "Traceback (most" in answer.text:
        tally.find(
            f"{answer.status_code}: {what}", request.content[:250].decode("utf-8", "replace")
        )
    if time.monotonic() - began > HANG_S:
        tally.find(f"over 30 s: {what}", request.content[:250].decode("utf-8", "replace"))


# --- the command line


def fuzz_commands(count: int, chance: random.Random, tally: Tally) -> None:
    """So many commands; each a process of its own."""
    from freeform.apps.cli.app import app

    verbs = [each for each in _verbs(typer.main.get_command(app)) if each[0][0] not in LONG_RUNNING]
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        home.begin()
        for _ in range(count):
            if tally.is_over:
                break
            args = _arguments(*chance.choice(verbs), chance)
            began = time.monotonic()
            ran = home.run(*args)
            tally.tried["command"] += 1
            if "mistake in the program" in ran.err or "Traceback" in ran.err + ran.out:
                told = next((x for x in ran.err.splitlines() if "mistake" in x), ran.err[-200:])
                tally.find(f"{args[0]}: {told.partition('; your')[0]}", repr(args))
            elif ran.code not in (0, 1, 2, 3, 4):
                tally.find(f"{args[0]}: exit {ran.code}", repr(args))
            if time.monotonic() - began > HANG_S:
                tally.find(f"{args[0]}: over 30 s", repr(args))


def _verbs(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], list[click.Parameter]]]:  # fmt: skip
    if hasattr(command, "commands"):
        for name, each in command.commands.items():
            yield from _verbs(each, (*path, name))
    if path:
        yield path, command.params


def _is_option(each: Any) -> bool:
    return str(each.param_type_name) == "option"


def _arguments(path: tuple[str, ...], params: list[click.Parameter], chance: random.Random) -> list[str]:  # fmt: skip
    args = list(path)
    for each in params:
        if each.name == "help" or (_is_option(each) and chance.random() < 0.6):
            continue
        named = {"campaign": "a", "scenario": "cellar", "turn": "1"}
        value = named.get(each.name or "", "x") if chance.random() < 0.5 else _word(chance.choice(ODD))  # fmt: skip
        value = value.replace("\x00", "")[:2000]
        if _is_option(each):
            args.append(each.opts[0])
            if each.is_flag:
                continue
        args.append(value)
    return args


def main() -> None:
    """Requests, commands, files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=800)
    parser.add_argument("--commands", type=int, default=100)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10.0, help="for each of the three")
    wanted = parser.parse_args()
    tally = Tally()
    for work, count in ((fuzz_files, wanted.files), (fuzz_requests, wanted.requests), (fuzz_commands, wanted.commands)):  # fmt: skip
        if not count:
            continue
        tally.until = time.monotonic() + wanted.minutes * 60
        work(count, random.Random(f"{wanted.seed} {work.__name__}"), tally)
        print(work.__name__, dict(tally.tried), json.dumps(tally.found), flush=True)
    for name, number in sorted(tally.tried.items()):
        print(f"{name:20} {number:6}")
    print(f"{'findings':20} {len(tally.found):6}")
    print(
        json.dumps(
            {"tried": tally.tried, "seconds": tally.spent, "found": tally.found},
            ensure_ascii=False,
            indent=1,
        )
    )
    sys.exit(1 if tally.found else 0)


if __name__ == "__main__":
    main()
