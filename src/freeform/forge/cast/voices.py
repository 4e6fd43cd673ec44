"""Voices: how people greet, wait, refuse and part; read once from `voices.yaml`."""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from freeform.core.record import Record
from freeform.forge.data import plain_yaml


class ForgeVoice(Record):
    """A manner of speaking. `{n}` is the short name, `{he}`, `{him}`, `{his}` the pronouns."""

    id: str
    disposition: str
    greeting: list[str]
    idle: list[str]
    shrugs: list[str]
    farewell: list[str]
    tags: list[str]
    heart: dict[str, list[str]]
    """What they say who are asked how they are, what became of them, what they want."""
    wants: list[str]
    """The last for whom the story gives words for it: they are `{Want}`."""


class VoiceShelf(Record):
    """All manners, looks, and what people say of one another."""

    voices: list[ForgeVoice]
    looks: list[str]
    views: dict[str, list[str]]
    matters: dict[str, list[str]]
    selves: list[str]
    known: list[str]
    """How somebody greets to whom the player belongs."""
    friendly: list[str]
    known_selves: list[str]
    feminine: str
    masculine: str


@cache
def voice_shelf() -> VoiceShelf:
    """The file."""
    with as_file(files("freeform.forge.cast") / "voices.yaml") as file:
        return VoiceShelf.model_validate(plain_yaml(Path(file)))
