"""A real web server is killed, stopped and starved of room at random, over turns, a shared table, uploads and books being read.

After each life the logs are read from the disk: an event that was there is there, as it was; a turn has one set of facts and at
most one telling. A client that heard nothing sends its turn again under the same id, as the web app does; at the end every turn
that was taken stands once, every upload that was acknowledged is there, no book is stuck. Prints a table and JSON; exit 1 when
anything was lost, doubled or stuck.
Run: python benchmarks/chaos.py [--kills 40] [--seed 1] [--minutes 20] [--small MB, as root: the home on a disk so small]
"""

import argparse
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.apps.forked import Forked
from tests.ingest.book import make_book
from tests.services.test_arrivals import GOOD

SOLO = ("s1", "s2", "s3")
SHARED = "g"
WAIT_S = 300.0
HERE = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}


@dataclass
class Ledger:
    """What was promised, and what was found."""

    wanted: dict[str, list[str]] = field(default_factory=dict)
    """Turn ids by campaign that a client has sent and means to have played."""
    kept: dict[str, dict[int, str]] = field(default_factory=dict)
    """Entries of each log that were seen on the disk."""
    packs: set[str] = field(default_factory=set)
    jobs: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


@dataclass
class Life:
    """One life of the server."""

    process: Forked
    http: httpx.Client
    code: int | None = None

    def wait(self) -> int:
        """How it ended."""
        if self.code is None:
            self.code = self.process.wait()
        return self.code

    def signal(self, sent: int) -> None:
        """Sends it a signal, if it is there."""
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, sent)


@contextmanager
def living(home: Path) -> Iterator[Life]:
    """The server, from its start to whatever ends it."""
    said = Path(tempfile.gettempdir()) / f"chaos-{os.getpid()}.txt"
    environ = {**HERE, "HOME": str(home), "FREEFORM_HOME": str(home), "FREEFORM_SERVE_PER_MINUTE": "0"}  # fmt: skip
    args = ["--model", "offline", "serve", "--port", "0"]
    with said.open("w+b") as out, open(os.devnull, "rb") as nothing:
        files = [nothing.fileno(), out.fileno(), out.fileno()]
        with Forked("benchmarks.chaos_server", args, environ, home, files, WAIT_S) as process:
            end = time.monotonic() + WAIT_S
            while not (found := re.search(r"http://[\d.]+:\d+(?=\D)", said.read_text())):
                assert time.monotonic() < end and _lives(process.pid), said.read_text()
                time.sleep(0.02)
            with httpx.Client(base_url=f"{found[0]}/api", timeout=WAIT_S) as http:
                life = Life(process, http)
                try:
                    yield life
                finally:
                    if life.code is None:
                        life.signal(signal.SIGCONT)
                        life.signal(signal.SIGKILL)
                    life.wait()


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def prepare(home: Path, ledger: Ledger) -> None:
    """Campaigns, and a table of two people."""
    with living(home) as life:
        for name in (*SOLO, SHARED):
            wish = {"scenario": "drowned_bell", "campaign": name, "seed": 7}
            life.http.post("/campaigns", json=wish).raise_for_status()
            ledger.wanted[name] = []
        life.http.post(f"/campaigns/{SHARED}/company", json={"name": "Anna"}).raise_for_status()
        life.http.get(f"/campaigns/{SHARED}/story").raise_for_status()


def act(life: Life, ledger: Ledger, chance: random.Random, number: int, pdf: bytes) -> None:
    """One thing that somebody does. What the server does not take is counted and not owed."""
    what = chance.choice(("turn", "turn", "turn", "hand in", "hand in", "upload", "book", "look"))
    try:
        if what in ("turn", "hand in"):
            _turn(life, ledger, chance.choice(SOLO) if what == "turn" else SHARED, number)
        elif what == "upload":
            _upload(life, ledger, number)
        elif what == "book" and len(ledger.jobs) < 4:
            _book(life, ledger, number, pdf)
        else:
            life.http.get(f"/campaigns/{chance.choice(SOLO)}/table")
        ledger.counts[what] += 1
    except httpx.HTTPError:
        ledger.counts["cut off"] += 1


def _turn(life: Life, ledger: Ledger, campaign: str, number: int) -> None:
    turn_id = f"{campaign}.{number}"
    if campaign in SOLO:
        # Whoever sends a turn sends it again until it hears that it stands.
        ledger.wanted[campaign].append(turn_id)
    answer = _send(life, campaign, turn_id)
    if answer.status_code == 202 and campaign == SHARED:
        ledger.wanted[campaign].append(turn_id)
    elif answer.status_code >= 500 and answer.status_code != 503:
        ledger.wrong.append(f"turn: {answer.status_code} {answer.text[:200]}")
    elif answer.status_code == 409 and campaign in SOLO:
        ledger.wanted[campaign].remove(turn_id)


def _send(life: Life, campaign: str, turn_id: str) -> httpx.Response:
    return life.http.post(
        f"/campaigns/{campaign}/turns",
        json={"text": "I look around"},
        headers={"idempotency-key": turn_id},
    )


def _upload(life: Life, ledger: Ledger, number: int) -> None:
    id = f"hill{number}"
    content = GOOD["marsh.json"][1].replace(b"Marsh", id.encode())
    answer = life.http.post("/import", files={"file": (f"{id}.json", content)})
    if answer.status_code < 300:
        ledger.packs.add(str(answer.json()["id"]))
    elif answer.status_code == 500:
        ledger.wrong.append(f"upload: {answer.text[:200]}")


def _book(life: Life, ledger: Ledger, number: int, pdf: bytes) -> None:
    form = {"id": f"book{number}", "name": "Coast", "license": "CC0"}
    answer = life.http.post("/ingests", data=form, files={"file": ("coast.pdf", pdf, "application/pdf")})  # fmt: skip
    if answer.status_code < 300:
        ledger.jobs.add(str(answer.json()["id"]))
    elif answer.status_code == 500:
        ledger.wrong.append(f"book: {answer.text[:200]}")


def look_at_disk(home: Path, ledger: Ledger) -> None:
    """Every log as it lies there: nothing that was there is gone, no turn stands twice."""
    for file in sorted((home / "campaigns").glob("*/table.db")):
        name = file.parent.name
        with closing(sqlite3.connect(file, timeout=30)) as db:
            rows = db.execute("select id, turn_id, take, kind, body from log").fetchall()
            (sound,) = db.execute("pragma quick_check").fetchone()
        entries = {row[0]: json.dumps(row) for row in rows}
        before = ledger.kept.setdefault(name, {})
        lost = [id for id, text in before.items() if entries.get(id) != text]
        kinds = Counter((turn_id, kind) for _, turn_id, _, kind, _ in rows if turn_id)
        doubled = [each for each, times in kinds.items() if times > 1]
        if lost or doubled or sound != "ok":
            ledger.wrong.append(f"{name}: lost {lost}, doubled {doubled}, {sound}")
        ledger.kept[name] = entries


def settle(home: Path, ledger: Ledger) -> None:
    """A last life in which everything that was promised comes to its end."""
    with living(home) as life:
        for name in SOLO:
            for turn_id in ledger.wanted[name]:
                _stands(life, name, turn_id)
        life.http.post(f"/campaigns/{SHARED}/company/go-on")
        _until(lambda: not _company(life)["waiting"] and not life.http.get(f"/campaigns/{SHARED}").json()["playing"])  # fmt: skip
        for name, wanted in ledger.wanted.items():
            told = [t["turn_id"] for t in life.http.get(f"/campaigns/{name}/story?limit=200").json()["turns"]]  # fmt: skip
            lost = sorted(set(wanted[-150:]) - set(told))
            if lost or len(told) != len(set(told)):
                ledger.wrong.append(f"{name}: not told {lost[:5]}, {len(told) - len(set(told))} twice")  # fmt: skip
        there = {row["id"] for row in life.http.get("/packs").json()["packs"]}
        if ledger.packs - there:
            ledger.wrong.append(f"packs lost: {sorted(ledger.packs - there)}")
        ended = ("done", "failed", "accepted")
        if not _until(lambda: all(job["state"] in ended for job in _jobs(life))):
            ledger.wrong.append(f"stuck: {[(j['id'], j['state']) for j in _jobs(life)]}")
        states = {job["id"]: job["state"] for job in _jobs(life)}
        if ledger.jobs - set(states):
            ledger.wrong.append(f"books lost: {sorted(ledger.jobs - set(states))}")
        ledger.counts.update(f"books {state}" for state in states.values())


def _company(life: Life) -> dict[str, Any]:
    found: dict[str, Any] = life.http.get(f"/campaigns/{SHARED}/company").json()["company"]
    return found


def _jobs(life: Life) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = life.http.get("/ingests").json()["jobs"]
    return found


def _stands(life: Life, campaign: str, turn_id: str) -> None:
    """Sends a turn under its id until it was taken, and waits for its end."""
    _until(lambda: _send(life, campaign, turn_id).status_code != 409)
    _until(lambda: not life.http.get(f"/campaigns/{campaign}").json()["playing"])


def _until(is_so: Any) -> bool:
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        if is_so():
            return True
        time.sleep(0.05)
    return False


def one_life(home: Path, ledger: Ledger, chance: random.Random, numbers: Iterator[int], pdf: bytes) -> None:  # fmt: skip
    """Some deeds, and an end."""
    with living(home) as life:
        end = chance.choice(("kill", "kill", "stop and kill", "stop and go on", "term"))
        for _ in range(chance.randint(1, 8)):
            act(life, ledger, chance, next(numbers), pdf)
        time.sleep(chance.random() * 0.3)
        if end.startswith("stop"):
            life.signal(signal.SIGSTOP)
            time.sleep(chance.random() * 2)
            life.signal(signal.SIGCONT)
            act(life, ledger, chance, next(numbers), pdf)
        if end == "term":
            life.signal(signal.SIGTERM)
            if life.wait():
                ledger.wrong.append(f"SIGTERM ended with {life.code}")
        ledger.counts[f"ended by {end}"] += 1


def fill(home: Path) -> Path:
    """Takes all the room that is left."""
    filler = home / ".filler"
    with suppress(OSError), filler.open("wb") as out:
        while True:
            out.write(b"\0" * 4096)
            out.flush()
    return filler


def count_up() -> Iterator[int]:
    """1, 2, 3 …"""
    number = 0
    while True:
        number += 1
        yield number


@contextmanager
def a_home(small: int) -> Iterator[Path]:
    """A folder, on a disk of so many megabytes where that is wanted."""
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder:
        if small:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={small}m", "tmpfs", folder], check=True)  # fmt: skip
        try:
            yield Path(folder)
        finally:
            if small:
                subprocess.run(["umount", folder], check=False)


def main() -> None:
    """Lives and deaths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--small", type=int, default=0)
    wanted = parser.parse_args()
    chance, ledger, numbers = random.Random(wanted.seed), Ledger(), count_up()
    until = time.monotonic() + wanted.minutes * 60
    lives = 0
    with a_home(wanted.small) as home, tempfile.TemporaryDirectory() as scratch:
        pdf = make_book(Path(scratch) / "coast.pdf").read_bytes()
        prepare(home, ledger)
        while lives < wanted.kills and time.monotonic() < until:
            filler = fill(home) if wanted.small and chance.random() < 0.4 else None
            with suppress(AssertionError):  # a server that does not start on a full disk says so
                one_life(home, ledger, chance, numbers, pdf)
            if filler:
                filler.unlink(missing_ok=True)
                ledger.counts["lives on a full disk"] += 1
            lives += 1
            look_at_disk(home, ledger)
        settle(home, ledger)
        look_at_disk(home, ledger)
    events = sum(len(entries) for entries in ledger.kept.values())
    print(f"{lives} lives, {events} events in {len(ledger.kept)} logs, {len(ledger.packs)} uploads")
    print(", ".join(f"{name} {number}" for name, number in sorted(ledger.counts.items())))
    print(f"{len(ledger.wrong)} wrong")
    print(json.dumps({"lives": lives, "events": events, "counts": ledger.counts, "wrong": ledger.wrong}))  # fmt: skip
    sys.exit(1 if ledger.wrong else 0)


if __name__ == "__main__":
    main()
