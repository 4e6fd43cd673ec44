"""The verbs of `lore`, as a stranger uses them: research a wiki on loopback, decide, publish, install, search."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from freeform.apps.cli.main import run
from freeform.evals.wiki.serve import WikiServer, free_port, serving
from tests.apps.program import Ran
from tests.lore.emberfall import emberfall
from tests.patience import PATIENCE


class Desk:
    """The program in this process: the outermost loop itself, with a home of its own. Starting it anew costs a second."""

    def __init__(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.home, self._capsys = home, capsys

    def run(self, *args: str) -> Ran:
        """One command to its end."""
        code = run(["--home", str(self.home), "--model", "offline", *args])
        said = self._capsys.readouterr()
        return Ran(code, said.out, said.err)

    def json(self, *args: str) -> Any:
        """The document it prints; fails unless it went well."""
        ran = self.run("--json", *args)
        assert ran.code == 0, ran.err
        return json.loads(ran.out)


@pytest.fixture(scope="module")
def wiki() -> Iterator[int]:
    """The small world on loopback, served from a thread of its own."""
    ready, ended, found = threading.Event(), threading.Event(), list[int]()

    async def serve() -> None:
        port = await free_port(["127.0.0.1", "127.0.0.2"])
        world = emberfall(port)
        async with serving(world, WikiServer(world), port):
            found.append(port)
            ready.set()
            await asyncio.to_thread(ended.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(PATIENCE)
    yield found[0]
    ended.set()
    thread.join(PATIENCE)


@pytest.fixture
def home(wiki: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    folder = tmp_path / "home"
    folder.mkdir()
    sites = [
        {"domain": f"127.0.0.{n}", "tier": n, "api": f"http://127.0.0.{n}:{wiki}/api.php"}
        for n in (1, 2)
    ]
    (folder / "sources.yml").write_text(json.dumps({"sites": sites}))
    lines = [
        "[lore]",
        f'sources = "{folder / "sources.yml"}"',
        "allow_private = true",
        "host_pause_s = 0.0",
    ]
    (folder / "freeform.toml").write_text("\n".join([*lines, "requests_per_minute = 0"]))
    return Desk(folder, capsys)


@pytest.fixture
def empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(tmp_path / "empty", capsys)


def test_a_world_is_researched_decided_on_published_installed_and_searched(
    home: Desk, tmp_path: Path
) -> None:
    ran = home.run("--json", "lore", "start", "--zone", "Ashmoor", "--game", "Emberfall", "--once")
    assert ran.code == 0, ran.err
    point = json.loads(ran.out)
    assert point["completed_zones"] == ["Ashmoor"]
    events = [json.loads(line)["event"] for line in ran.err.splitlines() if line.startswith("{")]
    assert events[0] == "daemon_started" and events[-1] == "daemon_shutdown"
    assert events.count("pipeline_step_completed") == 10

    status = home.json("lore", "status")
    assert status["held_zones"] == ["Greyford", "Sunken Vale", "Tarn Heights"]
    [decision] = home.json("lore", "inbox")["decisions"]
    assert decision["options"] == status["held_zones"]
    for _ in range(2):
        assert (
            home.json("lore", "decide", decision["decision_id"][:8], "greyford")["choice"]
            == "Greyford"
        )
    late = home.run("lore", "decide", decision["decision_id"], "Sunken Vale")
    assert late.code == 1 and "answered already" in late.err
    assert home.run("lore", "decide", "no-such-id", "1").code == 1
    assert home.json("lore", "inbox")["decisions"] == []

    again = home.json(
        "lore", "start", "--zone", "Ashmoor", "--game", "Emberfall", "--max-cycles", "1"
    )
    assert again["completed_zones"] == ["Ashmoor", "Greyford"], "the chosen zone came first"
    graph = home.json("lore", "graph", "--zone", "Ashmoor")
    assert {node["kind"] for node in graph["nodes"]} >= {
        "zone",
        "npc",
        "faction",
        "lore",
        "narrative_item",
    }
    assert {edge["name"] for edge in graph["edges"]} >= {
        "CONNECTS_TO",
        "LOCATED_IN",
        "ABOUT",
        "FOUND_IN",
    }

    pack = tmp_path / "emberfall"
    published = home.json("lore", "publish", "--game", "Emberfall", str(pack))
    assert published["errors"] == [] and published["entries"] >= 8
    assert home.json("pack", "validate", str(pack))["ok"] is True
    assert home.run("pack", "install", str(pack)).code == 0
    found = home.json(
        "pack", "search", "Which zones can one reach from Ashmoor?", "--pack", "emberfall"
    )
    assert any(
        "Ashmoor connects to Greyford, Sunken Vale and Tarn Heights" in each["text"]
        for each in found["chunks"]
    )


def test_before_anything_is_researched_each_verb_says_what_to_do(
    empty: Desk, tmp_path: Path
) -> None:
    for verb in (["status"], ["graph"], ["publish", "--game", "X", str(tmp_path / "p")]):
        ran = empty.run("lore", *verb)
        assert ran.code == 1 and "lore start" in ran.err, verb
        assert "Traceback" not in ran.err
    assert empty.json("lore", "inbox") == {"decisions": []}


@pytest.mark.parametrize(
    "bad",
    [
        ["--zone", "", "--game", "X"],
        ["--zone", "A", "--game", "…"],
        ["--zone", "A" * 300, "--game", "X"],
    ],
)
def test_a_name_that_is_none_is_refused(empty: Desk, bad: list[str]) -> None:
    ran = empty.run("lore", "start", *bad, "--once")
    assert ran.code == 1 and "needs a name" in ran.err


def test_without_anywhere_to_search_the_verb_says_which_setting(empty: Desk) -> None:
    ran = empty.run("lore", "start", "--zone", "Ashmoor", "--game", "Emberfall", "--once")
    assert ran.code == 1 and "lore_search_url" in ran.err
