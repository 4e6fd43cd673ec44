"""What a place has in it that a premise plays in: the rooms of a motel, the back row of a bus."""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from freeform.core.record import Record
from freeform.forge.cast.genre_shelf import ForgeGenre
from freeform.forge.data import plain_yaml
from freeform.forge.premise.kinds import known_kind, word_tables
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
        is_aboard = kind == "ship" and not genre.has_no
        if kind and (genre.of_one_town or kind in _ANYWHERE or is_aboard):
            return _shelf()[kind]
    middle = middle_of(premise)
    is_there = middle is not None and middle.nature == "creature" and not is_lost(premise)
    is_indoors = any(noun.sort in ("building", "room", "vessel") for noun in premise.of("place"))
    return _shelf()["grounds"] if is_there and not is_indoors and not genre.has_no else None


def _kind(noun: PremiseNoun) -> str:
    head, known = noun.head.lower(), known_kind(noun.head)
    if head in word_tables().coaches:
        return "coach"
    if head in word_tables().cars:
        return ""
    if noun.sort == "vessel":
        is_other = known is not None and known != ("place", "vessel")
        return "" if is_other else "ship"
    if noun.sort == "building" and head in word_tables().outposts:
        return "outpost"
    return noun.sort if noun.sort in ("building", "under") else ""


@cache
def _shelf() -> dict[str, PlaceParts]:
    with as_file(files("freeform.forge.cast") / "parts.yaml") as file:
        read = plain_yaml(Path(file))
    return {kind: PlaceParts.model_validate(row) for kind, row in read.items()}
