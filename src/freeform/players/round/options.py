"""What a party could do here, drawn only from what the engine shows people: openings, belongings,
ways, things in sight."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from types import MappingProxyType

from freeform.core.clock import Clock
from freeform.core.errors import NotFound
from freeform.core.text import plain_form
from freeform.engine.authored.conditions import check
from freeform.engine.ports import TurnText
from freeform.engine.rules.known import inside, is_known, with_article
from freeform.engine.rules.offers import openings
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER, GameState, Holding
from freeform.players.memory.learning import RESULTS
from freeform.players.mind import ideas
from freeform.players.mind.deeds import as_deed, deed_in
from freeform.players.mind.ideas import OFFERED, OPENED
from freeform.players.mind.places import Explored, Refused, seen_places, things_at
from freeform.players.model import KINDS, Kind, Message, Option, RoundRecord, Ruling, TableView


def current(messages: Iterable[Message], clock: Clock, hours: float) -> list[Message]:
    """Those messages that are still kept. A clock that was set back makes none older than it is."""
    if not hours:
        return list(messages)
    end = clock.now() - timedelta(hours=hours)
    return [message for message in messages if not message.at or _said_at(message.at) > end]


@lru_cache(maxsize=4_096)
def _said_at(moment: str) -> datetime:
    return datetime.fromisoformat(moment)


AGAIN = 3
"""How often a shut door is forced. What worked counts so often at once: nobody does it again."""


def deeds_in(record: RoundRecord) -> list[str]:
    """What was tried in a round, in the words of options: `I ask Dutch about Jin.` is `Ask Dutch
    about Jin`."""
    found: list[str] = []
    for agent in record.order:
        deed = as_deed(record.actions[agent].intent) if agent in record.actions else ""
        if deed:
            times = AGAIN if _is_settled(deed, record.rulings.get(agent)) else 1
            found += [deed] * times
    return found


def _is_settled(deed: str, ruling: Ruling | None) -> bool:
    """Whether there is no sense in doing it again: it worked, or no dice decided it."""
    if ruling is None or ruling.blocked or kind_of(deed) in _PATIENCE:
        return False
    rolled = [str(e.get("outcome", "")) for e in ruling.events if e.get("type") == "outcome"]
    if not ruling.rolls:
        return True
    return any(RESULTS.get(outcome, "").startswith("it worked") for outcome in rolled)


def went_badly(rounds: Sequence[RoundRecord], place: str) -> list[Kind]:
    """Sorts of deeds that failed or had to be paid for there in these rounds."""
    found: set[Kind] = set()
    for record in rounds:
        for agent, ruling in record.rulings.items():
            paid = any(event.get("type") == "consequence" for event in ruling.events)
            if record.place == place and paid and agent in record.actions:
                found.add(kind_of(deed_in(record.actions[agent].intent)))
    return sorted(found)


def missing(party: str, names: list[str]) -> NotFound:
    """The complaint that there is no such party."""
    there = (
        f"there are: {', '.join(names)}"
        if names
        else "there are none yet; make one with `party new`"
    )
    return NotFound(f"no party '{party}'; {there}")


_MOST = 60
_MOST_DONE = 200
_PATIENCE = {"go": 1_000_000, "wait": 1_000_000}
"""How often a sort of deed may be done; others once, and a shut door is forced three times."""
_TRIED_AGAIN = ("lock", "force", "help", OFFERED)
"""What dice decide may be tried again."""
_ANYWHERE = (
    Option(text="Look around", kind="wait"),
    Option(text="Think over what we know", kind="wait"),
    Option(text="Wait and listen", kind="wait"),
)
"""What is left when nothing else is."""
_WORDS: dict[str, Kind] = {"ask": "ask", "look": "look", "search": "look", "go": "go", "take": "take", "show": "show",
                           "talk": "talk", "persuade": "talk", "threaten": "talk", "give": "show", "examine": "look", "walk": "go", "head": "go", "leave": "go", "return": "go",
                           "travel": "go", "inspect": "look", "study": "look", "grab": "take", "question": "ask",
                           "speak": "talk"}  # fmt: skip


def look_at_table(
    state: GameState,
    rules: Rules,
    recent: list[TurnText],
    tried: dict[str, int],
    suggested: Sequence[str] = (),
    refused: Refused = MappingProxyType({}),
) -> TableView:
    """The table as everyone sees it, with what could be done next: fresh things first. `suggested`
    is what the game master's last words offered to whoever acted."""
    here = state.scene.location_id
    people = [who for who in state.scene.present_entity_ids if who != PLAYER]
    minute = float(state.scene.time.get("minute") or 0)
    offered = [as_option(text) for text in suggested if not text.startswith("Go ")]
    brought = {item for hero in rules.scenario.heroes for item in hero.items}
    brought |= {h.item_id for h in rules.scenario.inventory if h.owner_id == PLAYER}
    worked = [deed for deed, times in tried.items() if times >= AGAIN]
    found = [
        *_fresh(state, rules, recent), *offered, *ideas.helping(state, rules, people), *_things(state),
        *_handles(state, rules), *ideas.with_keys(state, rules), *_ways(state, rules, tried), *ideas.locks(state, rules, worked),
        *ideas.gifts(state, people), *ideas.belongings(state, brought), *ideas.searches(state, rules),
        _search(state), *_ANYWHERE,
    ]  # fmt: skip
    options, limits = _once_each(map(_in_small, found), tried), rules.limits(state)
    held = state.held(PLAYER)
    elsewhere = seen_places(Explored(state, rules, refused, tried))
    met = [name for seen in elsewhere for name in seen.people]
    return TableView(
        place=state.name(here),
        day=round(float(state.scene.time.get("day") or 1) + minute / 1440, 4),
        people=[state.name(who) for who in people],
        carried=[state.name(h.item_id) for h in held],
        found=[state.name(h.item_id) for h in held if h.item_id not in brought],
        stakes=[state.name(h.item_id) for h in held if h.item_id in ideas.at_stake(state)],
        things=things_at(here, state, rules),
        elsewhere=elsewhere,
        called=_other_names(state),
        refused=dict(refused.get(state.name(here), {})),
        threads=[t.title for t in state.threads.values() if t.status == "active"],
        over=_over(found, tried),
        options=options[:_MOST],
        names=sorted(
            e.name
            for e in state.entities.values()
            if e.type == "npc" and is_known(e.id, state, rules)
        ),
        perils=ideas.perils(state),
        done=_done_with(tried, [*(state.name(who) for who in people), *met]),
        lines=list(limits.lines),
        veils=list(limits.veils),
    )


def _other_names(state: GameState) -> dict[str, list[str]]:
    """What one calls the things we carry, besides their names: other names, and how they look."""
    found = {}
    for held in state.held(PLAYER):
        thing = state.entities[held.item_id]
        told = [*thing.attrs.get("aliases", ()), thing.attrs.get("description", "")]
        found[thing.name] = [str(words) for words in told if words]
    return found


def _done_with(tried: dict[str, int], people: list[str]) -> list[str]:
    """What was tried with those we know where to find, and what there is no sense in any more."""
    found = []
    for text in tried:
        worn = tried[text] >= AGAIN and kind_of(text) not in _PATIENCE
        if worn or any(name in text for name in people) or _is_spent(text, tried[text]):
            found.append(text)
    return found[-_MOST_DONE:]


def _is_spent(text: str, times: int) -> bool:
    """Things put to things are tried once, locks as often as dice allow."""
    return text.startswith(("Use ", "Open ")) or (text.startswith(("Pick ", "Cut ")) and times > 1)


def as_option(text: str) -> Option:
    """Words of a suggestion as an option: `Ask Dutch about Jin`."""
    head, _, rest = text.partition(" ")
    kind: Kind = _WORDS.get(head.lower(), "use")
    who, _, topic = rest.partition(" about ")
    for lead in ("at ", "to ", "for "):
        who = who.removeprefix(lead)
    return Option(text=text, kind=kind, who=who, topic=topic)


def as_offer(text: str) -> Option:
    """An opening as an option. What is no question, no look and no way is a deed that the story
    itself offers here."""
    option = as_option(text)
    if option.kind in ("look", "go"):
        return option
    hinted = {"new": True} if option.kind == "ask" else {"topic": OFFERED}
    return option.model_copy(update=hinted)


def kind_of(text: str) -> Kind:
    """The sort of deed that words name; `use` when none is known."""
    kind = _WORDS.get(text.split()[0].lower() if text.split() else "", "use")
    return kind if kind in KINDS else "use"


def _fresh(state: GameState, rules: Rules, recent: list[TurnText]) -> list[Option]:
    found = openings(state, rules, recent)
    return [as_offer(text) for text in found if not text.startswith("Go ")]


def _in_small(option: Option) -> Option:
    """Articles inside a deed as one writes them there."""
    small = {name: _THE.sub("the", getattr(option, name)) for name in ("text", "topic")}
    return option.model_copy(update=small) if _THE.search(option.text) else option


_THE = re.compile(r"(?<=[a-z] )The(?= [a-z])")


def _once_each(found: Iterable[Option], tried: dict[str, int]) -> list[Option]:
    """No deed twice, no second look at what is looked at in the same breath; ways by how seldom
    they were taken."""
    kept: dict[tuple[str, str], Option] = {}
    for option in found:
        times = tried.get(option.text, 0)
        if option.text.startswith("Look at ") and tried.get(f"Search {option.text[8:]}"):
            continue
        patient = option.kind == "use" and option.topic in _TRIED_AGAIN and times < AGAIN
        if times < _PATIENCE.get(option.kind, 1) or patient:
            same = option.who if option.kind in ("look", "go") else option.text
            key = (option.kind, plain_form(same))
            kept.setdefault(key, option.model_copy(update={"tried": times}))
    return sorted(kept.values(), key=lambda option: min(option.tried, 1))


def _over(found: list[Option], tried: dict[str, int]) -> list[Option]:
    """Questions and looks of which nobody would think again who remembers them."""
    again = [o for o in found if o.kind in ("ask", "look") and tried.get(o.text)]
    return list({option.text: option for option in again}.values())[:_MOST_OVER]


_MOST_OVER = 24


def _handles(state: GameState, rules: Rules) -> list[Option]:
    """What anyone would try with a thing in sight: doors are opened, wheels turned, books read."""
    names = things_at(state.scene.location_id, state, rules)
    return [
        Option(text=f"{verb} {inside(with_article(name))}", kind="use", who=name)
        for name in names
        if (verb := ideas.handling(name))
    ]


def _search(state: GameState) -> Option:
    """Whoever has nothing better to do goes through the place, once."""
    place = state.name(state.scene.location_id)
    return Option(text=f"Search {inside(place)}", kind="look", who=place)


def _things(state: GameState) -> list[Option]:
    """What lies in sight and is not ours."""
    here = state.scene.location_id
    return [
        Option(text=f"Take {inside(state.name(h.item_id))}", kind="take", who=state.name(h.item_id))
        for h in state.held(here)
        if h.item_id in state.entities
        and state.entities[h.item_id].type == "item"
        and _is_light(state, h)
    ]


def _is_light(state: GameState, held: Holding) -> bool:
    return state.entities[held.item_id].attrs.get("portable") is not False


def _ways(state: GameState, rules: Rules, tried: dict[str, int]) -> list[Option]:
    """Every open way, those never taken first."""
    ways = [
        way for way in rules.exits(state.scene.location_id, state) if check(way.when, state).holds
    ]
    ways.sort(key=lambda way: int(state.value(way.to, "visited") or 0))
    found = []
    for way in {way.to: way for way in reversed(ways)}.values():
        ours = way.when and any(ideas.door_of(way, state) in deed for deed in tried)
        option = Option(
            text=f"Go to {inside(state.name(way.to))}",
            kind="go",
            who=state.name(way.to),
            topic=OPENED if ours else "",
            new=not state.value(way.to, "visited"),
        )
        found.append(option)
    return found[::-1]
