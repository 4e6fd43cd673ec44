"""One deed on its way to a ruling: the clause, what is in sight, and the sentences of its kind."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from freeform.core.chance import Chance
from freeform.language.forms import is_plural
from freeform.language.inflection import lemma
from freeform.language.meaning.outcome import OutcomeEar
from freeform.language.meaning.sense import RememberedSense, Sense
from freeform.offline.grammar import turned
from freeform.offline.own_words import OwnWords
from freeform.offline.rulings.clause import DeedClause, WordRun
from freeform.offline.rulings.subjects import Sight, Sighted

Effects = list[dict[str, Any]]
_PATIENCE = 5
_NEAREST, _ALIKE = 3, 0.15
"""How many of the things a name is held against count, and how near they must be together."""


@cache
def kinds() -> dict[str, dict[str, Any]]:
    """The kinds of deed, as `deeds.yaml` has them."""
    text = (files("freeform.offline.rulings") / "deeds.yaml").read_text(encoding="utf-8")
    read: dict[str, dict[str, Any]] = yaml.load(text, Loader=yaml.CBaseLoader)
    return read


@cache
def nouns(name: str) -> frozenset[str]:
    """Names of things that say what can be meant."""
    return frozenset(lemma(noun) for noun in kinds()["nouns"][name])


@cache
def verbs_of(kind: str) -> frozenset[str]:
    """The verbs that propose a kind, as they are compared; of two words, the second as it is."""
    found = set()
    for verb in kinds()[kind].get("verbs", ()):
        first, _, rest = verb.partition(" ")
        found.add(f"{lemma(first)} {rest}".strip())
    return frozenset(found)


class Deed:
    """A clause that may be a deed of some kind."""

    def __init__(
        self, clause: DeedClause, chance: Chance, reader: OutcomeEar | None = None
    ) -> None:
        """`reader` finds the verbs of what is told back."""
        self.clause, self.sight = clause, Sight(clause)
        self._chance = chance
        people = [who.name for who in self.sight.people()]
        self._reader = reader
        self._own_words = OwnWords(reader, people, clause.hearing.typed.text)

    def told_back(self, tried: bool = False) -> str:
        """The deed told back to the player; '' where its words are not surely one's own."""
        return self._own_words.told(self.clause.text, tried, begins=bool(self.clause.verb))

    def is_of(self, kind: str) -> bool:
        """Whether its verb proposes the kind."""
        verb, particle = self.clause.verb, self.clause.particle
        phrasal = f"{verb} {particle}"
        return phrasal in verbs_of(kind) or verb in verbs_of(kind)

    def verb_in(self, *verbs: str) -> bool:
        """Whether its verb is one of these."""
        return self.clause.verb in map(lemma, verbs)

    def says(self, span: WordRun, group: str) -> bool:
        """Whether a stretch has one of the nouns of a group, in any form."""
        return bool(nouns(group) & {lemma(word) for word in self.clause.plain_words(span)})

    def is_noun(self, word: str, group: str) -> bool:
        """Whether a word is one of the nouns of a group, in any form."""
        return lemma(word) in nouns(group)

    def is_cheap(self, name: str) -> bool:
        """Whether it is one of the small things that anyone buys for what they have about them, by
        what it means; never where nothing can tell."""
        if not isinstance(self._reader, Sense):
            return False
        near = _sense(self._reader).near
        small, large = (_nearest(near(f"a {name}", nouns_as_said(n))) for n in ("small", "large"))
        return small >= _ALIKE and small > large

    def with_what(self, tool: WordRun | None) -> str:
        """` with a stool`, where it is done with something."""
        return f" with {self._turned(tool)}" if tool and tool.first < tool.last else ""

    def _turned(self, span: WordRun) -> str:
        return turned(self.clause.words(span))

    def told(self, span: WordRun) -> str:
        """A stretch of the player's words, as the game master says them."""
        return self._turned(span)

    def fact(self, kind: str, **fields: str) -> str:
        """The sentence that the state keeps."""
        return _fill(str(kinds()[kind]["fact"]), fields)

    def simply(
        self, kind: str, effects: Effects, group: str = "so", **fields: str
    ) -> dict[str, Any]:
        """A ruling for a deed on which nothing hangs. `told` says it where it cannot be told
        back."""
        line = self._line(kind, group, fields)
        return {"reading": self.clause.text, "on": {"success": {"effects": effects, "line": line}}}

    def rolled(
        self, kind: str, effects: Effects, price: Effects, stakes: str, **fields: str
    ) -> dict[str, Any]:
        """A ruling for a deed that may go wrong, with the price that fits it."""
        line, failed = self._line(kind, "so", fields), self._line(kind, "failed", fields)
        longer = {
            "effects": [*effects, {"minutes": _PATIENCE}],
            "line": f"{line} It takes a while.",
        }
        return {
            "reading": self.clause.text,
            "needs_roll": True,
            "stat": kinds()[kind]["stat"],
            "difficulty": 1,
            "stakes": stakes,
            "on": {
                "success": {"effects": effects, "line": line},
                "mixed": longer,
                "failure": {"effects": price, "line": failed},
            },
        }

    def _line(self, kind: str, group: str, fields: Mapping[str, str]) -> str:
        """The deed told back, and what became so."""
        said = self._chance.at(kind, group).choose(kinds()[kind][group])
        told = self.told_back(tried=group == "failed") or fields.get("told", "")
        return f"{told} {_fill(said, fields)}".strip()


@cache
def _sense(reader: Sense) -> RememberedSense:
    return RememberedSense(reader)


@cache
def nouns_as_said(name: str) -> tuple[str, ...]:
    """Names of things that others are held against."""
    return tuple(f"a {noun}" for noun in kinds()["nouns"][name])


def _nearest(scores: Sequence[float]) -> float:
    return sum(sorted(scores)[-_NEAREST:]) / _NEAREST


def become(subject: Sighted, condition: str, text: str, turns: int = 0) -> Effects:
    """Effects: what is only scenery is lifted out of it, and is in a condition."""
    new: dict[str, Any] = {"subject": subject.id, "condition": condition, "text": text}
    if turns:
        new["turns"] = turns
    return [*subject.effects(), {"become": new}]


def listed(people: Sequence[Sighted]) -> str:
    """People as one reads them aloud."""
    names = [who.told for who in people]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _fill(line: str, fields: Mapping[str, str]) -> str:
    """A line with its fields; a capital field begins with a capital."""
    for name, value in fields.items():
        if is_plural(value) and name == "it":
            line = line.replace("{it} is ", "{it} are ").replace("{It} is ", "{It} are ")
        capital = f"{value[:1].upper()}{value[1:]}"
        line = line.replace(f"{{{name}}}", value).replace(f"{{{name.capitalize()}}}", capital)
    return line.replace("{with}", "")
