"""Where the character stands: what is before their eyes, and whom they have heard of by name."""

import re
from functools import cached_property, lru_cache
from typing import NamedTuple

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Detail, Exit, Place
from freeform.engine.knowledge.background import NO_BACKGROUND, Background
from freeform.engine.rules.known import bare, has_heard_of, inside, with_article
from freeform.engine.rulings.lasting import DEED
from freeform.engine.table import Rules
from freeform.engine.world.names import names_of
from freeform.engine.world.state import PLAYER, Entity, Fact, GameState
from freeform.language.sentences import sentences
from freeform.language.words import unowned, word_class

_CAPITAL = re.compile(r"\b[A-Z][\w'’-]+")
_PEOPLE = ("npc", "faction")
_THINGS = ("item", "object")
_PUBLIC = ("faction", "location")
"""Whoever can name one of these knows of it what everybody does."""
DETAIL = "detail:"
"""What the id of a detail begins with: details are no entities."""
_FACTS, _TURNS = 400, 12
"""How many of the newest facts are gone over, and of the last turns' words."""


class _Unheard(NamedTuple):
    """Names that were never told: words of people's names, and whole names of all else."""

    people: frozenset[str]
    others: tuple[str, ...]


class Viewpoint:
    """What one person can see from where they are, and what they know. Nothing hidden is in it."""

    def __init__(
        self, state: GameState, rules: Rules, background: Background = NO_BACKGROUND
    ) -> None:
        self.state, self.rules, self.background = state, rules, background
        self.here = state.scene.location_id
        self.place: Place = rules.place(self.here)
        self._named: dict[str, bool] = {}
        self._known: dict[str, bool] = {}
        """Whom the character can name, and knows of: asked for again and again."""

    @cached_property
    def people(self) -> list[str]:
        """Who is here and can be seen."""
        scene = self.state.scene
        return [
            who
            for who in scene.present_entity_ids
            if who != PLAYER and who in self.state.entities and who not in scene.obscured_entities
        ]

    @cached_property
    def carried(self) -> list[str]:
        """What the character carries."""
        return [h.item_id for h in self.state.held(PLAYER) if h.item_id in self.state.entities]

    @cached_property
    def things(self) -> list[str]:
        """What lies or stands here in plain sight."""
        state = self.state
        lying = [h.item_id for h in state.held(self.here) if h.item_id in state.entities]
        standing = [e.id for e in state.entities.values() if e.type == "object" and self._at(e)]
        return list(dict.fromkeys([*lying, *standing]))

    @cached_property
    def shown(self) -> list[str]:
        """What people here have let be seen."""
        return [
            h.item_id
            for who in self.people
            for h in self.state.held(who)
            if h.flags.get("shown") and h.item_id in self.state.entities
        ]

    @cached_property
    def ways(self) -> list[Exit]:
        """The ways out."""
        return self.rules.exits(self.here, self.state)

    @cached_property
    def details(self) -> dict[str, Detail]:
        """What of the place can be looked at now, by an id of its own."""
        seen = [d for d in self.place.details if check(d.when, self.state).holds]
        return {f"{DETAIL}{detail.name}": detail for detail in seen}

    @cached_property
    def told(self) -> list[tuple[int, str]]:
        """What was told lately, the newest first, each with its turn; the opening is turn 0."""
        turns = [(turn.turn_no, turn.final_text) for turn in self.background.told[-_TURNS:]]
        return [*reversed(turns), (0, self.rules.begun.opening)]

    @cached_property
    def since(self) -> int:
        """The turn since which the character is here: the last that told of coming here."""
        marks = [*self.place.again, *sentences(self.place.description)[:1]]
        for turn_no, text in self.told:
            if any(mark.strip() in text for mark in marks):
                return turn_no
        started = self.here == self.rules.scenario.start.location
        return 0 if started else self.told[0][0]

    @cached_property
    def facts(self) -> list[Fact]:
        """What the character knows, in words, the newest first."""
        found: list[Fact] = []
        for fact in self.state.newest_facts():
            own_deed = DEED in fact.tags
            if fact.visibility == "known" and fact.object.get("text") and not own_deed:
                found.append(fact)
            if len(found) >= _FACTS:
                break
        return found

    def is_open(self, way: Exit) -> bool:
        """Whether one could go that way now."""
        return check(way.when, self.state).holds

    def tells_all(self, detail: Detail) -> bool:
        """Whether a glance may say what a detail is: what it would reveal is known already."""
        known = (self.state.facts.get(id) for id in detail.reveals)
        return all(fact is not None and fact.visibility == "known" for fact in known)

    def is_seen(self, id: str) -> bool:
        """Whether it is before the character's eyes, or about them."""
        if id in (PLAYER, self.here) or id in self.people or id in self.carried:
            return True
        return id in self.things or id in self.shown

    def knows(self, id: str) -> bool:
        """Whether the character sees it, or knows of it by name."""
        if id not in self._known:
            self._known[id] = self._knows(id)
        return self._known[id]

    def _knows(self, id: str) -> bool:
        entity = self.state.entities.get(id)
        if entity is None:
            return False
        if self.is_seen(id) or self._is_told_of_way(id):
            return True
        heard = entity.type in _PUBLIC or has_heard_of(id, self.state)
        return heard and self.knows_name(id)

    def leads_to(self, way: Exit) -> str:
        """Where a way leads, if the character knows; '' where only going there would tell."""
        name = self.state.name(way.to)
        return inside(name) if self.knows_name(way.to) or self._is_told_of_way(way.to) else ""

    def _is_told_of_way(self, id: str) -> bool:
        """Whether a way here is called by the place it leads to."""
        entity = self.state.entities.get(id)
        ways = [way for way in self.ways if way.to == id]
        return entity is not None and any(
            not way.name or bare(entity.name).lower() in way.name.lower() for way in ways
        )

    def knows_name(self, id: str) -> bool:
        """Whether the character could name it: it was told, or is plain to see what it is."""
        if id not in self._named:
            self._named[id] = self._knows_name(id)
        return self._named[id]

    def _knows_name(self, id: str) -> bool:
        entity = self.state.entities.get(id)
        if entity is None:
            return False
        if id == PLAYER or entity.attrs.get("known"):
            return True
        forms = proper_forms(entity)
        if not forms or entity.type in _THINGS:
            known = self.is_seen(id) or has_heard_of(id, self.state)
            return known or (bool(forms) and self._capitals.issuperset(forms))
        if entity.type in _PEOPLE:
            named = not self._capitals.isdisjoint(forms)
        else:
            named = bare(entity.name) in self._heard
        return named or self._was_there(entity)

    def called(self, id: str) -> str:
        """What the character calls someone or something: by name, or by how it looks."""
        if id in self.details:
            return with_article(self.details[id].name)
        entity = self.state.entities[id]
        if entity.type not in _PEOPLE:
            return with_article(entity.name)
        if self.knows_name(id):
            return inside(entity.name)
        role = str(entity.attrs.get("role") or "")
        if role.split(" ")[0] in word_class("articles"):
            return role
        return "a stranger"

    def names(self, id: str) -> str:
        """All the names by which the character could know it, in one text; else how it looks."""
        if id in self.details:
            return " ".join([self.details[id].name, *self.details[id].aliases])
        entity = self.state.entities[id]
        if self.knows_name(id) or entity.type not in _PEOPLE:
            return " ".join(names_of(entity))
        return str(entity.attrs.get("role") or "")

    def may_be_said(self, text: str) -> bool:
        """Whether a text names nobody and nothing that the character has not heard of."""
        unheard = self._unheard
        if not _capitals(text).isdisjoint(unheard.people):
            return False
        return not any(name in text for name in unheard.others)

    @cached_property
    def _unheard(self) -> "_Unheard":
        """What the character cannot name."""
        strange = [e for e in self.state.entities.values() if not self.knows_name(e.id)]
        people: set[str] = set()
        others: list[str] = []
        for entity in strange:
            if entity.type in _PEOPLE:
                people.update(proper_forms(entity))
            elif _is_name(entity):
                others.append(bare(entity.name))
        return _Unheard(frozenset(people), tuple(others))

    @cached_property
    def _heard(self) -> str:
        """All that was told, seen or learnt, as one text."""
        told = [self.rules.begun.opening, *(turn.final_text for turn in self.background.told)]
        known = (str(fact.object["text"]) for fact in self.facts)
        details = (detail.name for detail in self.details.values())
        seen = [self.place.description, *self.place.atmosphere, *details]
        ways = [way.name for way in self.ways]
        hero = self.state.entities.get(PLAYER)
        concept = str(hero.attrs.get("concept", "")) if hero else ""
        return "\n".join([*told, *known, *seen, *ways, concept, self.state.name(self.here)])

    @cached_property
    def _capitals(self) -> frozenset[str]:
        return _capitals(self._heard)

    def _was_there(self, entity: Entity) -> bool:
        """Been there, or spoken with them."""
        return any(self.state.value(entity.id, mark) for mark in ("visited", "greeted"))

    def _at(self, entity: Entity) -> bool:
        at = self.state.value(entity.id, "at") or entity.attrs.get("location")
        return bool(at == self.here)


def proper_forms(entity: Entity) -> tuple[str, ...]:
    """The words of its names that are names: `Chen` of Agent Chen; none of `the girl`."""
    return _proper_words((entity.name, *map(str, entity.attrs.get("aliases", []))))


@lru_cache(maxsize=4096)
def _proper_words(names: tuple[str, ...]) -> tuple[str, ...]:
    titles = word_class("titles")
    found: list[str] = []
    for name in names:
        words = map(unowned, _CAPITAL.findall(bare(name)))
        found += [word for word in words if word.lower() not in titles]
    return tuple(dict.fromkeys(found))


def _is_name(entity: Entity) -> bool:
    """Whether its name would tell something: with a capital in it, or of several words."""
    name = bare(entity.name)
    return bool(_CAPITAL.search(name)) or (entity.type == "item" and " " in name)


def _capitals(text: str) -> frozenset[str]:
    return frozenset(unowned(word) for word in _CAPITAL.findall(text))
