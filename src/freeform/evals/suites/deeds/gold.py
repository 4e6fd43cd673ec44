"""Improvised deeds as they were written: what is typed, what it is about, what should become so."""

from pathlib import Path

from pydantic import Field

from freeform.core.record import Record
from freeform.core.yamlfile import read_record


class GoldDeed(Record):
    """A deed nobody authored. `becomes`: any one of these makes its effect fit (see `judge.py`)."""

    id: str
    scenario: str
    say: str
    deed: str = ""
    about: list[str] = Field(default_factory=list)
    becomes: list[str] = Field(default_factory=list)
    impossible: bool = False
    """Hard facts forbid it: a refusal is right."""


class GoldDeeds(Record):
    """A set of them."""

    deeds: list[GoldDeed]


def read_deeds(path: Path) -> list[GoldDeed]:
    """The deeds of a file."""
    return read_record(path, GoldDeeds).deeds
