"""Books of other layouts: what their lists hold stands as data, whoever names what it is."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from freeform.ingest.config import IngestReport
from freeform.ingest.pack.validate import NO_RULEBOOK
from freeform.ingest.run.job import CATALOGUE_CORRECTIONS
from freeform.ingest.things.catalogue.find import FoundCatalogue
from freeform.ingest.things.catalogue.verdicts import (
    CatalogueCorrection,
    CatalogueVerdict,
    attested_verdicts,
    settle_catalogue,
    shown_in_batches,
)
from freeform.services.ingest import review
from freeform.services.ingest.review import Slice
from tests.ingest.reading import Reading
from tests.ingest.strangers import WRITERS as NEAR
from tests.ingest.strangers import Stranger, write_cookbook
from tests.ingest.strangers_abroad import write_percentile

WRITERS = {**NEAR, "percentile": write_percentile}
Read = tuple[Stranger, Reading, IngestReport]


@pytest.fixture(scope="module", params=sorted(WRITERS))
def read(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Read:
    """One of the books, ingested."""
    return ingest_of(request.param, tmp_path_factory.mktemp(request.param))


def ingest_of(name: str, folder: Path) -> Read:
    stranger = WRITERS[name](folder / "book.pdf")
    reading = Reading(stranger.pdf, folder / "out")
    return stranger, reading, reading.again(pack_id=name, name=name)


def entries_of(report: IngestReport) -> dict[str, dict[str, Any]]:
    """The frontmatter of every entry, by name."""
    found = {}
    for file in Path(report.path).rglob("*.md"):
        _, front, text = file.read_text(encoding="utf-8").split("---\n", 2)
        name = text.strip().splitlines()[0].removeprefix("# ")
        found[name.lower()] = yaml.safe_load(front)
    return found


def catalogues_of(reading: Reading, pack: str) -> list[FoundCatalogue]:
    path = reading.out / "work" / pack / "classify" / "catalogues.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [FoundCatalogue.model_validate(row) for row in rows]


def plain(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


def test_every_thing_has_an_entry_with_its_fields(read: Read) -> None:
    stranger, _, report = read
    entries = entries_of(report)
    missing = [thing["name"] for thing in stranger.things if thing["name"].lower() not in entries]
    assert missing == []
    wrong = []
    for thing in stranger.things:
        told = entries[thing["name"].lower()]["extra"]["fields"]
        told = {label.lower(): plain(value) for label, value in told.items()}
        for label, value in thing["fields"].items():
            if told.get(label.lower()) != plain(value):
                wrong.append((thing["name"], label, value, told.get(label.lower())))
    assert wrong == []


def test_a_kind_that_was_named_is_right_where_the_book_says_so(read: Read) -> None:
    stranger, _, report = read
    entries = entries_of(report)
    kinds = {thing["name"].lower(): thing["kind"] for thing in stranger.things}
    named = {name: str(entries[name].get("thing")) for name in kinds if name in entries}
    wrong = {name: kind for name, kind in named.items() if kind not in (kinds[name], "thing")}
    assert wrong == {}


@pytest.fixture(scope="module")
def zine(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """The zine, whose list of folk nothing names."""
    return ingest_of("zine", tmp_path_factory.mktemp("zine_again"))


def list_under(reading: Reading, title: str) -> FoundCatalogue:
    (found,) = [each for each in catalogues_of(reading, "zine") if each.under == title]
    return found


def shown(found: FoundCatalogue) -> Sequence[Any]:
    (batch,) = shown_in_batches([found], [])
    return batch


def test_a_model_names_a_list_with_a_quote_from_it(zine: Read) -> None:
    folk = list_under(zine[1], "Folk")
    assert folk.kind is None
    said = CatalogueVerdict(
        id=folk.id, kind="Person", quote="leave before the thaw", confidence=0.9
    )
    kept = attested_verdicts([said], shown(folk))
    named = settle_catalogue(folk, kept[folk.id], None)
    assert (named.kind, named.probability, named.said_by) == ("person", 0.9, "model")


@pytest.mark.parametrize(
    ("kind", "quote"),
    [("place", "a castle nobody wrote of"), ("place", ""), ("cocktail", "The Drowned Chapel")],
)
def test_what_the_book_does_not_bear_out_is_dropped(zine: Read, kind: str, quote: str) -> None:
    spots = list_under(zine[1], "Spots")
    said = CatalogueVerdict(id=spots.id, kind=kind, quote=quote)
    assert attested_verdicts([said], shown(spots)) == {}
    assert attested_verdicts([said.model_copy(update={"id": "another"})], shown(spots)) == {}


def test_a_person_names_a_list_and_a_column_and_only_what_follows_is_done_again(zine: Read) -> None:
    _, reading, _ = zine
    folk = list_under(reading, "Folk")
    said = CatalogueCorrection(catalogue=folk.id, kind="person", labels={"Wants": "Drive"})
    path = reading.out / "work" / "zine" / CATALOGUE_CORRECTIONS
    path.write_text(json.dumps({folk.id: said.model_dump(mode="json")}), encoding="utf-8")
    report = reading.again(pack_id="zine", name="zine")
    assert reading.done(report)[0] == "classify"
    captain = entries_of(report)["captain roe"]
    assert captain["thing"] == "person" and captain["extra"]["fields"]["Drive"] == "hold the weir"
    settled = list_under(reading, "Folk")
    assert (settled.probability, settled.said_by) == (1.0, "person")
    assert review.catalogues(path.parent, Slice()).put_right == [folk.id]
    taken = CatalogueCorrection(catalogue=folk.id, taken_back=True)
    review.correct_catalogues(path.parent, [taken])
    reading.again(pack_id="zine", name="zine")
    assert list_under(reading, "Folk") == folk, "as if nothing had been said"
    assert review.catalogues(path.parent, Slice()).put_right == []


def test_a_cookbook_is_told_to_be_no_rulebook_and_a_game_is_not(zine: Read, tmp_path: Path) -> None:
    cooking = Reading(write_cookbook(tmp_path / "book.pdf").pdf, tmp_path / "out")
    report = cooking.again(pack_id="kitchen", name="The River Kitchen")
    assert NO_RULEBOOK in report.validation.warnings
    assert report.system == "" and "leek tart" in entries_of(report)
    assert NO_RULEBOOK not in zine[2].validation.warnings


def test_a_second_word_about_a_list_stands_above_the_first_and_keeps_what_it_does_not_touch() -> (
    None
):
    first = CatalogueCorrection(catalogue="x", kind="person", labels={"Wants": "Drive", "Age": ""})
    then = CatalogueCorrection(catalogue="x", labels={"Drive": "Aim", "Home": "Seat"})
    assert then.after(first) == CatalogueCorrection(
        catalogue="x", kind="person", labels={"Wants": "Aim", "Age": "", "Home": "Seat"}
    )
    # Until the next run the screen shows the book's own labels.
    before = CatalogueCorrection(catalogue="x", labels={"Wants": "Goal", "Age": "Years"})
    assert before.after(first).labels == {"Wants": "Goal", "Age": "Years"}
    swapped = CatalogueCorrection(catalogue="x", labels={"Low": "High", "High": "Low"})
    lowest = CatalogueCorrection(catalogue="x", labels={"Low": "Least"})
    assert lowest.after(swapped).labels == {"Low": "High", "High": "Least"}
