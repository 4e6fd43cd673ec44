"""What a player might do next, in the player's words, drawn only from what the character can
know."""

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from freeform.core.chance import Chance
from freeform.core.text import plain_form
from freeform.engine.rules.known import inside
from freeform.engine.world.model import ContextPacket, ValidatorOutput
from freeform.engine.world.state import PLAYER
from freeform.offline.grammar import TITLES, with_article

HOW_MANY = 3
_PEOPLE = frozenset({"npc", "person", "character", "creature"})


def suggest(
    packet: ContextPacket,
    ruled: ValidatorOutput,
    player_input: str,
    chance: Chance,
    openings: Iterable[str] = (),
) -> list[str]:
    """Three different kinds of thing where there are three; nothing that was just done or lately
    said."""
    spent = plain_form(player_input)
    chosen = _one_of_each(openings, spent, chance)
    for text in _in_turn(_kinds(packet, ruled, spent, chance)) if len(chosen) < HOW_MANY else ():
        if plain_form(text) not in spent and text not in chosen:
            chosen.append(text)
        if len(chosen) >= HOW_MANY:
            break
    return _at_least_two(chosen, spent)


def at_a_glance(packet: ContextPacket, ruled: ValidatorOutput, player_input: str) -> list[str]:
    """Whom one could talk to, what one could look at, where one could go: the first of each that
    was not just named."""
    spent = plain_form(player_input)
    done = {action.target_id for action in ruled.allowed_actions if action.target_id}
    kinds = (_greetings(packet, spent), _details(packet, spent), _ways(packet, done))
    firsts = (next((text for text in kind if plain_form(text) not in spent), "") for kind in kinds)
    return _at_least_two([text for text in firsts if text], spent)


def _at_least_two(chosen: list[str], spent: str) -> list[str]:
    for text in ("Look around", "Think over what I know", "Wait and watch"):
        if len(chosen) >= 2:
            break
        if plain_form(text) not in spent:
            chosen.append(text)
    return chosen


def _kinds(
    packet: ContextPacket, ruled: ValidatorOutput, spent: str, chance: Chance
) -> Iterator[Iterator[str]]:
    """The kinds of thing one could do here, in some order, each in some order; made when they are
    come to."""
    lately = (
        plain_form(" ".join(str(event.get("text", "")) for event in packet.recent_events))
        + " "
        + spent
    )
    done = {action.target_id for action in ruled.allowed_actions if action.target_id}
    kinds = [
        lambda: _questions(packet, lately),
        lambda: _details(packet, lately),
        lambda: _ways(packet, done),
        lambda: _showing(packet, lately),
    ]
    for number in chance.shuffled(range(len(kinds))):
        yield iter(chance.at(number).shuffled(kinds[number]()))


def _in_turn(kinds: Iterator[Iterator[str]]) -> Iterator[str]:
    """One of each kind, then the next of each, until there are no more."""
    waiting: deque[Iterator[str]] = deque()
    for kind in kinds:
        waiting.append(kind)
        yield from islice(kind, 1)
    while waiting:
        kind = waiting.popleft()
        for text in islice(kind, 1):
            yield text
            waiting.append(kind)


def _one_of_each(openings: Iterable[str], spent: str, chance: Chance) -> list[str]:
    """One opening of each kind: to ask, to look at, to go to."""
    kinds: dict[str, list[str]] = {}
    for opening in openings:
        if plain_form(opening) not in spent:
            kinds.setdefault(opening.split()[0], []).append(opening)
    return [chance.at(kind).choose(options) for kind, options in kinds.items()][:HOW_MANY]


def _people(packet: ContextPacket) -> list[tuple[str, str]]:
    here = set(packet.present_entities) - {PLAYER}
    rows = [row for row in packet.entities if row.get("id") in here and row.get("type") in _PEOPLE]
    return [(str(row["id"]), str(row.get("name") or "")) for row in rows if row.get("name")]


def _known_text(packet: ContextPacket) -> str:
    """Everything the player has been able to read: what may be named without giving anything
    away."""
    facts = [f for f in packet.facts if f.get("visibility", "known") == "known"]
    said: list[str] = [str((fact.get("object") or {}).get("text", "")) for fact in facts]
    said += [
        str(thread.get("title", ""))
        for thread in packet.threads
        if thread.get("status") == "active"
    ]
    said += [str(event.get("text", "")) for event in packet.recent_events]
    said += [str(text) for text in packet.summary.values()]
    return plain_form(" ".join(said))


def topics(packet: ContextPacket) -> list[str]:
    """What one could ask about: people, places and things that open threads concern and the player
    has heard of."""
    known = _known_text(packet)
    names = {str(row.get("id")): row for row in packet.entities}
    found: list[str] = []
    for thread in packet.threads:
        if thread.get("status") != "active":
            continue
        for id in thread.get("related_entity_ids") or []:
            row = names.get(str(id))
            if row and id != PLAYER and _heard_of(str(row.get("name", "")), known):
                found.append(with_article(short(str(row["name"]))))
    here = set(packet.present_entities)
    people = [
        row for row in packet.entities if row.get("type") in _PEOPLE and row.get("id") not in here
    ]
    found += [
        with_article(short(str(row.get("name"))))
        for row in people
        if _heard_of(str(row.get("name") or ""), known)
    ]
    return list(dict.fromkeys(found))


def _heard_of(name: str, known: str) -> bool:
    plain, first = _in_talk(name)
    return plain in known or (bool(first) and (known.startswith(first) or f" {first}" in known))


@lru_cache(maxsize=4096)
def _in_talk(name: str) -> tuple[str, str]:
    """A name as it is compared, and the first word of it that means someone."""
    plain = plain_form(name)
    parts = (part for part in plain.split() if len(part) > 2 and part not in ("the", "old", "new"))
    return plain, next(parts, "")


def _questions(packet: ContextPacket, spent: str) -> list[str]:
    people, subjects = _people(packet), topics(packet)
    options = [
        f"Ask {short(name)} about {topic}"
        for _, name in people
        for topic in subjects
        if topic != short(name) and not _together(spent, name, topic)
    ]
    return options or _greetings(packet, spent)


def _greetings(packet: ContextPacket, spent: str) -> list[str]:
    return [
        f"Talk to {short(name)}" for _, name in _people(packet) if plain_form(name) not in spent
    ]


def _together(spent: str, name: str, topic: str) -> bool:
    first = plain_form(name).removeprefix("the ").split(" ")[0]
    about = plain_form(topic).removeprefix("the ")
    return first in spent and about in spent


@lru_cache(maxsize=4096)
def short(name: str) -> str:
    """What people call someone: the first of two names."""
    words = name.split()
    plain = len(words) == 2 and all(word[:1].isupper() and word.isalpha() for word in words)
    return words[0] if plain and words[0].lower() not in TITLES else inside(name)


def _details(packet: ContextPacket, spent: str) -> list[str]:
    names = [_name(detail) for detail in packet.scene.get("details", [])]
    fresh = [name for name in names if name and plain_form(name) not in spent]
    return [
        f"{'Search' if n % 2 else 'Look at'} {with_article(name)}" for n, name in enumerate(fresh)
    ]


def _name(detail: Any) -> str:
    return str(detail.get("name") or "") if isinstance(detail, dict) else str(detail)


def _ways(packet: ContextPacket, done: Iterable[str]) -> list[str]:
    ways = [
        way for way in packet.scene.get("exits", []) if isinstance(way, dict) and way.get("name")
    ]
    skip = set(done)
    return [f"Go to {with_article(str(way['name']))}" for way in ways if way.get("to") not in skip]


def _showing(packet: ContextPacket, spent: str) -> list[str]:
    names = {str(row.get("id")): str(row.get("name") or "") for row in packet.entities}
    held = [str(row.get("item_id")) for row in packet.inventory if row.get("owner_id") == PLAYER]
    telling = {
        str(id) for thread in packet.threads for id in thread.get("related_entity_ids") or []
    }
    held = [item for item in held if item in telling]
    return [
        f"Show {short(person)} {with_article(names[item])}"
        for _, person in _people(packet)
        for item in held
        if names.get(item) and not _together(spent, person, names[item])
    ]
