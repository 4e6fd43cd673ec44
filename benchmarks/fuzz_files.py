"""Malformed files of every kind, given to the functions behind the uploads in a process of their own. A part of `fuzz.py`."""

import asyncio
import json
import random
import select
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.fuzz_mutate import mutated
from tests.apps.program import Home

HANG_S = 30.0
DATA = Path(__file__).parents[2] / "shared" / "data"


@dataclass
class Tally:
    """What was tried, and what was found: by what it is, with the first example of each."""

    tried: Counter[str] = field(default_factory=Counter)
    found: dict[str, dict[str, Any]] = field(default_factory=dict)
    spent: Counter[str] = field(default_factory=Counter)
    until: float = 0.0

    def find(self, what: str, example: str) -> None:
        """Something that should not be."""
        row = self.found.setdefault(what, {"times": 0, "example": example[:300]})
        row["times"] += 1

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self.until


def corpus(home: Path) -> dict[str, list[tuple[str, bytes]]]:
    """Valid files by the door they are for."""
    from tests.ingest.book import make_book
    from tests.services.test_arrivals import GOOD, zipped

    content = Path(__file__).parents[1] / "src" / "freeform" / "content"
    scenarios = [(file.name, file.read_bytes()) for file in (content / "scenarios").glob("*.yaml")]
    pack = content / "packs" / "lantern_core"
    files = {str(f.relative_to(pack)): f.read_bytes() for f in pack.rglob("*") if f.is_file()}
    anything = [(name, data) for name, (_, data) in GOOD.items()]
    anything.append(("lantern.zip", zipped(dict(list(files.items())[:12]))))
    for file in (DATA / "cards").glob("*"):
        if file.stat().st_size < 400_000:
            anything.append((file.name, file.read_bytes()))
    for format in ("zip", "jsonl", "epub"):
        path = home / f"out.{format}"
        ran = Home.run(_known(home), "export", "a", str(path), "--format", format)
        if ran.code == 0:
            anything.append((path.name, path.read_bytes()))
    book = make_book(home / "book.pdf").read_bytes()
    sheets = [
        (f.name, f.read_bytes())
        for f in (DATA / "characters").rglob("*")
        if f.is_file() and f.stat().st_size < 200_000
    ]
    sheets.append(("brannoc.md", b"# Brannoc\n\nHuman Fighter 3, HP 22/31, AC 16\n\nSTR 16 DEX 12\n\n- rope\n- 12 gp\n"))  # fmt: skip
    table = (home / "campaigns" / "a" / "table.db").read_bytes()
    settings = b'model = "offline"\nseed = 7\n[budget]\nday_tokens = 5\n[serve]\nupload_mb = 64\n'
    backup = home.parent / "home.backup"
    Home.run(_known(home), "backup", str(backup))
    return {
        "backup": [("home.backup.zip", backup.read_bytes())],
        "import": anything + sheets[:4] + scenarios[:2],
        "sheet": sheets,
        "scenario": scenarios,
        "draft": scenarios,
        "pdf": [("book.pdf", book)],
        "campaign": [("table.db", table)],
        "settings": [("freeform.toml", settings)],
    }


def _known(path: Path) -> Home:
    """A home that is there already."""
    home = Home.__new__(Home)
    home.path, home.extra = path, {}
    return home


class Taker:
    """The process that is given files."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def take(self, door: str, path: Path) -> str:
        """'' when it was taken or refused in a sentence; else what happened."""
        process = self._process
        assert process.stdin and process.stdout
        process.stdin.write(f"{door}\t{path}\n".encode())
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], HANG_S * 4)
        line = process.stdout.readline() if ready else b""
        if line:
            answer = json.loads(line)
            return "hang over 30 s" if answer["s"] > HANG_S else str(answer["wrong"])
        what = "crash" if process.poll() is not None else "hang"
        self.close()
        self._start()
        return what

    def close(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.wait()


def fuzz_files(count: int, chance: random.Random, tally: Tally) -> None:
    """So many files, each door in turn."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        home.begin()
        home.run("turn", "a", "I look around")
        seeds, taker = corpus(home.path), Taker()
        doors = [
            *["sheet", "settings", "import", "backup"] * 4,
            "pdf",
            "scenario",
            "draft",
            "campaign",
        ]
        for number in range(count):
            if tally.is_over:
                break
            door = doors[number % len(doors)]
            name, data = chance.choice(seeds[door])
            path = Path(folder) / name
            path.write_bytes(mutated(data, name, chance))
            began = time.monotonic()
            wrong = taker.take(door, path)
            tally.tried[f"file: {door}"] += 1
            tally.spent[door] += time.monotonic() - began
            if wrong:
                tally.find(f"{door}: {wrong}", f"{name}, number {number}")
                print(f"{door} {number} {name}: {wrong}", file=sys.stderr, flush=True)
                kept = Path(tempfile.gettempdir()) / "fuzz-found"
                kept.mkdir(exist_ok=True)
                (kept / f"{door}-{number}-{name}").write_bytes(path.read_bytes())
        taker.close()


def child() -> None:
    """Takes files until there are no more. A fresh home every hundred, so that nothing grows."""
    from freeform.core.errors import FreeformError

    lines = iter(sys.stdin.readline, "")

    async def some() -> bool:
        from freeform.services.house import opened_house
        from freeform.settings import Settings

        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(home=Path(folder), model="offline")
            async with opened_house(settings, files=False) as house:
                for _, line in zip(range(100), lines, strict=False):
                    door, path = line.rstrip("\n").split("\t")
                    began, wrong = time.process_time(), ""
                    try:
                        await _take(house, door, Path(path))
                    except FreeformError:
                        pass
                    except Exception as bug:
                        wrong = _where(bug)
                    answer = {"wrong": wrong, "s": time.process_time() - began}
                    print(json.dumps(answer), flush=True)
                else:
                    return True
        return False

    while asyncio.run(some()):
        pass


async def _take(house: Any, door: str, path: Path) -> None:
    from freeform.services.archives import import_file
    from freeform.services.arrivals.bring import Arrival
    from freeform.services.assistant.characters import preview_sheet, read_sheet_file
    from freeform.services.campaigns import campaign_view, table_view
    from freeform.services.desk.drafts import begin_from_file
    from freeform.services.ingest.books import look_at_book
    from freeform.services.operate.restore import check_backup
    from freeform.services.play import say_of, take_turn
    from freeform.services.scenario.check import check_path
    from freeform.settings.sources import load

    match door:
        case "import":
            await import_file(house, Arrival(path, path.name))
        case "sheet":
            preview_sheet(house.settings, read_sheet_file(path))
        case "scenario":
            await check_path(house, path)
        case "draft":
            await begin_from_file(house, path, path.name)
        case "backup":
            check_backup(path)
        case "pdf":
            await look_at_book(house.settings, path)
        case "settings":
            load({}, {}, path.parent)
        case "campaign":
            name, here = "a", house.settings.home / "campaigns" / "a" / "table.db"
            shutil.rmtree(here.parent, ignore_errors=True)
            here.parent.mkdir(parents=True)
            here.write_bytes(path.read_bytes())
            await campaign_view(house, name)
            await table_view(house, name)
            await take_turn(house, await say_of(house, name, "I wait"))


def _where(bug: Exception) -> str:
    """The kind of a mistake and the last place of ours that it came through."""
    ours = [f for f in traceback.extract_tb(bug.__traceback__) if "/freeform/" in f.filename]
    at = ours[-1] if ours else traceback.extract_tb(bug.__traceback__)[-1]
    return f"{type(bug).__name__} at {Path(at.filename).name}:{at.lineno} ({str(bug)[:80]})"


if __name__ == "__main__":
    child()
