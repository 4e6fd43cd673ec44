"""A language model tells a forged story in stages, over the wire; whatever it says, the story holds."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from freeform.engine.authored.library import load_scenario
from freeform.services.house import opened_house
from freeform.services.scenario.check import check_scenario
from freeform.services.scenario.forging import (
    ForgedKept,
    ForgeOrder,
    forging_estimate,
    new_scenario,
)
from freeform.settings import Settings
from tests.adapters.models.wire import Wire

PREMISE = "I audit the moon for a clockwork duke who hides a singing ledger"
STAGES = ["premise", "question", "cast", "secrets", "clues", "clocks", "endings", "opening"]
SIGNS = {
    "mark it": "premise",
    "You write what it asks": "question",
    "give its people faces": "cast",
    "what is really so": "secrets",
    "the two ways to it": "clues",
    "what runs out": "clocks",
    "how it comes to rest": "endings",
    "You write the first words": "opening",
}


class StoryWire(Wire):
    """Answers each stage from what it is shown; `faults` say at which stage it does what."""

    def __init__(self, **faults: str) -> None:
        super().__init__("good", reply={})
        self._faults, self.stages = faults, list[str]()

    async def _answer(self, path: str, body: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        if "messages" in body:
            said = json.dumps(body["messages"])
            stage = next(stage for sign, stage in SIGNS.items() if sign in said)
            self.stages.append(stage)
            fault = self._faults.get(stage, "")
            if fault == "broken":
                self._moves = ["broken"]
            else:
                words = "\n".join(str(row["content"]) for row in body["messages"])
                self._reply = faulty(stage, fault, answer(stage, words))
                self._moves = ["good"]
        await super()._answer(path, body, writer)


def answer(stage: str, words: str) -> dict[str, Any]:
    """What a model that does as it is told answers."""
    if stage == "premise":
        nouns = [("moon", "place.world"), ("clockwork duke", "foe"), ("singing ledger", "stake")]
        marked = [{"words": text, "label": label} for text, label in nouns]
        return {"nouns": marked, "shape": "heist", "genre": "space"}
    story = json.loads(re.search(r'\{"(?:begins_at|clock|endings|genre)".*\}', words)[0])  # type: ignore[index]
    people = story["people"]
    match stage:
        case "question":
            return {
                "title": "The Singing Ledger",
                "question": f"What does the ledger of {people[0]['name']} sing of?",  # is renamed
                "stakes": "At the turn of the shift the ledger is melted down.",
                "themes": ["debt", "song"],
            }
        case "cast":
            first = people[0]
            face = {"id": first["id"], "name": "Orrery Vane", "look": "Brass to the wrists."}
            return {"people": [{**face, "want": "to be wound", "greeting": ['"Tick," says Vane.']}]}
        case "secrets":
            rows = [
                {"id": row["id"], "text": f"Number {at} of the account was forged by a choir."}
                for at, row in enumerate(story["secrets"])
            ]
            return {"clause": "the choir forged the account", "secrets": rows}
        case "clues":
            rows = [
                {
                    "id": row["id"],
                    "spot": f"the brass valve {at}",
                    "look": "It hums a figure that is in no book, over and over, a little flat.",
                    "topics": ["valve", "humming"],
                    "says": "I heard it hum, and I wrote down what it hummed.",
                    "deflects": "I hear nothing. I am paid to hear nothing.",
                }
                for at, row in enumerate(story["secrets"])
            ]
            return {"clues": rows}
        case "clocks":
            steps = ["A warm draught.", "The furnace is lit.", "It glows.", "It has run out."]
            return {"name": "The furnace", "steps": steps, "moves": ["A pipe knocks twice."]}
        case "endings":
            ends = story["endings"]
            told = "The moon keeps its books, and you keep the tune."
            rows = [{"id": id, "title": f"So {id}", "text": told} for id in ends]
            return {"endings": rows}
    here = [row["name"] for row in people if row["at"] == story["begins_at"]]
    return {"paragraphs": ["You audit the moon.", f"{here[0]} waits.", "A door stands open."]}


def faulty(stage: str, fault: str, said: dict[str, Any]) -> dict[str, Any]:
    if fault == "no ending":
        return {"endings": said["endings"][:1]}
    if fault == "lies":
        return {"secrets": [{"id": "f_of_its_own", "text": "The duke is the moon."}]}
    if fault == "tells":
        told = "Number 0 of the account was forged by a choir."
        return {"paragraphs": [*said["paragraphs"][:2], told]}
    if fault == "markup":
        return {"clues": [{**row, "look": "{{char}} sees it"} for row in said["clues"]]}
    return said


async def forged_over(wire: StoryWire, home: Path) -> tuple[ForgedKept, list[str], bool]:
    settings = Settings(home=home, model=f"url:{wire.url}/v1#tiny", retries=0)
    heard: list[str] = []
    async with opened_house(settings) as house:
        order = ForgeOrder(premise=PREMISE, seed=3)
        assert "8 questions" in forging_estimate(house, order)
        made = await new_scenario(
            house, order, progress=lambda note: heard.append(f"{note.stage} {note.by}")
        )
    return made, heard, (home / "forging").exists() and any((home / "forging").iterdir())


async def test_every_stage_is_told_by_the_model_and_the_evening_holds(tmp_path: Path) -> None:
    async with StoryWire() as wire:
        made, heard, kept = await forged_over(wire, tmp_path)
    assert wire.stages == STAGES == made.by_model
    assert heard == [f"{stage} model" for stage in STAGES] and not kept
    assert (made.name, made.shape) == ("The Singing Ledger", "heist")
    assert "Orrery Vane" in made.people
    assert made.question == "What does the ledger of Orrery Vane sing of?"
    async with opened_house(Settings(home=tmp_path, model="offline")) as house:
        report = await check_scenario(house, made.scenario)
    assert [str(one) for one in report.findings if one.severity == "error"] == []
    scenario = load_scenario(made.scenario, tmp_path)
    assert scenario.opening.startswith("You audit the moon.")
    assert all("forged by a choir" in secret for secret in made.secrets)
    assert {ending.title for ending in scenario.endings} >= {"So late"}
    assert any("told by the model" in row.source for row in made.sources)


@pytest.mark.parametrize(
    ("stage", "fault", "lost"),
    [
        ("endings", "no ending", {"endings"}),
        ("secrets", "lies", {"secrets", "clues"}),
        ("opening", "tells", {"opening"}),
        ("clues", "markup", {"secrets", "clues"}),
    ],
)
async def test_what_cannot_be_used_is_asked_once_more_and_then_the_filling_stands(
    tmp_path: Path, stage: str, fault: str, lost: set[str]
) -> None:
    async with StoryWire(**{stage: fault}) as wire:
        made, _, _ = await forged_over(wire, tmp_path)
    assert wire.stages.count(stage) == 2
    again = [body for body in wire.asked if "could not be used" in json.dumps(body)]
    assert len(again) == 1
    assert set(STAGES) - set(made.by_model) == lost
    assert len(load_scenario(made.scenario, tmp_path).endings) >= 3


async def test_a_model_that_falls_silent_is_not_waited_for_and_goes_on_where_it_stopped(
    tmp_path: Path,
) -> None:
    async with StoryWire(clocks="broken") as wire:
        made, heard, kept = await forged_over(wire, tmp_path)
        port = wire.url
        assert made.by_model == STAGES[:5] and kept
        assert heard[-2:] == ["endings offline", "opening offline"]
        wire._faults = {}
        wire.stages.clear()
        whole, _, kept = await forged_over(wire, tmp_path)
        assert wire.url == port
    assert wire.stages == STAGES[5:] and not kept
    assert whole.by_model == STAGES


async def test_a_premise_across_a_line_is_refused_before_the_model_is_asked(tmp_path: Path) -> None:
    async with StoryWire() as wire:
        settings = Settings(home=tmp_path, model=f"url:{wire.url}/v1#tiny", retries=0)
        async with opened_house(settings) as house:
            with pytest.raises(Exception, match="keeps torture out of play"):
                await new_scenario(house, ForgeOrder(premise="a story about torture", seed=1))
    assert wire.stages == []
