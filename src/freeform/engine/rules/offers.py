"""What the moment offers: the authored deeds of this place, and openings worth suggesting to a
player."""

from collections.abc import Iterator
from itertools import chain, islice

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Offer
from freeform.engine.ports import TurnText
from freeform.engine.rules.checks import inside
from freeform.engine.table import Rules
from freeform.engine.world.names import mentioned, words
from freeform.engine.world.state import PLAYER, GameState

_MOST = 40
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
    heard = _heard(state, rules, recent)
    asked = _questions(state, rules, heard)
    looked = (
        f"Look at {inside(_the(detail.name))}"
        for detail in rules.place(state.scene.location_id).details
        if not _told(detail.text, recent) and check(detail.when, state).holds
    )
    unseen = (
        f"Go to {inside(state.name(way.to))}"
        for way in rules.exits(state.scene.location_id, state)
        if not state.value(way.to, "visited") and check(way.when, state).holds
    )
    return [*islice(asked, 3), *islice(looked, 2), *islice(unseen, 2)]


def _questions(state: GameState, rules: Rules, heard: list[frozenset[str]]) -> Iterator[str]:
    """What those who are here could be asked about, and have not told yet."""
    for who in state.scene.present_entity_ids:
        for knows in rules.person(who).knows:
            if state.value(who, f"told:{knows.id}") or not check(knows.when, state).holds:
                continue
            topic = _topic(knows.topics, heard, state, but=who)
            if topic:
                yield f"Ask {state.name(who)} about {topic}"


def _heard(state: GameState, rules: Rules, recent: list[TurnText]) -> list[frozenset[str]]:
    """The telling words of all that the player has read so far, or lately; the latest last."""
    authored = (state.facts.get(fact.id) for fact in rules.scenario.facts)
    known = [
        str(fact.object.get("text", "")) for fact in authored if fact and fact.visibility == "known"
    ]
    threads = [t.title for t in state.threads.values() if t.status == "active"]
    return [words(text) for text in (rules.begun.opening, *threads, *known)] + [
        turn.words for turn in recent
    ]


def _topic(topics: list[str], heard: list[frozenset[str]], state: GameState, but: str) -> str:
    """The first topic the player has heard of, as people say it: someone's or something's name,
    else a phrase."""
    for topic in topics:
        if not all(_is_in(word, heard) for word in words(topic)):
            continue
        meant = [
            id
            for id in mentioned(topic, state, ("npc", "location", "item", "faction", "object"))
            if id != but
        ]
        if meant:
            return inside(state.name(meant[0]))
        if len(topic.split()) > 1 and topic.split()[0].lower() not in _ASKING:
            return inside(topic)
    return ""


def _is_in(word: str, heard: list[frozenset[str]]) -> bool:
    return any(word in page for page in heard)


def _told(text: str, recent: list[TurnText]) -> bool:
    start = text.strip()[:60]
    return any(start in turn.final_text for turn in recent)


def _the(name: str) -> str:
    plain = name.strip()
    named = plain[:1].isupper() or plain.startswith(("the ", "a ", "an ", "my "))
    return plain if named else f"the {plain}"
