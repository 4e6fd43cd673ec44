"""A question read where it was asked: what kind it is, whom it names, which of its words count."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from math import fsum
from typing import NamedTuple

from freeform.engine.knowledge.viewpoint import Viewpoint
from freeform.engine.world.names import mentioned, overlap
from freeform.engine.world.state import PLAYER
from freeform.language.inflection import lemma
from freeform.language.likeness import SLOT, Kindred, examples, in_full
from freeform.language.meaning.sense import RememberedSense
from freeform.language.relevance import telling
from freeform.language.tables import cues
from freeform.language.words import word_class, words

_NAMED = ("npc", "location", "item", "object", "faction")
_QUESTIONS = re.compile(r"[^?!]*[^?!\s][^?!]*")
_AND_ASKS = re.compile(
    r"[,;]\s+and\s+(?:\w+ly\s+)?(?=(?:how|what|which|who|whose|where|when|why)\b)", re.I
)
"""Where a second thing is asked in one sentence."""
_PART, _OTHER, _AROUND = "situation", "other", " ()[]{}"
_SURE, _KIND, _LIKELY = 0.65, 0.3, 0.15
"""How likely a question must be about how things stand, whichever way, and of its kind; and a
remark of some other kind: of sayings held back, the kind was right in .87 and in .67."""
SITUATIONS = frozenset(
    "people ways things carried hour until wounds self place task learnt own_deeds news".split()
)
"""What is asked about how things stand, with nothing named."""
_LESS = 0.2
"""What the word after `how` counts: an answer seldom repeats it."""


class Subject(NamedTuple):
    """What a question speaks of: all that the same words of it may mean."""

    ids: frozenset[str]
    words: frozenset[str]


@dataclass(frozen=True)
class PlayerQuestion:
    """What was asked, from where."""

    text: str
    view: Viewpoint
    pointed: str = ""
    """Whom or what the listener took it to be about."""
    of: str = ""
    """The kind that it is taken for, whatever it is most like."""

    @cached_property
    def kind(self) -> Kindred:
        """What it is most like."""
        if self.of:
            return Kindred(self.of, 1.0, telling(self.asked))
        someone = word_class("of_a_person")
        said = (SLOT if word in someone else word for word in self.asked.split())
        return examples("questions").best(" ".join(said))

    def by_meaning(self) -> "PlayerQuestion | None":
        """The same as a question about how things stand, if it plainly is one and names nothing."""
        if self.of or self.targets:
            return None
        kind = meant_kind(self.text, self.view.rules.sense)
        return replace(self, of=kind) if kind in SITUATIONS else None

    @cached_property
    def plain(self) -> list[str]:
        """Its words, short forms in full, without what one says before a question."""
        whole = words(in_full(self.text))
        fillers = _listed("fillers")
        while len(whole) > 1 and whole[0] in fillers:
            whole.pop(0)
        return whole

    @cached_property
    def asked(self) -> str:
        """The question without what it leaves out: `besides the bell`."""
        return self._parts[0]

    @cached_property
    def left_out(self) -> frozenset[str]:
        """The words of what it leaves out."""
        return telling(self._parts[1])

    @cached_property
    def _parts(self) -> tuple[str, str]:
        said = " ".join(self.plain)
        for aside in cues("questions")["aside"]:
            before, found, after = said.partition(f" {aside} ")
            if found:
                return before, after
        return said, ""

    @cached_property
    def wants(self) -> str:
        """The sort of answer it wants: a number, a reason, a place; '' where any will do."""
        said = f" {self.asked} "
        for phrase, sort in _beginnings():
            if said.startswith(f" {phrase} "):
                return sort
        return ""

    @cached_property
    def targets(self) -> list[str]:
        """What it names or points at that the character can see or name, details too."""
        view = self.view
        named = [id for id in mentioned(self.asked, view.state, _NAMED) if view.knows(id)]
        named += self._ways() + self._details()
        named = named or self._places()
        pointed = [self.pointed] if not named and self._is_known(self.pointed) else []
        return list(dict.fromkeys([*pointed, *named])) or self._meant_by_pronoun()

    @cached_property
    def subjects(self) -> list[Subject]:
        """The targets, those together that the same words name."""
        subjects: list[Subject] = []
        for id in self.targets:
            said = telling(self.view.names(id)) & telling(self.asked)
            alike = [s for s in subjects if s.words & said or (not said and not s.words)]
            for other in alike:
                subjects.remove(other)
            ids = frozenset({id}).union(*(other.ids for other in alike))
            subjects.append(Subject(ids, said.union(*(other.words for other in alike))))
        return subjects

    @cached_property
    def wanted(self) -> dict[str, float]:
        """The words an answer should have, each with how much it counts."""
        wanted = dict.fromkeys(sorted(telling(self.asked) - self._framing()), 1.0)
        for one, two in pairwise(self.plain):
            if lemma(two) in wanted and (one == "how" or self._is_sensing(one, two)):
                wanted[lemma(two)] = _LESS
        for word in map(lemma, _listed("naming")):
            if len(wanted) > 1 and word in wanted:
                wanted[word] = _LESS
        for subject in self.subjects:
            if not subject.words:
                called = (telling(self.view.called(id)) for id in subject.ids)
                wanted |= dict.fromkeys(sorted(frozenset().union(*called)), 1.0)
        return wanted

    @property
    def is_of_own_state(self) -> bool:
        """Whether it asks how the asker is: `am I wet`."""
        return self.asked.startswith(("am i ", "are we "))

    @property
    def is_of_hearing(self) -> bool:
        """Whether it asks what there is to be heard."""
        return any(self._is_sensing(*pair) and pair[1] == "hear" for pair in pairwise(self.plain))

    def _is_sensing(self, one: str, two: str) -> bool:
        """`I hear`, `we smell`: how the asker would know, not what is asked."""
        return one in _listed("asker") and two in _listed("senses")

    @cached_property
    def counted(self) -> frozenset[str]:
        """The words that count in full."""
        return frozenset(word for word, worth in self.wanted.items() if worth == 1.0)

    @cached_property
    def beyond(self) -> frozenset[str]:
        """Those that count and are no one's name."""
        names = " ".join(self.view.names(id) for id in self.targets)
        return self.counted - telling(names)

    @cached_property
    def rest(self) -> frozenset[str]:
        """And are not what such questions always say."""
        return self.beyond - self.kind.words

    @cached_property
    def head(self) -> str:
        """The first word that counts: what it is about more than all else."""
        said = self.plain[2:] if self.wants == "person" else self.plain  # past `who took`
        return next((word for word in map(lemma, said) if self.wanted.get(word) == 1.0), "")

    @property
    def is_of_self(self) -> bool:
        """Whether it asks about the one who asks."""
        return not frozenset(_listed("asker")).isdisjoint(self.plain)

    def _framing(self) -> frozenset[str]:
        """Words that only frame a question; what others see or know is no frame."""
        seeing = frozenset(map(lemma, _listed("seeing")))
        mine = {lemma(two) for one, two in pairwise(self.plain) if one in _listed("asker")}
        return frozenset(map(lemma, _listed("framing"))) | (seeing & mine)

    def _is_known(self, id: str) -> bool:
        return id != PLAYER and id in self.view.state.entities and self.view.knows(id)

    def _places(self) -> list[str]:
        """The one known place that goes by a word of it, where a place is asked for."""
        if self.kind.kind != "where":
            return []
        said = telling(self.asked)
        fitting = [
            entity.id
            for entity in self.view.state.entities.values()
            if entity.type == "location"
            and self.view.knows(entity.id)
            and not telling(self.view.names(entity.id)).isdisjoint(said)
        ]
        return fitting if len(fitting) == 1 else []

    def _ways(self) -> list[str]:
        """Where the ways lead that it names; who asks what a thing is means no way there."""
        describing = self.kind.kind in ("identity", "known", "where")
        return [
            way.to
            for way in self.view.ways
            if overlap(self.asked, [way.name] if describing else [way.name, *way.aliases])
        ]

    def _details(self) -> list[str]:
        """The detail of the place that it names: in full, or by two of its names."""
        named = []
        for id, detail in self.view.details.items():
            in_full = overlap(self.asked, [detail.name])
            said = in_full + overlap(self.asked, detail.aliases)
            if in_full or said > 1:
                named.append((said, id))
        return [max(named)[1]] if named else []

    def _meant_by_pronoun(self) -> list[str]:
        """Whom `he` may be: the only one here of whom it can be said, or the last that was told of;
        `they` may be a detail that goes by that word."""
        said = frozenset(self.plain)
        group = next((g for g in ("he", "she", "they") if said & frozenset(_listed(g))), "")
        if not group:
            return []
        fitting = [who for who in self.view.people if self._fits(who, group)]
        if group == "they":
            many = [
                id
                for id, detail in self.view.details.items()
                if not frozenset(detail.aliases).isdisjoint(_listed("they"))
            ]
            return many[:1] or fitting[:1] * (len(self.view.people) == 1)
        return fitting if len(fitting) == 1 else self._told_last(fitting)

    def _fits(self, who: str, group: str) -> bool:
        pronouns = str(self.view.state.entities[who].attrs.get("pronouns") or "")
        return not pronouns or pronouns.startswith(group)

    def _told_last(self, people: Sequence[str]) -> list[str]:
        focus = [turn.focus for turn in self.view.background.told[-1:]]
        return [who for who in people if focus and who in focus[0]][:1]


def asked_in(text: str) -> list[str]:
    """The things that are asked in one breath."""
    return [part for whole in _QUESTIONS.findall(text) for part in _AND_ASKS.split(whole)]


def meant_kind(text: str, sense: RememberedSense | None) -> str:
    """The kind of question or remark that a text likely is; '' where nothing can tell."""
    chances = sense.said_as(_PART, text.strip(_AROUND)) if sense else {}
    kind = max(chances, key=lambda name: chances[name], default=_OTHER)
    if kind in SITUATIONS:
        stands = fsum(chances[one] for one in SITUATIONS)
        return kind if chances[kind] >= _KIND and stands >= _SURE else ""
    return kind if kind != _OTHER and chances[kind] >= _LIKELY else ""


@cache
def _beginnings() -> list[tuple[str, str]]:
    """How questions begin, the longest first."""
    begins: list[tuple[str, str]] = []
    for sort, phrases in cues("questions")["begins"].items():
        begins += [(phrase, sort) for phrase in phrases]
    return sorted(begins, key=lambda pair: (-len(pair[0]), pair[0]))


@cache
def _listed(group: str) -> tuple[str, ...]:
    return tuple(cues("questions")[group].split())
