"""What people do while the player's character is elsewhere: the moves an author gave them, or a
visit that their wants suggest. Each is done once, is logged, and can be found out.

    a turn ends ─> each who is not here ─> the first of their moves that is due ─> effects,
                                           and a hidden fact `did:<move>` with the place of it
"""

from collections.abc import Iterator

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import PersonMove
from freeform.engine.minds.reply import DID
from freeform.engine.minds.whereabouts import way_between
from freeform.engine.rules.effects import DAY, perform
from freeform.engine.rules.ledger import Disclosure, Ledger
from freeform.engine.rulings.reach import is_gone
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER, Fact, GameState

MEANWHILE = "meanwhile"
"""The tag of events that happen out of sight."""
OPENLY = "open"
"""The tag of what someone makes no secret of."""
VISIT, VISIT_AFTER = "visit", 90
"""The move that nobody wrote, and the minutes of play after which it is made."""
_UNFREE = ("bound", "trapped", "locked in", "asleep")


def act_meanwhile(page: Ledger, rules: Rules) -> None:
    """Everyone who is elsewhere makes at most one move."""
    passed = minutes_played(page.state, rules)
    for who in sorted(rules.scenario.people):
        if not _is_free(who, page.state):
            continue
        for move in _moves_of(who, page.state, rules):
            done = page.state.fact(who, f"{DID}{move.id}") is not None
            if not done and passed >= move.after and check(move.when, page.state).holds:
                _make(move, who, page, rules)
                break


def done_at(place: str, state: GameState) -> list[Fact]:
    """What was done in a place out of sight, and is not known yet."""
    hidden = (state.facts[id] for id in state.hidden if id in state.facts)
    return [
        fact
        for fact in hidden
        if fact.predicate.startswith(DID) and fact.object.get("value") == place
    ]


def minutes_played(state: GameState, rules: Rules) -> int:
    """The minutes since play began."""
    start, time = rules.scenario.start, state.scene.time
    days = int(time.get("day", 1)) - start.day
    return days * DAY + int(time.get("minute", 0)) - start.minute


def _is_free(who: str, state: GameState) -> bool:
    """Whether someone could act on their own: out of sight, alive, in nobody's company, unbound."""
    if who in state.scene.present_entity_ids or who not in state.entities or is_gone(who, state):
        return False
    follows = state.value(who, "follows") == PLAYER
    held = any(state.value(who, name) is True for name in _UNFREE)
    return bool(state.value(who, "at")) and not follows and not held


def _moves_of(who: str, state: GameState, rules: Rules) -> Iterator[PersonMove]:
    person = rules.person(who)
    if person.moves:
        yield from person.moves
    elif person.agenda:
        yield from _visits(who, state, rules)


def _visits(who: str, state: GameState, rules: Rules) -> Iterator[PersonMove]:
    """Whoever has a stake in an open question goes to see another who has."""
    home = str(state.value(who, "at"))
    for thread in state.threads.values():
        if thread.status != "active" or who not in thread.related_entity_ids:
            continue
        for other in thread.related_entity_ids:
            there = str(state.value(other, "at") or "")
            if other in (who, PLAYER) or there in ("", home) or is_gone(other, state):
                continue
            if not way_between(home, there, state, rules) or not _is_person(other, state):
                continue
            names = [state.name(id) for id in (who, there, other)]
            told = f"{names[0]} went to {names[1]}, talked with {names[2]}, and went back."
            yield PersonMove(id=VISIT, after=VISIT_AFTER, does=told, at=there)
            return


def _is_person(id: str, state: GameState) -> bool:
    return id in state.entities and state.entities[id].type == "npc"


def _make(move: PersonMove, who: str, page: Ledger, rules: Rules) -> None:
    place = move.at or str(page.state.value(who, "at") or "")
    tags = (MEANWHILE, OPENLY) if move.open else (MEANWHILE,)
    page.settle(
        who, f"{DID}{move.id}", place, text=move.does, tags=tags, disclosure=Disclosure("hidden")
    )
    page.happen("meanwhile", (MEANWHILE,), npc=who, id=move.id, at=place)
    perform(move.effects, page, rules, f"{page.state.name(who)}, meanwhile")
