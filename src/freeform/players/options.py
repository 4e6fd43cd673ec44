"""What a party could do here, drawn only from what the engine shows people: openings, belongings, ways, things in sight."""

from collections.abc import Sequence

from freeform.engine.checks import inside
from freeform.engine.conditions import check
from freeform.engine.context import is_known
from freeform.engine.offers import openings
from freeform.engine.ports import TurnText
from freeform.engine.table import Rules
from freeform.engine.world import PLAYER, GameState, Holding
from freeform.players.model import KINDS, Kind, Option, TableView

_MOST = 24
_WORDS: dict[str, Kind] = {"ask": "ask", "look": "look", "search": "look", "go": "go", "take": "take", "show": "show",
                           "talk": "talk", "examine": "look", "walk": "go"}  # fmt: skip


def look_at_table(
    state: GameState, rules: Rules, recent: list[TurnText], tried: dict[str, int], suggested: Sequence[str] = ()
) -> TableView:
    """The table as everyone sees it, with what could be done next: fresh things first. `suggested` is what the
    game master's last words offered to whoever acted."""
    here = state.scene.location_id
    people = [who for who in state.scene.present_entity_ids if who != PLAYER]
    minute = float(state.scene.time.get("minute") or 0)
    offered = [as_option(text) for text in suggested if not text.startswith("Go ")]
    found = [*_fresh(state, rules, recent), *_things(state), *offered, *_shows(state, people), *_ways(state, rules)]
    unique = {option.text: option for option in reversed(found)}
    options = [
        option
        for option in found
        if unique[option.text] is option and (option.kind == "go" or not tried.get(option.text))
    ]
    options.sort(key=lambda option: min(tried.get(option.text, 0), 3))
    return TableView(
        place=state.name(here),
        day=round(float(state.scene.time.get("day") or 1) + minute / 1440, 4),
        people=[state.name(who) for who in people],
        carried=[state.name(h.item_id) for h in state.held(PLAYER)],
        threads=[t.title for t in state.threads.values() if t.status == "active"],
        options=options[:_MOST],
        names=sorted(e.name for e in state.entities.values() if e.type == "npc" and is_known(e.id, state, rules)),
    )


def as_option(text: str) -> Option:
    """Words of a suggestion as an option: `Ask Dutch about Jin`."""
    head, _, rest = text.partition(" ")
    kind: Kind = _WORDS.get(head.lower(), "use")
    who, _, topic = rest.partition(" about ")
    for lead in ("at ", "to ", "for "):
        who = who.removeprefix(lead)
    return Option(text=text, kind=kind, who=who, topic=topic)


def kind_of(text: str) -> Kind:
    """The sort of deed that words name; `use` when none is known."""
    kind = _WORDS.get(text.split()[0].lower() if text.split() else "", "use")
    return kind if kind in KINDS else "use"


def _fresh(state: GameState, rules: Rules, recent: list[TurnText]) -> list[Option]:
    return [as_option(text) for text in openings(state, rules, recent)]


def _things(state: GameState) -> list[Option]:
    """What lies in sight and is not ours."""
    here = state.scene.location_id
    return [
        Option(text=f"Take {inside(state.name(h.item_id))}", kind="take", who=state.name(h.item_id))
        for h in state.held(here)
        if h.item_id in state.entities and state.entities[h.item_id].type == "item" and _is_light(state, h)
    ]


def _is_light(state: GameState, held: Holding) -> bool:
    return state.entities[held.item_id].attrs.get("portable") is not False


def _shows(state: GameState, people: list[str]) -> list[Option]:
    """What we carry that an open question concerns, to whoever is here."""
    about = {id for thread in state.threads.values() if thread.status == "active" for id in thread.related_entity_ids}
    telling = [h.item_id for h in state.held(PLAYER) if h.item_id in about]
    return [
        Option(
            text=f"Show {state.name(who)} {inside(state.name(item))}", kind="show", who=state.name(who),
            topic=state.name(item),
        )
        for item in telling[:3]
        for who in people[:3]
    ]  # fmt: skip


def _ways(state: GameState, rules: Rules) -> list[Option]:
    """Every open way, those never taken first."""
    ways = [way.to for way in rules.exits(state.scene.location_id, state) if check(way.when, state).holds]
    ways.sort(key=lambda to: int(state.value(to, "visited") or 0))
    return [
        Option(text=f"Go to {inside(state.name(to))}", kind="go", who=state.name(to)) for to in dict.fromkeys(ways)
    ]
