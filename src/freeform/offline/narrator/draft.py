"""One telling in the making: the pieces of prose so far, and what there is to draw on."""

from dataclasses import dataclass
from typing import Any

from freeform.core.chance import Chance
from freeform.core.text import plain_form
from freeform.engine.passes import NarratorInput
from freeform.engine.rules.known import inside
from freeform.language.meaning.outcome import OutcomeEar
from freeform.offline.grammar import TITLES
from freeform.offline.narrator.lines import RECENT, Lines, SaidBefore, clean, finished, key
from freeform.offline.own_words import OwnWords


@dataclass(frozen=True, slots=True)
class ProsePiece:
    """Some sentences that belong together. `breaks`: a new paragraph begins with it."""

    text: str
    breaks: bool = False


def _names_used(row: dict[str, Any]) -> frozenset[str]:
    """What else people call someone, in small letters."""
    aliases = (row.get("attrs") or {}).get("aliases") or []
    return frozenset(str(alias).lower() for alias in aliases)


class Draft:
    """Collects pieces in the order things happened."""

    def __init__(
        self, input: NarratorInput, chance: Chance, reader: OutcomeEar | None = None
    ) -> None:
        self.input = input
        rows = input.context_packet.entities
        people = [str(row.get("name")) for row in rows if row.get("type") == "npc"]
        self._reader, self._people = reader, people
        self.own_words = OwnWords(reader, people, input.player_input)
        self.lead = ""
        """What the next piece begins with: whose part it is, where several act."""
        self.chance = chance
        self.memory = SaidBefore(input.told_before)
        self.lines = Lines(input.prose, self.memory, chance.at("lines"))
        self.pieces: list[ProsePiece] = []
        self._said: set[str] = set()
        self.known = " ".join(input.told_before)
        self.last = ""
        self.speaker = ""
        self.mood = ""
        self.quieted: set[str] = set()
        self._aliases = {
            str(row.get("name")): _names_used(row) for row in input.context_packet.entities
        }

    def add(self, text: str, breaks: bool = False) -> None:
        """Says something, unless this turn has said it already."""
        text = finished(clean(text))
        if text and key(text) not in self._said:
            self._said.add(key(text))
            if self.lead:
                text, breaks, self.lead = f"{self.lead} {text}", True, ""
            self.pieces.append(ProsePiece(text, breaks))
            self.memory.note(text)

    def turn_to(self, lead: str, deed: str) -> None:
        """What comes now is of somebody else's deed."""
        self.lead = lead
        self.last = self.speaker = ""
        self.own_words = OwnWords(self._reader, self._people, deed)

    def line(self, group: str, id: str = "", breaks: bool = False, **fields: Any) -> None:
        """Says a line of a group."""
        self.add(self.lines.say(group, id, **fields), breaks)

    def authored(
        self, details: dict[str, Any], group: str, id: str = "", breaks: bool = False, **fields: Any
    ) -> None:
        """Says the scenario's own text; without one, or if it was just said, a line of the
        group."""
        text = self.text_of(details)
        if text and not self.told(text):
            self.add(text, breaks)
        else:
            self.line(group, id, breaks, **fields)

    def text_of(self, details: dict[str, Any]) -> str:
        """The event's own words, with any field of the event it names filled in."""
        text = details.get("text") or ""
        if isinstance(text, (list, tuple)):
            text = " ".join(str(part) for part in text)
        text = str(text)
        for name, value in details.items():
            if isinstance(value, (str, int)):
                text = text.replace("{" + name + "}", str(value))
        return clean(text)

    def told(self, text: str, within: int = RECENT) -> bool:
        """Whether all of it was said lately."""
        return self.memory.all_told(text, within)

    def names(self, name: str) -> bool:
        """Whether this turn has already spoken of someone or something."""
        return plain_form(name) in plain_form(self.so_far()) if name else True

    def called(self, name: str) -> str:
        """What to call someone: once the whole name is known, the part of it people use."""
        words = name.split()
        plain = len(words) == 2 and all(word[:1].isupper() and word.isalpha() for word in words)
        if plain and name in self.known:
            used = self._aliases.get(name, frozenset()) - TITLES
            return next((word for word in words if word.lower() in used), inside(name))
        return inside(name)

    def breaks_before_outcome(self) -> bool:
        """Whether an outcome opens a paragraph: not right after the words, tool or payment it
        belongs to."""
        return self.last not in ("item_used", "item_lost", "item_gained", "said", "searched")

    def so_far(self) -> str:
        """What this turn has said."""
        return " ".join(piece.text for piece in self.pieces)

    def covers(self, text: str) -> bool:
        """Whether this turn has said as much already, in other words: most of its longer words are
        there."""
        words = {word for word in key(text).split() if len(word) > 3}
        said = set(key(self.so_far()).split())
        return bool(words) and len(words & said) >= 0.6 * len(words)
