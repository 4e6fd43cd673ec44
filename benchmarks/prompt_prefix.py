"""Tokens a turn, and how much of each question a provider may keep from the turn before.

    python benchmarks/prompt_prefix.py [--passes two|three] [--prose LETTERS] [--show TURN]

Plays the golden inputs of each scenario. Our own model answers, but every question is written out as
a language model would get it, and prose is made as long as such a model's (default 1,300 letters).
"""

import argparse
import asyncio
import json
from dataclasses import replace
from itertools import pairwise, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from freeform.core.llm.gateway import Listen, ModelSaid, Out, Question
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.core.text import count_tokens
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.shelf.recall import BookRecall
from freeform.engine.turn import Say, take_turn
from freeform.offline.model import OfflineModel
from freeform.settings import Settings
from freeform.wiring import ear, headless

GOLDEN = Path(__file__).parent.parent / "src/freeform/content/golden"
FILLER = (
    "Nobody says anything for the time it takes a tram to pass in round {n}, and then everyone does. "
    "A draught finds the gap under the door and moves the smoke about, {n} times, like a slow hand. "
)


class WrittenOut:
    """Our own model, asked as a language model is: it keeps each question's words."""

    name = "written out"

    def __init__(self, letters: int) -> None:
        self._inner, self._letters = OfflineModel(ear=ear()), letters
        self.asked: list[tuple[int, str, str, int]] = []

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        words = f"{question.prompt.system}\n{question.text}"
        schema = count_tokens(json.dumps(question.pass_.schema()))
        self.asked.append((question.call.turn_no, question.pass_.id, words, schema))
        said = await self._inner.reply(question, None)
        field = question.pass_.streams
        if not field:
            return said
        text, n = getattr(said.output, field), question.call.turn_no
        while len(text) < self._letters:
            text += " " + FILLER.format(n=n)
            n += 100
        return replace(said, output=said.output.model_copy(update={field: text}))


async def play(name: str, inputs: list[str], passes: Any, letters: int, home: Path) -> WrittenOut:
    """One evening."""
    model = WrittenOut(letters)
    table = headless(Settings(home=home))
    assert table.lore is not None
    offline = OfflineModel(ear=ear())
    gateway = LiveGateway(
        ModelsByRole(model, offline), prompts=bundled(), tapes=table.tapes, clock=table.clock
    )
    recall = BookRecall(table.lore.books, table.store)
    table = replace(table, gateway=gateway, passes=passes, recall=recall)
    await begin(load_scenario(name), "c", 7, Answers(), table)
    for text in inputs:
        await take_turn(Say(campaign="c", text=text), table)
    return model


def _same(before: str, words: str) -> int:
    """How many letters two texts begin with alike."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, words, strict=False))
    )


def report(name: str, model: WrittenOut) -> None:
    """A line for each pass, and the evening."""
    by_pass: dict[str, list[tuple[int, str, int]]] = {}
    for turn, id, words, schema in model.asked:
        by_pass.setdefault(id, []).append((turn, words, schema))
    turns = max(turn for turn, *_ in model.asked)
    whole = kept = 0
    for id, rows in by_pass.items():
        shares = []
        for (_, before, _), (turn, words, _) in pairwise(rows):
            if turn >= 3:
                tokens = count_tokens(words)
                same = count_tokens(words[: _same(before, words)])
                shares.append(same / tokens)
                whole, kept = whole + tokens, kept + same
        mean = sum(count_tokens(words) for _, words, _ in rows) // len(rows)
        most = max(count_tokens(words) for _, words, _ in rows)
        print(
            f"{name:14} {id:20} calls {len(rows):3} tokens mean {mean:6} most {most:6} "
            f"schema {rows[0][2]:5} same beginning {sum(shares) / len(shares):.2f}"
        )
    total = sum(count_tokens(words) for _, _, words, _ in model.asked)
    print(f"{name:14} a turn {total // turns} tokens, same beginning {kept / whole:.3f} of them")


def main() -> None:
    """Plays and reports."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--passes", default="two", choices=("two", "three"))
    parser.add_argument("--prose", type=int, default=1300)
    parser.add_argument("--turns", type=int, default=16)
    parser.add_argument("--show", type=int, default=0)
    chosen = parser.parse_args()
    for path in sorted(GOLDEN.glob("*.json")):
        golden = json.loads(path.read_text(encoding="utf-8"))
        inputs = [turn["input"] for turn in golden["turns"]][: chosen.turns]
        with TemporaryDirectory() as home:
            evening = play(golden["scenario"], inputs, chosen.passes, chosen.prose, Path(home))
            model = asyncio.run(evening)
        report(path.stem, model)
        for turn, id, words, _ in model.asked:
            if turn == chosen.show:
                print(f"\n===== {id}\n{words}")


if __name__ == "__main__":
    main()
