"""Sentences that can answer a question, with their sources: what is seen, known and told."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from freeform.engine.authored.scenario import Detail, Exit
from freeform.engine.knowledge.viewpoint import Viewpoint
from freeform.engine.rules.checks import blocked_way
from freeform.engine.rules.known import bare, inside
from freeform.engine.world.names import mentioned
from freeform.engine.world.state import PLAYER, Entity
from freeform.language.forms import is_plural
from freeform.language.relevance import telling
from freeform.language.sentences import sentences
from freeform.language.words import word_class, words

_UP_TO = re.compile(r"\s(?:to|of|behind|under|over|down|up|at|in|with|from|by|along|across)\s")
"""Where the chief word of a name ends: the door | behind the eels."""
_QUOTES = re.compile(r'["“”]')
_NAMED = ("npc", "location", "item", "object", "faction")
_FADES, _FAINTEST, _PAST = 0.04, 0.6, 0.8
"""What is told counts less with each turn that has passed since, down to this; and less again if
it was told somewhere else."""
_MOODS, _IDLE, _ELSEWHERE, _BRIEF = 0.85, 0.7, 0.9, 0.7
"""What a mood, a habit, a thing out of sight and a word or two count beside the plain rest."""


@dataclass(frozen=True)
class AnswerSource:
    """Where a sentence comes from: `kind` and the id of it, or where it stands."""

    kind: str
    id: str = ""
    where: str = ""

    def row(self) -> dict[str, str]:
        """As an event tells it."""
        row = {"kind": self.kind}
        if self.id:
            row["id"] = self.id
        if self.where:
            row["where"] = self.where
        return row


@dataclass(frozen=True)
class Evidence:
    """One sentence, what it is about beside its own words, and how much it counts."""

    text: str
    source: AnswerSource
    implied: str = ""
    about: frozenset[str] = field(default_factory=frozenset)
    weight: float = 1.0
    place: int = 0
    """Its place in its source: neighbours belong together."""


def gather(view: Viewpoint) -> list[Evidence]:
    """All that the character could answer from. Nothing of it names what they never heard of."""
    kept = [piece for piece in _all(view) if _may_be_used(piece, view)]
    return list({(piece.text, piece.source): piece for piece in kept}.values())


def _may_be_used(piece: Evidence, view: Viewpoint) -> bool:
    """What was told, learnt or is the place itself is known; the rest may give away a name."""
    known = piece.source.kind in ("turn", "fact") or piece.source == AnswerSource(
        "place", view.here
    )
    return known or view.may_be_said(piece.text)


def _all(view: Viewpoint) -> Iterator[Evidence]:
    yield from _place(view)
    for id, detail in view.details.items():
        yield from _detail(id, detail, view)
    for who in view.people:
        yield from _person(who, view)
    for thing in (*view.things, *view.carried, *view.shown):
        yield from _thing(thing, view)
    for way in view.ways:
        yield from _way(way, view)
    yield from _self(view)
    yield from _facts(view)
    yield from _pressure(view)
    yield from _told(view)
    yield from _heard_of(view)


def _place(view: Viewpoint) -> Iterator[Evidence]:
    here, place = view.here, view.place
    entity = view.state.entities.get(here)
    source = AnswerSource("place", here)
    names = view.names(entity.id) if entity else ""
    yield from _cut(place.description, source, view, implied=names)
    for line in (*place.atmosphere, *view.background.lore.atmosphere):
        yield from _cut(line, AnswerSource("place", here, "atmosphere"), view, weight=_MOODS)
    if entity:
        about = str(entity.attrs.get("description") or "")
        known = AnswerSource("place", here, "known")
        yield from _cut(about, known, view, implied=names, weight=_ELSEWHERE)


def _detail(id: str, detail: Detail, view: Viewpoint) -> Iterator[Evidence]:
    """What it is; where looking would reveal something, only that it is there."""
    source = AnswerSource("detail", detail.name)
    text = detail.text if view.tells_all(detail) else f"There is {view.called(id)}."
    for piece in _cut(text, source, view, implied=view.names(id)):
        yield _about(piece, id)


def _person(who: str, view: Viewpoint) -> Iterator[Evidence]:
    entity = view.state.entities[who]
    role = str(entity.attrs.get("role") or "")
    names = f"{view.names(who)} {role}"
    if role and view.knows_name(who):
        text = f"{_capital(view.called(who))}, {role}."
        yield Evidence(text, AnswerSource("person", who, "role"), names, frozenset({who}))
    where = view.state.where(who)
    at_large = entity.attrs.get("whereabouts") == "open" and view.knows_name(who)
    if at_large and where and who not in view.state.scene.present_entity_ids:
        said = f"{_capital(view.called(who))} is said to be at {inside(view.state.name(where))}."
        yield Evidence(said, AnswerSource("person", who, "whereabouts"), names, frozenset({who}))
    yield from _described(entity, AnswerSource("person", who), view, names)
    for line in view.rules.person(who).idle:
        yield from _cut(
            line,
            AnswerSource("person", who, "habit"),
            view,
            implied=view.names(entity.id),
            weight=_IDLE,
        )
    notes = view.background.lore.npc_briefings.get(who)
    if notes and notes.disposition:
        yield from _cut(
            notes.disposition, AnswerSource("person", who, "books"), view, implied=names
        )


def _thing(thing: str, view: Viewpoint) -> Iterator[Evidence]:
    entity = view.state.entities[thing]
    names = f"{view.names(entity.id)} {' '.join(entity.tags)}"
    if thing in view.carried:
        where, kind = f"You carry {view.called(thing)}.", "carried"
    else:
        where, kind = f"{_capital(view.called(thing))} is here.", "thing"
    yield Evidence(
        where, AnswerSource(kind, thing), implied=names, about=frozenset({thing}), place=-1
    )
    yield from _described(entity, AnswerSource(kind, thing), view, names)


def _described(
    entity: Entity, source: AnswerSource, view: Viewpoint, names: str
) -> Iterator[Evidence]:
    about = str(entity.attrs.get("description") or "")
    for piece in _cut(about, source, view, implied=names):
        yield _about(piece, entity.id)


def _way(way: Exit, view: Viewpoint) -> Iterator[Evidence]:
    """A way, where it leads, and why it is shut."""
    source = AnswerSource("way", way.to)
    names = " ".join([way.name, *way.aliases, view.leads_to(way)])
    leads = way_sentence(way, view)
    if leads:
        yield Evidence(leads, source, implied=names, about=frozenset({way.to}), place=-1)
    if not view.is_open(way):
        for piece in _cut(blocked_way(way, view.state), source, view, implied=names):
            yield _about(piece, way.to)
    there = view.state.entities.get(way.to)
    if there and view.knows(way.to):
        yield from _described(there, AnswerSource("place", way.to), view, view.names(there.id))


def way_sentence(way: Exit, view: Viewpoint) -> str:
    """`The front door leads to Kettle Row`; '' where that is not known, or is its name already."""
    there, name = view.leads_to(way), inside(way.name)
    if not there:
        return ""
    if not name or name.lower() == there.lower():
        return f"A way leads to {there}."
    if bare(there).lower() in name.lower():
        return ""
    head = _UP_TO.split(name)[0]
    return f"{_capital(name)} {'lead' if is_plural(head) else 'leads'} to {there}."


def _self(view: Viewpoint) -> Iterator[Evidence]:
    hero = view.state.entities.get(PLAYER)
    if hero is None:
        return
    yield from _cut(str(hero.attrs.get("concept") or ""), AnswerSource("self", PLAYER), view)


def _facts(view: Viewpoint) -> Iterator[Evidence]:
    for fact in view.facts:
        subject = view.state.entities.get(fact.subject_id)
        names = view.names(subject.id) if subject else ""
        implied = f"{names} {fact.predicate.replace('_', ' ')}"
        for piece in _cut(
            str(fact.object["text"]), AnswerSource("fact", fact.id), view, implied=implied
        ):
            yield _about(piece, fact.subject_id)


def _pressure(view: Viewpoint) -> Iterator[Evidence]:
    """Open questions, and how the clocks stand that every player sees."""
    for thread in view.state.threads.values():
        if thread.status == "active":
            asked = str(thread.stakes.get("question") or thread.title)
            yield from _cut(asked, AnswerSource("thread", thread.id), view, implied=thread.title)
    for clock in view.state.clocks.values():
        text = f"{clock.name} stands at {clock.value} of {clock.max}."
        yield Evidence(text, AnswerSource("clock", clock.id), weight=_IDLE)


def _told(view: Viewpoint) -> Iterator[Evidence]:
    for age, (turn_no, text) in enumerate(view.told):
        weight = max(_FAINTEST, 1.0 - _FADES * age)
        if turn_no < view.since:
            weight *= _PAST
        yield from _cut(text, AnswerSource("turn", str(turn_no)), view, weight=weight)


def _heard_of(view: Viewpoint) -> Iterator[Evidence]:
    """Those who are not here, and are known by name."""
    for entity in view.state.entities.values():
        known = view.knows(entity.id) and not view.is_seen(entity.id)
        if known and entity.type in _NAMED:
            names = view.names(entity.id)
            for piece in _described(entity, AnswerSource(entity.type, entity.id), view, names):
                yield _lighter(piece, _ELSEWHERE)


def _cut(
    text: str, source: AnswerSource, view: Viewpoint, *, implied: str = "", weight: float = 1.0
) -> Iterator[Evidence]:
    """A text sentence by sentence; who `he` is in one is who was named in the one before."""
    before: frozenset[str] = frozenset()
    for number, sentence in enumerate(whole_sentences(text)):
        named = frozenset(id for id in mentioned(sentence, view.state, _NAMED) if view.knows(id))
        goes_on = not word_class("of_one_named").isdisjoint(words(sentence))
        about = named | before if goes_on else named
        counts = weight if len(telling(sentence)) > 1 else weight * _BRIEF
        meant = " ".join(view.names(id) for id in sorted(about))
        yield Evidence(sentence, source, f"{implied} {meant}".strip(), about, counts, number)
        before = about or before


@lru_cache(maxsize=1024)
def whole_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, speech kept together: none begins or ends inside quotes."""
    whole: list[str] = []
    open_speech = False
    for sentence in sentences(text):
        if open_speech and whole:
            whole[-1] = f"{whole[-1]} {sentence}"
        else:
            whole.append(sentence)
        open_speech ^= len(_QUOTES.findall(sentence)) % 2 == 1
    return tuple(whole)


def _about(piece: Evidence, id: str) -> Evidence:
    return replace(piece, about=piece.about | {id})


def _lighter(piece: Evidence, by: float) -> Evidence:
    return replace(piece, weight=piece.weight * by)


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]
