"""A small book read by a large model by hand, every answer as it was written; and the same model lying, failing and short of tokens."""

import asyncio
import copy
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from freeform.core.clock import HandClock
from freeform.core.errors import BadReply
from freeform.core.llm.gateway import Listen, ModelSaid, Out, Question, Usage
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.core.llm.tape import MemoryTapes
from freeform.ingest.config import IngestReport, StageRow
from freeform.ingest.run.ingest import ingest
from freeform.ingest.things.sections_read import TOKENS, shown_whole, tokens_of
from freeform.offline.model import OfflineModel
from freeform.settings import Settings
from freeform.wiring import ingest as wired
from tests.ingest.reading import Reading
from tests.ingest.strangers import Stranger, write_hexes
from tests.ingest.test_strangers import entries_of
from tests.ingest.test_words_read import segment

WRITTEN: dict[str, Any] = json.loads(
    (Path(__file__).parent / "book_by_hand.json").read_text(encoding="utf-8")
)
READ = "ingest/read_sections"


class Hand:
    """Gives the answer that was written for a pass, and fails where there is none."""

    name = "by hand"

    def __init__(self, written: dict[str, Any]) -> None:
        self.written = written
        self.asked: dict[str, list[str]] = defaultdict(list)

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        id = question.pass_.id
        self.asked[id].append(question.text)
        if id not in self.written:
            raise BadReply("the model is gone")
        return ModelSaid(question.pass_.gives.model_validate(self.written[id]), Usage(calls=1))


def read_by(hand: Hand, folder: Path, **limits: int) -> tuple[Stranger, IngestReport]:
    """The book of hexes as that model reads it."""
    stranger = write_hexes(folder / "hexes.pdf")
    reading = Reading(stranger.pdf, folder / "out")

    async def work() -> IngestReport:
        crew = await wired.crew(Settings(home=folder / "home", model="offline", **limits))
        crew.gateway = LiveGateway(
            ModelsByRole(hand, OfflineModel()),
            prompts=bundled(),
            tapes=MemoryTapes(),
            clock=HandClock(),
        )
        config = reading.config(pack_id="hexes", name="Hexes", model="hand")
        return await ingest(config, crew, reading.news.append)

    return stranger, asyncio.run(work())


def stage(report: IngestReport, name: str) -> StageRow:
    return next(row for row in report.stages if row.name == name)


def test_the_book_comes_out_whole_with_fields_no_counting_finds_and_its_own_dice(
    tmp_path: Path,
) -> None:
    hand = Hand(WRITTEN)
    stranger, report = read_by(hand, tmp_path)
    entries = entries_of(report)
    kinds = {thing["name"]: entries[thing["name"].lower()]["thing"] for thing in stranger.things}
    assert {kinds[name] for name in ("Cinder Ford", "Ashgate")} == {"place"}
    assert {kinds[name] for name in ("Kiln Soldier", "Ember Fox")} == {"creature"}
    soldier = entries["kiln soldier"]["extra"]["fields"]
    assert soldier == {"HD": 3, "Attack": "clay fist (d6)", "Speed": 4, "Morale": 9}
    assert entries["clay tongue"]["related_locations"] == ["old_kiln"]
    system = yaml.safe_load((Path(report.path) / "systems" / "hexes.yaml").read_text("utf-8"))
    bands = [(band["outcome"], band["at_least"]) for band in system["resolution"]["bands"]]
    assert (system["resolution"]["dice_count"], system["resolution"]["die_type"]) == (2, 8)
    assert bands[-2:] == [("mixed", 9), ("success", 13)]
    relations = json.loads(
        (Path(report.work) / "enrich" / "entity_registry.json").read_text("utf-8")
    )
    tongue = next(row for row in relations["entities"] if row["name"] == "Clay Tongue")
    assert tongue["relationships"][0]["quote"] == "Found - Old Kiln"
    assert stage(report, "classify").counts["read"] == 5
    asked = set(hand.asked)
    assert not asked & {"ingest/classify", "ingest/enrich_entities", "ingest/enrich_segment"}
    assert "ingest/systems_clocks" not in asked, "what has no passages is not asked"


def test_what_the_book_does_not_say_is_dropped_and_counted(tmp_path: Path) -> None:
    lying = copy.deepcopy(WRITTEN)
    beasts = lying[READ]["sections"][2]["things"]
    beasts[0]["quote"] = "a soldier of burnt clay"
    beasts.append(
        {"name": "Szarvoth", "kind": "deity", "quote": "It comes when the fires burn low"}
    )
    beasts[1]["fields"].append({"label": "Treasure", "value": "nine gold teeth"})
    lying[READ]["sections"].append({**WRITTEN[READ]["sections"][0], "id": "seg_9999"})
    _, report = read_by(Hand(lying), tmp_path)
    entries = entries_of(report)
    assert "szarvoth" not in entries and "kiln soldier" in entries, "counting still has it"
    assert "Attack" not in entries["kiln soldier"]["extra"]["fields"]
    assert "Treasure" not in entries["toll pike"]["extra"]["fields"]
    assert any("2 statements of the model" in told for told in stage(report, "classify").warnings)


def test_a_model_that_fails_for_good_leaves_the_pack_that_counting_makes(tmp_path: Path) -> None:
    _, report = read_by(Hand({}), tmp_path)
    assert stage(report, "classify").counts["read"] == 0
    assert "kiln soldier" in entries_of(report) and report.validation.ok
    assert report.notes and "the model is gone" in " ".join(report.notes)


def test_beyond_what_a_reading_may_take_nothing_is_shown_and_it_is_said(tmp_path: Path) -> None:
    hand = Hand(WRITTEN)
    _, report = read_by(hand, tmp_path, ingest_tokens=100)
    assert READ not in hand.asked
    (told,) = [line for line in stage(report, "classify").warnings if "ingest_tokens" in line]
    assert told.startswith("5 sections were not shown")


@pytest.mark.parametrize("lengths", [(10, 20, 30), (TOKENS * 12, 5, 5), (3000,) * 40, ()])
def test_every_section_is_shown_once_and_whole(lengths: tuple[int, ...]) -> None:
    book = [
        segment("x" * length).model_copy(update={"id": f"s{number}"})
        for number, length in enumerate(lengths)
    ]
    batches = list(shown_whole(book))
    shown = [(row.id, row.text) for batch in batches for row in batch]
    assert shown == [(each.id, each.text) for each in book]
    assert all(len(batch) == 1 or tokens_of(batch) < 2 * TOKENS for batch in batches)
