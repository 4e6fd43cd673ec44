"""What a place has in it that a premise plays in: the rooms of a motel, the back row of a bus."""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from freeform.core.record import Record
from freeform.forge.cast.genre_shelf import ForgeGenre
from freeform.forge.data import plain_yaml
from freeform.forge.premise.kinds import word_tables
from freeform.forge.premise.middle import is_lost, middle_of
from freeform.forge.premise.nouns import PremiseNoun
from freeform.forge.premise.read import PremiseRead

_ANYWHERE = ("coach", "under")
"""What has its own insides in every genre; for a house or a ship the genre's own places do, where
they are not those of one town."""


class PlaceParts(Record):
    """The parts of a place, by what they are for, as a genre has its places; and who is there."""

    places: dict[str, list[tuple[str, str, str, str, str, str]]]
    trades: dict[str, list[str]]
    weather: list[str]


def parts_of(premise: PremiseRead, genre: ForgeGenre) -> PlaceParts | None:
    """The parts of the place that the premise plays in; None where the genre's own places fit."""
    for noun in premise.of("place"):
        kind = _kind(noun)
        if kind and (genre.of_one_town or kind in _ANYWHERE):
            return _shelf()[kind]
    middle = middle_of(premise)
    is_kept_here = middle is not None and middle.nature == "creature" and not is_lost(premise)
    return _shelf()["grounds"] if is_kept_here and not genre.has_no else None


def _kind(noun: PremiseNoun) -> str:
    if noun.sort == "vessel":
        return "coach" if noun.head.lower() in word_tables().coaches else "ship"
    if noun.sort == "building" and noun.head.lower() in word_tables().outposts:
        return "outpost"
    return noun.sort if noun.sort in ("building", "under") else ""


@cache
def _shelf() -> dict[str, PlaceParts]:
    with as_file(files("freeform.forge.cast") / "parts.yaml") as file:
        read = plain_yaml(Path(file))
    return {kind: PlaceParts.model_validate(row) for kind, row in read.items()}
