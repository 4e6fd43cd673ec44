"""The genres on the shelf: words, names, trades, places and heroes of each."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from pydantic import Field

from freeform.core.record import Record
from freeform.forge.data import plain_yaml


class GenreHero(Record):
    """Somebody a player can be."""

    concept: str
    best: list[str]
    """The two stats, by their general names, that they are good at."""
    item: tuple[str, str]


class ForgeGenre(Record):
    """What a kind of story looks and sounds like."""

    id: str
    name: str
    about: str
    signs: list[str]
    years: list[tuple[int, int]] = Field(default_factory=list)
    """From when to when it is at home: a year in a premise speaks for it."""
    tone: str
    light: bool = False
    """Whether truths that are dark stay out of it."""
    words: dict[str, str]
    weather: list[str]
    given_f: list[str]
    given_m: list[str]
    family: list[str]
    family_first: bool = False
    trades: dict[str, list[str]]
    places: dict[str, list[tuple[str, str, str, str, str, str]]]
    """By what the place is for: its name, what else it is called, its text, a line for quiet
    moments, and something to look at with what one sees."""
    heroes: list[GenreHero] = Field(min_length=3)
    pockets: list[tuple[str, str]] = Field(min_length=4)
    """What anybody there has about them: its name and what one sees."""
    reaches: str = ""
    """Which of these reaches people who are elsewhere: nobody goes without it."""
    everyday: bool = False
    """Whether it fits a premise that says nothing about when and where."""
    of_one_town: bool = False
    """Whether its places and people are those of one town, which a place of the premise is not."""
    horseless: bool = False
    """Whether no cart or horse is to be seen in it any more."""
    has_no: list[str] = Field(default_factory=list)
    """Sorts of places that lie nowhere about: no road leads away from a space station."""
    instead: dict[str, tuple[str, str, str, str, str, str]] = Field(default_factory=dict)
    """What there is in place of a sort of place it has not, as in `places`."""

    def is_of(self, year: int) -> bool:
        """Whether it is at home in that year."""
        return any(first <= year <= last for first, last in self.years)

    @property
    def span(self) -> int:
        """How many years it is at home in."""
        return sum(last - first for first, last in self.years)


def genres_of_year(text: str, found: Mapping[str, float]) -> list[str]:
    """For whom a year in the text speaks: genres of that time whose words are said too; where
    there are none, the one that is at home longest."""
    years = _years(text)
    of_then = [genre for genre in forge_genres().values() if any(map(genre.is_of, years))]
    also_said = [genre.id for genre in of_then if found[genre.id] >= 1]
    return also_said or [genre.id for genre in sorted(of_then, key=lambda g: g.span)[-1:]]


def genres_of_other_years(text: str) -> list[str]:
    """The genres of a time of their own, where the text names years and none of them lies in it."""
    years = _years(text)
    genres = [genre for genre in forge_genres().values() if genre.years]
    return [genre.id for genre in genres if years and not any(map(genre.is_of, years))]


def _years(text: str) -> list[int]:
    """Numbers that stand where a year does: behind `in` and the like, or at the end of a clause.
    `3000 dollars`, `room 2024 of` and `5000 orcs` are none."""
    return [int(year) for pair in _YEAR.findall(text) for year in pair if year]


_YEAR = re.compile(
    r"\b(?:in|of|since|until|from|by|early|late|circa|year|the)\s+(1\d{3}|2[01]\d{2})s?\b"
    r"|\b(1\d{3}|2[01]\d{2})s?(?=\s*(?:[.,:;!?)]|$))",
    re.I,
)


@cache
def forge_genres() -> dict[str, ForgeGenre]:
    """Every genre by its id."""
    with as_file(files("freeform.forge.cast") / "genres") as folder:
        read = [
            ForgeGenre.model_validate(plain_yaml(file))
            for file in sorted(Path(folder).glob("*.yaml"))
        ]
    return {genre.id: genre for genre in read}
