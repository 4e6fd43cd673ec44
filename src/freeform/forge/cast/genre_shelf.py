"""The genres on the shelf: words, names, trades, places and heroes of each."""

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


@cache
def forge_genres() -> dict[str, ForgeGenre]:
    """Every genre by its id."""
    with as_file(files("freeform.forge.cast") / "genres") as folder:
        read = [
            ForgeGenre.model_validate(plain_yaml(file))
            for file in sorted(Path(folder).glob("*.yaml"))
        ]
    return {genre.id: genre for genre in read}
