"""Is the passage a question is about in what a model is told? Of packs, and of turns long past.

    python benchmarks/recall.py [--misses]

Sixty questions about sections of the bundled packs, asked in the first scene of the scenario that uses
the pack; forty about something typed more than fifty turns before.
"""

import argparse
import asyncio
import re
import tempfile
from pathlib import Path

import yaml

from freeform.core.text import plain_form
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.shelf.recall import RecalledPiece
from freeform.engine.story.transcript import first_told
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.settings import Settings
from freeform.wiring import build

HERE = Path(__file__).parent
PACKED = {"neo_seattle": "dead_drop", "saltmarch": "drowned_bell"}


async def ask(table: Table, campaign: str, question: str) -> list[RecalledPiece]:
    """What would be looked up if that were typed next."""
    state = await table.store.get_state(campaign)
    state = state.at_turn(state.turn_no + 1)
    assert table.recall is not None
    return await table.recall.recall(campaign, question, state, first_told(state.turn_no))


def is_of(piece: RecalledPiece, entry: str, section: str) -> bool:
    """Whether a piece is of that section; small sections are chunked together."""
    slug = re.sub(r"\W+", "_", plain_form(section.removeprefix("GM: ")))
    return piece.source.startswith(f"{entry}:") and slug.strip("_") in piece.source.replace(
        "-", "_"
    )


async def of_packs(table: Table, misses: bool) -> None:
    """Questions about entries."""
    rows = yaml.safe_load((HERE / "recall_questions.yaml").read_text(encoding="utf-8"))
    for scenario in PACKED.values():
        await begin(load_scenario(scenario), scenario, 7, Answers(), table)
    found = entry_found = 0
    letters = 0
    for entry, section, question in rows:
        pieces = await ask(table, PACKED[entry.partition(":")[0]], question)
        letters += sum(len(piece.text) for piece in pieces)
        hit = any(is_of(piece, entry, section) for piece in pieces)
        found += hit
        entry_found += any(piece.source.startswith(f"{entry}:") for piece in pieces)
        if misses and not hit:
            print(f"  missed {entry} / {section}: {question}\n    {[p.source for p in pieces]}")
    print(
        f"packs: section told {found}/{len(rows)} = {found / len(rows):.3f}, "
        f"its entry {entry_found / len(rows):.3f}; {letters // len(rows)} letters a question"
    )


async def of_turns(table: Table, misses: bool) -> None:
    """Questions about what was typed long ago."""
    rows = yaml.safe_load((HERE / "recall_turns.yaml").read_text(encoding="utf-8"))
    await begin(load_scenario("dead_drop"), "long", 7, Answers(), table)
    at = {}
    for number, (typed, _) in enumerate(rows, start=1):
        await take_turn(Say(campaign="long", text=typed), table)
        at[typed] = number
    for number in range(52):
        await take_turn(Say(campaign="long", text=("I wait", "I look around")[number % 2]), table)
    found = 0
    for typed, question in rows:
        pieces = await ask(table, "long", question)
        hit = any(piece.source.split(":")[1] == f"turn_{at[typed]}" for piece in pieces)
        found += hit
        if misses and not hit:
            print(f"  missed turn {at[typed]} {typed} / {question} {[p.source for p in pieces]}")
    print(f"turns more than fifty back: told {found}/{len(rows)} = {found / len(rows):.3f}")


async def main() -> None:
    """Both."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--misses", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        table = await build(Settings(home=Path(home), model="offline"))
        await of_packs(table, chosen.misses)
        await of_turns(table, chosen.misses)


if __name__ == "__main__":
    asyncio.run(main())
