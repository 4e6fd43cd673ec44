"""The sheet as a source of the assistant: its names, its pieces, its numbers with their parts."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from freeform.assistant.model import CHARACTER_SECTIONS, Name, Number, Piece, Tool, Wanted
from freeform.assistant.overlap import mentioned, shared, words_in
from freeform.assistant.sheet.model import Sheet
from freeform.assistant.sheet.numbers.tables import (
    ABILITY_NAMES,
    SKILL_USES,
    SKILLS,
    skill_name,
)
from freeform.assistant.sheet.pieces import pieces_of
from freeform.assistant.sheet.written.lines import written_lines
from freeform.core.record import canonical
from freeform.core.text import plain_form

_STATS = {
    "Armor Class": ("AC", "armour class", "armor"),
    "Hit Points": ("HP", "health", "hit point maximum"),
    "Hit Dice": ("hit die",),
    "Initiative": ("initiative bonus", "initiative modifier"),
    "Speed": ("movement", "walking speed"),
    "Proficiency bonus": ("proficiency",),
    "Spell slots": ("slots", "pact slots", "pact magic"),
    "Carrying capacity": ("encumbrance", "carry"),
    "Money": ("gold", "coins", "currency", "gp"),
    "Senses": ("passive perception", "darkvision"),
    "Attunement": ("attuned",),
    "Level": ("experience", "XP"),
}
_HEADLINES: dict[str, tuple[str, ...]] = {
    "ability_scores": ("mod:", "stat:"),
    "combat_stats": ("armor_class", "hit_points", "initiative", "speed:"),
    "action_economy": ("attack:",),
    "proficiencies": ("proficiency_bonus",),
    "inventory": ("carrying_capacity",),
    "spell_list": ("spell_dc:", "spell_attack:", "slots:", "pact_slots"),
}
"""The numbers a section is asked for when no name in it is."""
MOST_NUMBERS = 10
_NO_NAMES = frozenset({"Proficiencies", "Languages", "Skills", "Ability Score Increase", "Ability Score Increases",
                       "Ability Score Improvement", "Hit Points", "Size", "Speed", "Creature Type"})  # fmt: skip
"""Headings of builders, which would catch every question about skills or languages."""


class SheetSource:
    """One sheet. Nothing on it is for the GM alone."""

    tool: Tool = "character_data"

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    @property
    def label(self) -> str:
        return f"{self.sheet.name} (sheet)"

    @cached_property
    def version(self) -> str:
        return hashlib.sha256(canonical(self.sheet).encode()).hexdigest()[:32]

    @property
    def sections(self) -> Sequence[str]:
        return CHARACTER_SECTIONS

    @cached_property
    def pieces(self) -> list[Piece]:
        """All of it, once."""
        return pieces_of(self.sheet)

    @cached_property
    def lines(self) -> list[Piece]:
        """A written sheet line by line."""
        return written_lines(self.sheet)

    @cached_property
    def _by_id(self) -> dict[str, Piece]:
        return {piece.id: piece for piece in self.pieces}

    @cached_property
    def _words(self) -> dict[str, frozenset[str]]:
        return {p.id: frozenset(words_in(f"{p.title} {p.text}")) for p in self.pieces}

    async def names(self) -> Sequence[Name]:
        """Titles of pieces with their other names, and names that the story's prose mentions."""
        found: dict[tuple[str, str], Name] = {}
        for piece in self.pieces:
            if piece.kind == "feature" and piece.title in _NO_NAMES:
                continue
            key = (piece.title, piece.section)
            if key in found:
                known = found[key]
                found[key] = known.model_copy(update={"pieces": [*known.pieces, piece.id]})
                continue
            found[key] = Name(
                name=piece.title,
                aliases=self._aliases(piece),
                tool=self.tool,
                section=piece.section,
                pieces=[piece.id],
                kind=piece.kind,
            )
        for name in self._mentions(found):
            found.setdefault((name.name, name.section), name)
        return list(found.values())

    def _aliases(self, piece: Piece) -> list[str]:
        title = piece.title
        if piece.kind == "skill":
            skill = next(s for s in SKILLS if skill_name(s) == title)
            return [*SKILL_USES.get(skill, ()), f"{title} bonus", f"{title} check"]
        if piece.kind == "ability":
            short = next((a for a, name in ABILITY_NAMES.items() if name == title), "")
            return [short.upper(), f"{title} modifier", f"{title} score"] if short else []
        if piece.kind == "save":
            return [f"{title.split()[0]} save", f"{title.split()[0][:3].upper()} save"]
        if piece.kind == "attack":
            return [title.removesuffix(" (attack)")]
        if piece.section == "spell_list" and title.endswith(" spellcasting"):
            return ["spell save DC", "spell attack", "spell attack bonus", "spellcasting ability"]
        if piece.section == "identity":
            return [title.partition(" (")[0], title.split()[0]]
        plain = title.partition(",")[0] if piece.kind == "item" else title.partition(" (")[0]
        return [*_STATS.get(title, ()), *([plain] if plain != title and len(plain) > 3 else [])]

    def _mentions(self, known: dict[tuple[str, str], Name]) -> list[Name]:
        """People and places in prose: the sheet may be the only place that knows them."""
        titles = {plain_form(name) for name, _ in known}
        where: dict[tuple[str, str], list[str]] = {}
        for piece in self.pieces:
            if piece.section in ("backstory", "personality", "relations", "inventory", "progress"):
                prose = piece.text.partition(": ")[2] if piece.kind == "item" else piece.text
                for name in mentioned(prose.partition("\nGrants: ")[0]):
                    if plain_form(name) not in titles:
                        where.setdefault((name, piece.section), []).append(piece.id)
        return [
            Name(name=name, tool=self.tool, section=section, pieces=ids, kind="mention")
            for (name, section), ids in where.items()
        ]

    async def fetch(self, wanted: Wanted) -> list[Piece]:
        """Pieces about the names first, then those that mention them, then the sections', by the
        query's words."""
        query = Counter(words_in(wanted.query))
        named = [plain_form(name) for name in wanted.entities]
        sections = {
            section: rank for rank, section in enumerate(reversed(wanted.sections), start=1)
        }
        scored: list[tuple[float, int, Piece]] = []
        for at, piece in enumerate(self.pieces):
            fit = shared(query, self._words[piece.id])
            text = plain_form(f"{piece.title} {piece.text}")
            if piece.id in wanted.pieces:
                score = 3.0 + fit
            elif plain_form(piece.title) in named:
                score = 2.6 + fit
            elif any(name in text for name in named if len(name) > 2):
                score = 2.0 + fit
            elif piece.section in sections:
                score = 0.2 + fit + sections[piece.section] / 100
            elif fit > 0.34:
                score = fit / 2
            else:
                continue
            scored.append((score, -at, piece))
        scored.sort(reverse=True, key=lambda row: row[:2])
        return [
            piece.model_copy(update={"score": round(score, 4)})
            for score, _, piece in scored[: wanted.limit]
        ]

    async def numbers(self, wanted: Wanted) -> list[Number]:
        """The numbers of the wanted names; else those the query's words name; else the sections'
        headlines."""
        query = set(words_in(wanted.query))
        named = [words_in(name) for name in wanted.entities]
        titles = [words_in(self._by_id[id].title) for id in wanted.pieces if id in self._by_id]
        keys = [
            key
            for key, number in self.sheet.derived.items()
            if any(_names(name, number) for name in [*named, *titles] if name)
            or (_label(number) and _label(number) <= query)
        ]
        keys = [
            k
            for k in keys
            if not k.startswith(("passive:", "score:")) or "passiv" in query or "scor" in query
        ]
        if not keys:
            heads = tuple(
                head for section in wanted.sections for head in _HEADLINES.get(section, ())
            )
            keys = [key for key in self.sheet.derived if heads and key.startswith(heads)]
        places = {piece.title: piece.id for piece in self.pieces}
        return [
            number.model_copy(update={"piece": self._piece_of(key, number, places)})
            for key in keys[:MOST_NUMBERS]
            if (number := self.sheet.derived[key])
        ]

    def _piece_of(self, key: str, number: Number, places: dict[str, str]) -> str:
        head, _, rest = key.partition(":")
        title = {
            "skill": skill_name(rest), "passive": skill_name(rest), "attack": f"{rest} (attack)",
            "damage": f"{rest} (attack)", "save": f"{ABILITY_NAMES.get(rest, '')} saving throw",
            "mod": ABILITY_NAMES.get(rest, ""), "score": ABILITY_NAMES.get(rest, ""), "slots": "Spell slots",
            "speed": "Speed", "spell_dc": f"{rest} spellcasting", "spell_attack": f"{rest} spellcasting",
            "prepared": f"{rest} spellcasting", "tool": rest, "hit_points": "Hit Points", "pact_slots": "Spell slots",
            "armor_class": "Armor Class", "initiative": "Initiative", "proficiency_bonus": "Proficiency bonus",
            "carrying_capacity": "Carrying capacity", "carried": "Carrying capacity", "hit_dice": "Hit Dice",
        }.get(head, number.label)  # fmt: skip
        return places.get(title, "")


def _label(number: Number) -> frozenset[str]:
    """The words that name a number, without those that every number has."""
    return frozenset(words_in(number.label)) - {"bonu", "modifier", "hit", "lb"}


def _names(name: list[str], number: Number) -> bool:
    label = set(words_in(number.label))
    return set(name) <= label or (_label(number) != frozenset() and _label(number) <= set(name))
