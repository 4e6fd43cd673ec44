"""READ THIS FIRST. What goes into the forge and what comes out of it.

Wish (premise, genre, packs, card, seed) ──> forge.py ──> Forged (a Scenario, and its sources)
"""

import re
from typing import Any

from pydantic import Field

from freeform.core.record import Record
from freeform.engine.authored.scenario import Scenario
from freeform.packs.model import Entry

DEFAULT_LINES = ("sexual violence", "torture")
DEFAULT_VEILS = ("gore",)
_OF_EACH = 300
"""Letters of each entry of a pack that say something of its genre."""
_SHORT, _LONGEST = 4, 400
"""Words and letters of what a card says of where we are, at the least and at the most."""


class ForgeWish(Record):
    """What somebody wants to play. Anything may be left out; the seed decides the rest."""

    premise: str = ""
    genre: str = ""
    tone: str = ""
    packs: list[str] = Field(default_factory=list)
    """Ids of the packs, for the scenario to name; their entries are given beside the wish."""
    system: str = ""
    seed: int = 0
    lines: list[str] = Field(default_factory=lambda: list(DEFAULT_LINES))
    veils: list[str] = Field(default_factory=lambda: list(DEFAULT_VEILS))
    told: list[str] = Field(default_factory=list)
    """What earlier stories of the same home were made of: it is not told again while there is
    something else."""


class WishCard(Record):
    """A character card, cleaned: markup and macros are gone."""

    name: str
    description: str = ""
    personality: str = ""
    scenario: str = ""
    first_words: str = ""

    @property
    def told(self) -> str:
        """What it says of where we are: its scene, else its first two sentences, if they are any
        and no list of traits."""
        if self.scenario.strip():
            return self.scenario
        for text in (self.description, self.first_words):
            said = re.split(r"(?<=[.!?])\s+", text.strip())
            first = " ".join(said[:2])
            if len(said[0].split()) > _SHORT and not re.search(r"[=+:|\"]", first):
                return first[:_LONGEST]
        return ""


class ForgeMaterial(Record):
    """What lies beside the wish: entries of packs, a card."""

    entries: list[Entry] = Field(default_factory=list)
    genre: str = ""
    """The genre the packs name for themselves."""
    card: WishCard | None = None

    @property
    def words(self) -> str:
        """What the packs are about, in their own words: where nothing else says the genre."""
        told = [entry.sections[0].text[:_OF_EACH] for entry in self.entries if entry.sections]
        return " ".join([*(entry.name for entry in self.entries), *told])


class PieceSource(Record):
    """Where one piece of a forged scenario came from."""

    piece: str
    """As in `person aldous_wray`, `place the_landing`, `secret f_hands`."""
    source: str
    """As in `premise`, `pack saltmarch: npcs/obed_crake.md, Obed Crake`, `card description`,
    `shape return, truth stranger`, `genre coast`."""


class Forged(Record):
    """A scenario with its story."""

    scenario: Scenario
    shape: str
    truth: str
    genre: str
    sources: list[PieceSource]
    by_model: list[str] = Field(default_factory=list)
    """The stages a language model answered; the others were filled offline."""

    @property
    def told_sources(self) -> list[PieceSource]:
        """The same for who is about to play it: whatever the opening does not tell of is named by
        its kind alone, and of what it is made stays with whoever leads the game."""
        named = {entity.id: entity.name for entity in self.scenario.entities}
        count: dict[str, int] = {}
        told = list[PieceSource]()
        for row in self.sources:
            kind, _, id = row.piece.partition(" ")
            is_told = id in named and named[id] in self.scenario.opening
            if row.piece == "made of":
                continue
            if not id or row.piece == "story of" or is_told:
                told.append(row.model_copy(update={"source": row.source.split(", truth ")[0]}))
                continue
            count[kind] = count.get(kind, 0) + 1
            own = row.source.split(":")[0].split(",")[0]
            told.append(PieceSource(piece=f"{kind} {count[kind]}", source=own))
        return told

    def summary(self) -> dict[str, Any]:
        """What a door shows of it."""
        made = self.scenario
        hidden = [fact for fact in made.facts if fact.visibility == "hidden"]
        named = {entity.id: entity.name for entity in made.entities}
        return {
            "scenario": made.id,
            "name": made.name,
            "genre": made.genre,
            "shape": self.shape,
            "question": made.threads[0].title,
            "places": [named[id] for id in made.places],
            "people": [named[id] for id in made.people],
            "secrets": [str(fact.object["text"]) for fact in hidden],
            "endings": [ending.title for ending in made.endings],
            "sources": [row.model_dump() for row in self.sources],
            "by_model": self.by_model,
        }
