"""A served table of three people and an AI player is killed with -9 again and again, in every mode, in the order of a fight, with heroes in
different places and told by a person; turns come by HTTP and MCP: what was handed in is told, and told once.

Prints a row for each mode and JSON. Exit 1 when a turn that was taken was lost or doubled.
Run: python benchmarks/table_kills.py [--kills 5] [--seed 19]
"""

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.served import Server, serving

STORIES = {"initiative": "tithe_door", "apart": "dead_drop"}
MODES = ("free", "rounds", "together", "called", "initiative", "apart", "by_hand")
TURN_MODES = ("free", "rounds", "together", "called", "initiative")
HEROES = {"Ben": "Sparrow", "Cleo": "Wren"}


def client(server: Server, token: str = "") -> httpx.Client:
    """Someone who asks."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return httpx.Client(base_url=f"{server.url}/api", headers=headers, timeout=60)


def gather(server: Server, mode: str) -> dict[str, str]:
    """Opens the table and lets two people in; their tokens."""
    tokens = {"Anna": ""}
    with client(server) as owner:
        story = STORIES.get(mode, "drowned_bell")
        owner.post("/campaigns", json={"scenario": story, "campaign": mode, "seed": 7})
        owner.post(f"/campaigns/{mode}/company", json={"name": "Anna"})
        for name, hero in HEROES.items():
            made = owner.post(f"/campaigns/{mode}/company/invites", json={}).json()
            wish = {"code": made["token"], "name": name, "hero": {"name": hero}, "device": False}
            tokens[name] = owner.post("/join", json=wish).json()["token"]
        owner.post(f"/campaigns/{mode}/company/companions", json={"persona": "bea"})
        if mode in TURN_MODES:
            set_so = owner.post(f"/campaigns/{mode}/company/mode", json={"mode": mode})
            assert set_so.status_code == 200, set_so.text
        if mode == "by_hand":
            made = owner.post(f"/campaigns/{mode}/company/invites", json={"role": "gm"}).json()
            wish = {"code": made["token"], "name": "Mo", "device": False}
            MASTER["Mo"] = owner.post("/join", json=wish).json()["token"]
            set_so = owner.post(f"/campaigns/{mode}/company/by-hand", json={"on": True})
            assert set_so.status_code == 200, set_so.text
    if mode == "apart":
        with client(server, tokens["Ben"]) as ben:
            ben.post(f"/campaigns/{mode}/turns", json={"text": "I go to Kettle Row"})
    return tokens


MASTER: dict[str, str] = {}


def hand_in_by(server: Server, mode: str, name: str, token: str, turn_id: str) -> tuple[int, str]:
    """One turn by one door: Cleo's by MCP where the mode lets it be, else by HTTP. The status and the
    id it has."""
    with client(server, token) as person:
        if name == "Cleo" and mode != "initiative":
            call = {"name": "take_turn", "arguments": {"text": "I look around", "turn_id": turn_id}}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
            with suppress(httpx.HTTPError):
                told = person.post(f"{server.url}/mcp", json=body, headers=MCP)
                return (202 if '"isError":true' not in told.text else 409), turn_id
            return 0, turn_id
        answer = person.post(
            f"/campaigns/{mode}/turns",
            json={"text": "I look around"},
            headers={"idempotency-key": turn_id},
        )
        return answer.status_code, turn_id


MCP = {"accept": "application/json, text/event-stream"}


def tell_by_hand(server: Server, told: set[str]) -> None:
    """The game master tells what waits; sent twice, it is told once."""
    with client(server, MASTER["Mo"]) as master:
        rows = master.get("/campaigns/by_hand/company/written").json()["written"]
        wish = {"text": "They look around.", "turns": [row["turn_id"] for row in rows]}
        for _ in range(2 if rows else 0):
            answer = master.post("/campaigns/by_hand/company/tell", json=wish)
            assert answer.status_code == 200, answer.text
        told |= set(wish["turns"])


def hand_in(server: Server, mode: str, tokens: dict[str, str], number: int) -> dict[str, str]:
    """Everyone hands a turn in; the ids that the server took, by person."""
    taken: dict[str, str] = {}
    for name, token in tokens.items():
        turn_id = f"{mode}.{number}.{name}"
        if mode == "called":
            with client(server) as owner:
                seats = owner.get(f"/campaigns/{mode}/company").json()["company"]["people"]
                seat = next(row["seat"] for row in seats if row["name"] == name)
                owner.post(f"/campaigns/{mode}/company/call", json={"seat": seat})
        status, turn_id = hand_in_by(server, mode, name, token, turn_id)
        if status == 202:
            taken[name] = turn_id
    return taken


def settled(server: Server, mode: str, tokens: dict[str, str]) -> list[str]:
    """Waits until nothing is left to tell; the ids that were, each as often as somebody reads it."""
    with client(server) as owner:
        for _ in range(3_000):
            now = owner.get(f"/campaigns/{mode}/company").json()["company"]
            waits = now["waiting"] and not (mode == "together" and now["turn_of"])
            waits = waits and mode != "by_hand"
            if not waits and not owner.get(f"/campaigns/{mode}").json()["playing"]:
                break
            time.sleep(0.02)
    most: Counter[str] = Counter()
    for token in tokens.values():  # who is elsewhere reads another part of the story
        with client(server, token) as person:
            told = person.get(f"/campaigns/{mode}/story?limit=200").json()["turns"]
        parts = [turn["parts"] or [turn] for turn in told]
        most |= Counter(part["turn_id"] for row in parts for part in row)
    return list(most.elements())


def measure(kills: int, chance: random.Random) -> list[dict[str, Any]]:
    """A home with a table in each mode, and a server that dies in it as often as wanted."""
    taken: dict[str, set[str]] = {mode: set() for mode in MODES}
    told: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with serving(home) as server:
            tokens = {mode: gather(server, mode) for mode in MODES}
        for number in range(kills + 1):
            with serving(home) as server:
                tell_by_hand(server, set())
                told = {mode: settled(server, mode, tokens[mode]) for mode in MODES}
                if number == kills:
                    break
                with client(server) as owner:
                    owner.post("/campaigns/rounds/company/go-on")
                for mode in MODES:
                    taken[mode] |= set(hand_in(server, mode, tokens[mode], number).values())
                time.sleep(chance.random() * 0.2)
                os.kill(server.process.pid, signal.SIGKILL)
    rows: list[dict[str, Any]] = []
    for mode in MODES:
        lost = sorted(taken[mode] - set(told[mode]))
        doubled = len(told[mode]) - len(set(told[mode]))
        row = {"mode": mode, "kills": kills, "taken": len(taken[mode])}
        rows.append({**row, "lost": lost, "doubled": doubled})
    return rows


def main() -> None:
    """Every mode."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=19)
    wanted = parser.parse_args()
    rows = measure(wanted.kills, random.Random(wanted.seed))
    for row in rows:
        print(
            f"{row['mode']:9} {row['kills']} kills, {row['taken']:3} turns taken, "
            f"{len(row['lost'])} lost, {row['doubled']} doubled"
        )
    print(json.dumps(rows))
    sys.exit(1 if any(row["lost"] or row["doubled"] for row in rows) else 0)


if __name__ == "__main__":
    main()
