"""Places the party has seen, as it knows them from here: how far, what stands there, what it was
refused there, how much has been learnt since, and what draws one back. Never a place nobody
entered."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from freeform.engine.authored.conditions import check
from freeform.engine.rules.known import inside, with_article
from freeform.engine.table import Rules
from freeform.engine.world.state import GameState
from freeform.players.mind.deeds import as_deed
from freeform.players.mind.model import AskedTopic
from freeform.players.mind.topics import MOST_TOPICS
from freeform.players.model import Option, RoundRecord, SeenPlace, TableView

NEW_PLACE, KNOWN_PLACE, NEAR = 0.40, 0.10, 0.9
"""What one hopes for behind a door nobody has been through; in a place one knows; `NEAR` is left of
a new place that lies beyond a known one. A visit that was made lately is worth less each time."""
STEP = 0.85
"""What is left of it for each step of the way."""
NEWS, MOST_NEWS = 0.02, 6
"""What a thing learnt since one was there is worth to a place, and how many count."""
MISSED, LONG_AGO = 0.12, 25
"""What it is worth to look in again on people whom one has not seen for so many turns."""
LEFT, SHUT_WAY = 0.04, 0.2
"""What each thing left undone in a place is worth, and a way there that was shut."""
Refused = Mapping[str, Mapping[str, str]]
"""By place: deeds that were refused there, and why."""
A_WHILE, OFTEN = 3, 2
"""Rounds before a refused deed is thought of again, and how often it may be tried in all."""


@dataclass(frozen=True)
class Explored:
    """The world as far as it was seen: its rules, what was refused where, what was tried."""

    state: GameState
    rules: Rules
    refused: Refused
    tried: Mapping[str, int]


def seen_places(world: Explored) -> list[SeenPlace]:
    """Every place that was visited and can be reached through such places, the nearest first."""
    state, rules = world.state, world.rules
    here = state.scene.location_id
    found = []
    far = {here: 0}
    waiting = deque([here])
    while waiting:
        place = waiting.popleft()
        for way in rules.exits(place, state):
            known = state.value(way.to, "visited") and check(way.when, state).holds
            if way.to in far or not known:
                continue
            far[way.to] = far[place] + 1
            waiting.append(way.to)
            found.append(_seen(way.to, far[way.to], world))
    return found


def _seen(place: str, far: int, world: Explored) -> SeenPlace:
    state, rules = world.state, world.rules
    name, things = state.name(place), things_at(place, state, rules)
    ways = [way for way in rules.exits(place, state) if not state.value(way.to, "visited")]
    is_open = {way.to: check(way.when, state).holds for way in ways}
    return SeenPlace(
        place=name,
        far=far,
        things=things,
        people=_met_at(place, state, rules),
        refused=dict(world.refused.get(name, {})),
        news=_news_since(place, state),
        ago=_turns_since(place, state),
        unseen=[state.name(to) for to, leads in is_open.items() if leads],
        untouched=[thing for thing in things if not is_touched(thing, world.tried)],
        shut=[state.name(to) for to, leads in is_open.items() if not leads],
    )


def is_touched(thing: str, tried: Mapping[str, int]) -> bool:
    """Whether somebody has looked at it or gone through it."""
    name = with_article(thing)
    return any(tried.get(f"{verb} {name}") for verb in ("Search", "Look at"))


def _met_at(place: str, state: GameState, rules: Rules) -> list[str]:
    """Who belongs there and was met; where they have gone since, nobody can know."""
    belong = [
        fact.subject_id
        for fact in rules.scenario.facts
        if fact.predicate == "at" and fact.object.get("value") == place
    ]
    return [state.name(who) for who in belong if who in state.entities and state.value(who, "met")]


def things_at(place: str, state: GameState, rules: Rules) -> list[str]:
    """Names of what stands in plain sight there and is no person: objects, details, and things too
    heavy to take."""
    objects = [
        entity.name
        for entity in state.entities.values()
        if entity.type == "object" and state.where(entity.id) == place
    ]
    held = [state.entities[h.item_id] for h in state.held(place) if h.item_id in state.entities]
    heavy = [entity.name for entity in held if entity.attrs.get("portable") is False]
    details = [d.name for d in rules.place(place).details if check(d.when, state).holds]
    return _one_name_each(list(dict.fromkeys([*objects, *heavy, *details])))


def _one_name_each(names: Sequence[str]) -> list[str]:
    """Without shorter names of the same: beside `the Guild board`, `board` is no other thing."""
    words = {name: _plain_words(name) for name in names}
    kept = []
    for name in names:
        longer = [other for other in names if words[name] < words[other]]
        if len(words[name]) > 1 or not longer:
            kept.append(name)
    return kept


def _plain_words(name: str) -> frozenset[str]:
    return frozenset(name.lower().split()) - ARTICLES


ARTICLES = frozenset(("the", "a", "an"))


def _news_since(place: str, state: GameState) -> int:
    """How many things were learnt since the party was there."""
    visit = state.fact(place, "visited")
    last = visit.discovered_turn if visit else None
    if last is None:
        return 0
    turns = [fact.discovered_turn for fact in state.facts.values() if fact.discovery_method]
    return sum(turn is not None and turn > last for turn in turns)


def _turns_since(place: str, state: GameState) -> int:
    visit = state.fact(place, "visited")
    last = visit.discovered_turn if visit else None
    return max(0, state.played - last) if last is not None else 0


def refused_in(rounds: Sequence[RoundRecord], tried: Mapping[str, int], now: int) -> Refused:
    """Deeds that were refused a while ago and not too often, by place, with the reason given."""
    found: dict[str, dict[str, str]] = {}
    for record in rounds:
        if record.round > now - A_WHILE:
            continue
        for agent, ruling in record.rulings.items():
            if not ruling.blocked or agent not in record.actions:
                continue
            deed = as_deed(record.actions[agent].intent)
            if tried.get(deed, 0) < OFTEN:
                found.setdefault(record.place, {})[deed] = ruling.blocked
    return found


def walks_of(
    table: TableView, things: Sequence[AskedTopic]
) -> tuple[list[Option], dict[str, float], dict[str, list[str]]]:
    """Walks to places one knows, what each promises, and what is left to be done there."""
    found, beyond = list[Option](), dict[str, float]()
    left = dict[str, list[str]]()
    for seen in table.elsewhere:
        beyond[seen.place] = _beyond(seen, table, things)
        left[seen.place] = _left_at(seen, table, things)
        text = f"Go to {inside(seen.place)}"
        found.append(Option(text=text, kind="go", who=seen.place, tried=1))
    for way in table.options:
        if way.kind == "go" and way.new:
            left[way.who] = [f"Search {inside(way.who)}"]
    return found, beyond, left


def _left_at(seen: SeenPlace, table: TableView, things: Sequence[AskedTopic]) -> list[str]:
    """Questions nobody has put to those one met there, then what nobody has laid a hand on."""
    done = set(table.done)
    asks = [
        asked_about(who, topic)
        for topic in things[:MOST_TOPICS]
        for who in seen.people
        if topic.text not in who
    ]
    looks = [f"Search {with_article(thing)}" for thing in seen.untouched]
    return [*[text for text in asks if text not in done][:_MOST_LEFT], *looks[:_MOST_LEFT]]


_MOST_LEFT = 3


def _beyond(seen: SeenPlace, table: TableView, things: Sequence[AskedTopic]) -> float:
    """What draws one back there: what was learnt since, ways that nobody took or could take, what
    nobody has laid a hand on, and people who were not asked yet."""
    news = KNOWN_PLACE + NEWS * min(seen.news, MOST_NEWS)
    left = LEFT * min(len(seen.untouched), 3)
    if seen.people:
        done = set(table.done)
        topics = things[:MOST_TOPICS]
        open_to = sum(asked_about(who, t) not in done for who in seen.people for t in topics)
        left += LEFT * min(open_to, 4) + MISSED * min(seen.ago, LONG_AGO) / LONG_AGO
    ways = max(NEAR * NEW_PLACE * bool(seen.unseen), SHUT_WAY * bool(seen.shut))
    return max(news + left, ways) * STEP**seen.far


def asked_about(who: str, topic: AskedTopic) -> str:
    """The question put to somebody, as an option."""
    return f"Ask {who} about {topic.text}"
