"""The tables of `beyond.yaml`: who is met where, how places look, what is said out there."""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from freeform.core.record import Record
from freeform.forge.data import plain_yaml


class BeyondLook(Record):
    """How a place can be."""

    text: str
    air: str
    detail: tuple[str, str]
    carts: bool = False
    """Whether it is of a time with carts and horses in it."""


class BeyondErrand(Record):
    """Something to be brought to somebody of the evening."""

    ask: str
    items: list[str]
    look: str
    title: str
    given: str
    suggest: str


class BeyondTables(Record):
    """All of it."""

    keepers: dict[str, str]
    stations: dict[str, list[str]]
    minutes: dict[str, int]
    looks: dict[str, list[BeyondLook]]
    again: list[str]
    hearsay: list[str]
    deflects: list[str]
    testimony: list[str]
    nothing_left: list[str]
    here: list[str]
    errand: BeyondErrand


@cache
def beyond_tables() -> BeyondTables:
    """The file, read once."""
    with as_file(files("freeform.forge.growth") / "beyond.yaml") as file:
        return BeyondTables.model_validate(plain_yaml(Path(file)))
