"""What the moment offers: the authored deeds of this place, and openings worth suggesting to a
player."""

import re
from collections.abc import Iterator
from itertools import chain, islice, zip_longest

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Offer
from freeform.engine.ports import TurnText
from freeform.engine.rules.known import called, inside, stands_in, with_article
from freeform.engine.table import Rules
from freeform.engine.world.names import mentioned, words
from freeform.engine.world.state import PLAYER, GameState

_MOST = 40
_NAMED = ("npc", "location", "item", "faction", "object")
_ASKING = ("who", "what", "why", "how", "where", "when", "which")


def offers(state: GameState, rules: Rules) -> list[Offer]:
    """Deeds that were authored for here, so that whoever listens knows them by their words.

    Never shown to players.
    """
    here, deeds = state.scene.location_id, rules.scenario.deeds_at
    owners = {PLAYER, here, *state.scene.present_entity_ids}
    near = {
        *state.scene.present_entity_ids,
        *(item for owner, item in state.inventory if owner in owners),
    }
    anywhere = (
        deed
        for deed in deeds.get("", ())
        if not deed.target or deed.target in near or state.value(deed.target, "at") == here
    )
    fit = islice(chain(deeds.get(here, ()), anywhere), _MOST)
    return [deed.offer for deed in fit]


def openings(state: GameState, rules: Rules, recent: list[TurnText]) -> list[str]:
    """What the player's character could take up now, in the words a player would type; nothing they
    never heard of."""
    asked = _questions(state, rules, _Read(state, rules, recent))
    looked = [
        f"Look at {with_article(detail.name)}"
        for detail in rules.place(state.scene.location_id).details
        if not _told(detail.text, recent) and check(detail.when, state).holds
    ]
    unseen = [
        f"Go to {inside(state.name(way.to))}"
        for way in rules.exits(state.scene.location_id, state)
        if not state.value(way.to, "visited") and check(way.when, state).holds
    ]
    turn = recent[-1].turn_no if recent else 0
    sights, ways = _next_of(looked, turn), _next_of(unseen, turn)
    return [*_deeds(state, rules), *islice(asked, 3), *sights, *ways]


def _next_of(options: list[str], turn: int) -> list[str]:
    """Two of them, others in the next turn, so that none is offered all evening."""
    first = turn % len(options) if options else 0
    return [*options[first:], *options[:first]][:2]


def _deeds(state: GameState, rules: Rules) -> list[str]:
    """Deeds that their author wants offered, here and now."""
    here, deeds = state.scene.location_id, rules.scenario.deeds_at
    near = {*state.scene.present_entity_ids, *(h.item_id for h in state.held(here))}
    return [
        deed.suggest
        for deed in (*deeds.get(here, ()), *deeds.get("", ()))
        if deed.suggest
        and (not deed.target or deed.target in near)
        and check(deed.when, state).holds
    ]


def plain_ideas(state: GameState, rules: Rules) -> Iterator[str]:
    """What one can nearly always do, one of each kind after the other: greet, look, go, think."""
    here = state.scene.location_id
    people = (id for id in state.scene.present_entity_ids if id != PLAYER)
    greet = (f"Talk to {inside(state.name(who))}" for who in people)
    seen = (detail for detail in rules.place(here).details if check(detail.when, state).holds)
    look = (f"Look at {with_article(detail.name)}" for detail in seen)
    open_ways = (way for way in rules.exits(here, state) if check(way.when, state).holds)
    go = (f"Go to {inside(state.name(way.to))}" for way in open_ways)
    always = ("Look around", "Think over what I know", "Wait a while")
    for row in zip_longest(greet, look, go, always):
        yield from (idea for idea in row if idea)


def _questions(state: GameState, rules: Rules, read: "_Read") -> Iterator[str]:
    """What those who are here could be asked about, and have not told yet."""
    for who in state.scene.present_entity_ids:
        for knows in rules.person(who).knows:
            if state.value(who, f"told:{knows.id}") or not check(knows.when, state).holds:
                continue
            topic = read.topic(knows.topics, but=who)
            if topic:
                yield f"Ask {state.name(who)} about {topic}"


class _Read:
    """What the player has read so far, or lately, and what of it one could ask about."""

    def __init__(self, state: GameState, rules: Rules, recent: list[TurnText]) -> None:
        self._state, self._rules, self._recent = state, rules, recent
        authored = (state.facts.get(fact.id) for fact in rules.scenario.facts)
        known = [
            str(fact.object.get("text", ""))
            for fact in authored
            if fact and fact.visibility == "known"
        ]
        threads = [t.title for t in state.threads.values() if t.status == "active"]
        self._texts = [rules.begun.opening, *threads, *known]
        self._pages = [words(text) for text in self._texts]
        self._pages += [turn.words for turn in recent]

    def _has_heard(self, word: str) -> bool:
        return any(word in page for page in self._pages)

    def topic(self, topics: list[str], but: str) -> str:
        """The first topic the player has heard of, as people say it: someone or something by what
        they may be called, else a phrase."""
        for topic in topics:
            if not all(map(self._has_heard, words(topic))):
                continue
            meant = [id for id in mentioned(topic, self._state, _NAMED) if id != but]
            if meant:
                name = self._called(meant[0])
                if name:
                    return with_article(name)
            elif len(topic.split()) > 1 and topic.split()[0].lower() not in _ASKING:
                return self._as_read(topic)
        return ""

    def _as_read(self, topic: str) -> str:
        """A phrase with the article it was read with: about the way in, of `find a way in`."""
        told = (turn.final_text for turn in self._recent)
        with_one = re.compile(rf"\b(?:the|an?) {re.escape(topic)}\b", re.I)
        read_so = any(map(with_one.search, chain(self._texts, told)))
        return f"the {topic}" if read_so else inside(topic)

    def _called(self, id: str) -> str:
        """By name where that was read, told lately or before; else as it was read of."""
        name = self._state.name(id)
        if any(stands_in(name, turn.final_text) for turn in self._recent):
            return name
        return called(id, "", self._state, self._rules)


def _told(text: str, recent: list[TurnText]) -> bool:
    start = text.strip()[:60]
    return any(start in turn.final_text for turn in recent)
