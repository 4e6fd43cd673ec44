"""A narrator who claims what is not so, in fields and in prose: nothing of it becomes canon, and no
sentence of it is shown."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from freeform.core.clock import HandClock
from freeform.core.llm.gateway import Call
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.core.llm.tape import MemoryTapes
from freeform.engine.canon.claims import BY_EVENTS
from freeform.engine.canon.happened import Happened
from freeform.engine.passes import NarratorInput
from freeform.engine.prose import ProseGuard, Told, tell_in_prose
from freeform.engine.signals import Again, Prose, Signal
from freeform.engine.table import Rules
from freeform.engine.world.model import (
    AllowedAction,
    BlockedAction,
    ContextPacket,
    PlannerOutput,
    StateDiff,
)
from freeform.engine.world.scales import opposite_words, word_on_scale
from freeform.engine.world.state import PLAYER, Entity, GameState
from tests.engine.asking import opening
from tests.engine.cellar import after
from tests.engine.cellar import table as cellar
from tests.engine.tables import ScriptedModel, answers

BEFORE, AFTER = "Rain ticks on the window.", "Somewhere a pipe knocks twice."
LOOKED = AllowedAction(action="look")


@dataclass(frozen=True)
class Hostile:
    """An answer that claims what is not so: its sentence, and the fields beside it."""

    kind: str
    sentence: str
    fields: dict[str, Any] = field(default_factory=dict)
    blocked: tuple[BlockedAction, ...] = ()


def fact(subject: str, predicate: str, detail: str) -> dict[str, Any]:
    claim = {"subject_id": subject, "predicate": predicate, "detail": detail}
    return {"established_facts": [claim]}


def of_people(state: GameState) -> Iterator[Hostile]:
    here = state.scene.location_id
    for one in people(state):
        who, id = one.name, one.id
        if id in state.scene.present_entity_ids:
            yield Hostile("gone", f"{who} leaves.", fact(id, "at", "far away"))
            yield Hostile("gone", f"By now {who} is gone.")
        else:
            yield Hostile("here", f"{who} sits down beside you.", fact(id, "at", here))
            yield Hostile("here", f"{who} walks in and nods at you.",
                          {"introduced_npcs": [{"id": id, "name": who}]})  # fmt: skip
            yield Hostile("here", f"In the corner {who} slowly smiles.", fact(id, "location", here))
        yield Hostile("death", f"{who} is dead.", fact(id, "condition", "dead"))
        yield Hostile("death", f"You kill {who} with one blow.", fact(id, "status", "killed"))
        yield Hostile("death", f"Without a word {who} dies.", fact(id, "life", "dead"))
        they = "She" if "she" in str(state.entities[id].attrs.get("pronouns")) else "He"
        dies = f"{who} looks at you once more. {they} is dead."
        yield Hostile("death", dies, fact(id, "is", "dead"))


def of_things(state: GameState) -> Iterator[Hostile]:
    held = {item for owner, item in state.inventory if owner == PLAYER}
    for one in (e for e in state.entities.values() if e.type == "item" and e.id not in held):
        name = one.name.removeprefix("the ").removeprefix("a ")
        moved = {"introduced_items": [{"id": one.id, "name": one.name, "location": "player"}]}
        yield Hostile("holder", f"You take the {name}.", fact(one.id, "owner", "player"))
        yield Hostile("holder", f"Someone hands you the {name}.", moved)
        yield Hostile("holder", f"The {name} is in your hand now.", fact(one.id, "at", "player"))
        yield Hostile("holder", f"You have the {name}.", fact(PLAYER, "has", one.name))


def of_locks(state: GameState) -> Iterator[Hostile]:
    for one in state.entities.values():
        for settled in state.weighed_of(one.id):
            value = settled.object.get("value")
            said = word_on_scale(value)
            if settled.visibility != "known" or one.type == "npc" or not said:
                continue
            for other in sorted(opposite_words(said)):
                name = one.name.removeprefix("the ").removeprefix("The ")
                claim = fact(one.id, settled.predicate, other)
                yield Hostile("state", f"The {name} is {other}.", claim)
                yield Hostile("state", f"To your surprise the {name} stands {other} now.", claim)


def of_places(state: GameState) -> Iterator[Hostile]:
    for one in state.entities.values():
        if one.type == "location" and one.id != state.scene.location_id:
            there = one.name
            moved = {"scene_transition": {"location_id": one.id}}
            yield Hostile("scene", f"You are in {there} now.", moved)
            yield Hostile("scene", f"You walk into {there}.", moved)


def of_threads(state: GameState) -> Iterator[Hostile]:
    for thread in state.threads.values():
        for status in {"resolved", "failed", "active", "hidden"} - {thread.status}:
            reason = f"It is {status}: {thread.title}"
            update = {"id": thread.id, "status": status, "reason": reason}
            yield Hostile("thread", reason.rstrip("?") + ".", {"thread_updates": [update]})


def of_refusals(state: GameState) -> Iterator[Hostile]:
    for one in people(state):
        refused = BlockedAction(action="attack", target_id=one.id, reason="Not here.")
        yield Hostile("refused", f"You attack {one.name}.", blocked=(refused,))
    for one in (e for e in state.entities.values() if e.type == "object"):
        name = one.name.removeprefix("the ").removeprefix("The ")
        refused = BlockedAction(action="open", target_id=one.id, reason="It will not move.")
        yield Hostile("refused", f"You open the {name} with ease.", blocked=(refused,))


def of_names(state: GameState) -> Iterator[Hostile]:
    """No sentence of these need be cut: people lie about names; canon must not follow."""
    for one in people(state):
        yield Hostile("name", "", fact(one.id, "name", "Ferdinand Quill"))
        yield Hostile("name", "", fact(PLAYER, "rank", "king of all the islands"))


def people(state: GameState) -> list[Entity]:
    return [one for one in state.entities.values() if one.type == "npc" and not hidden(one, state)]


def hidden(one: Entity, state: GameState) -> bool:
    """Someone whose name is a description, which the test's sentences do not fit."""
    return not one.name[:1].isupper() or one.name.lower().startswith(("the ", "a "))


KINDS = (of_people, of_things, of_locks, of_places, of_threads, of_refusals, of_names)
WORLDS = {"cellar": cellar, "dead_drop": lambda: opening("dead_drop"),
          "drowned_bell": lambda: opening("drowned_bell")}  # fmt: skip
BEGINNINGS = {world: begin()[0] for world, begin in WORLDS.items()}
CASES = [
    (world, case) for world, state in BEGINNINGS.items() for kind in KINDS for case in kind(state)
]


async def told(
    case: Hostile, state: GameState, rules: Rules, then: dict[str, Any] | None = None
) -> tuple[Told, list[Signal], ScriptedModel]:
    """The answer told at that table; `then` is what the model says when asked anew."""
    prose = f"{BEFORE} {case.sentence} {AFTER}".replace("  ", " ")
    first = {"final_text": prose, **case.fields}
    said = iter([first, then or first])
    model = ScriptedModel(lambda pass_id, input: next(said))
    gateway = LiveGateway(
        ModelsByRole(model, ScriptedModel(answers())),
        prompts=bundled(),
        tapes=MemoryTapes(),
        clock=HandClock(),
    )
    happened = Happened(allowed=[LOOKED], blocked=list(case.blocked), player_input="look around")
    wanted = NarratorInput(
        context_packet=ContextPacket(),
        player_input="look around",
        engine_events=[],
        planner_output=PlannerOutput(),
    )
    seen: list[Signal] = []
    guard = ProseGuard(state, rules, rules.limits(state), happened)
    return await tell_in_prose(wanted, Call(), guard, gateway, seen.append), seen, model


def on_the_page(seen: list[Signal]) -> str:
    """What stands there in the end."""
    page = ""
    for signal in seen:
        page = "" if isinstance(signal, Again) else page + signal.piece  # type: ignore[union-attr]
        assert isinstance(signal, Again | Prose)
    return page


def changes(diff: StateDiff, state: GameState) -> list[str]:
    """What of a diff touches canon: anything but details and things of the narrator's own."""
    found = [f"fact {fact.id}" for fact in diff.facts_add if fact.predicate in BY_EVENTS]
    found += [f"fact {fact.id}" for fact in diff.facts_update]
    found += [f"thread {each.id}" for each in diff.threads_update]
    found += [f"entity {each.id}" for each in diff.entities_update]
    found += [f"new {each.id}" for each in diff.entities_add if each.id in state.entities]
    found += [
        f"has {each.item_id}" for each in diff.inventory_add if each.item_id in state.entities
    ]
    found += [f"has {each.item_id}" for each in diff.inventory_changes]
    found += ["scene"] if diff.scene_update else []
    found += ["player"] if any(fact.subject_id == PLAYER for fact in diff.facts_add) else []
    return found


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 500
    assert len({case.kind for _, case in CASES}) == 9


@pytest.mark.parametrize("world", WORLDS)
async def test_no_hostile_telling_changes_canon_or_is_shown(world: str) -> None:
    state, rules = WORLDS[world]()
    changed, shown, lost, asked = [], [], [], set()
    for name, case in CASES:
        if name != world:
            continue
        came, seen, model = await told(case, state, rules)
        changed += [(case, each) for each in changes(came.accepted.diff, state)]
        last = case.sentence.split(". ")[-1]
        shown += [case for text in (came.final_text, on_the_page(seen)) if last and last in text]
        lost += [case for text in (BEFORE, AFTER) if text not in came.final_text]
        asked.add((len(model.asked), bool(case.sentence)))
    assert (changed, shown, lost) == ([], [], [])
    assert asked == {(2, True), (1, False)}, "each is asked for anew, once"


async def test_a_telling_that_is_put_right_is_shown_as_it_then_is() -> None:
    state, rules = cellar()
    case = Hostile("state", "The cellar door stands open.")
    right = {"final_text": "The cellar door stays locked. Orla sighs."}
    came, seen, model = await told(case, state, rules, right)
    assert came.final_text == right["final_text"] == on_the_page(seen).strip()
    assert "cellar door is locked" in model.asked[1].text
    assert came.answer.usage.calls == 2


TRUE = [
    "Orla sets a mug before you.",
    "The cellar door is still locked, and the iron key hangs at Orla's belt.",
    'Orla laughs. "Finn is dead," she says. "The door is open. You have the key."',
    "You could open the cellar door, if you had the key.",
    "You try to open the cellar door, but it is locked.",
    "You think of Finn, out in the yard.",
    "Finn owes her money, they say.",
    "Orla is dead tired.",
    "You look towards the yard.",
    "From here you can reach the yard.",
    "You take a look at the cellar door.",
    "The brass lamp is in your hand.",
    "You hold the brass lamp higher.",
    "Orla's hand leaves the iron key alone.",
    "Nobody has opened the cellar door tonight.",
    "You want the iron key.",
    "Orla will not give you the iron key.",
    "She is not gone, only quiet.",
    "Orla leaves the glass on the counter.",
    "You are almost in the yard when Orla calls you back.",
    "Behind the locked cellar door something drips.",
    "That is Finn's jacket on the hook.",
    "Finn waits in the yard, they say.",
    "Finn was sitting here an hour ago.",
    "Orla points a mug in your direction.",
]
FREELY = [
    "Orla crumples behind the counter, a red hole in her forehead.",
    "Orla's throat is cut and she is dead before she hits the floor.",
    "The bolt takes Orla in the chest and kills her.",
    "Finn is sitting two stools down, grinning.",
    "Suddenly Finn stands in the doorway.",
    "By the hearth stands Finn, wet to the knees.",
    "Finn has come in from the rain and is warming his hands.",
    "Finn's hand falls on your shoulder.",
    "You turn to find Finn behind you.",
    "Finn, still wet, pours you a beer.",
    "The cellar door isn't locked after all.",
    "The cellar door gives under your palm and swings wide.",
    "With a click the cellar door comes open.",
    "The door to the cellar stands ajar.",
    "You unlock the cellar door.",
    "The cellar door has been forced open.",
    "Orla unlocks the cellar door for you.",
    "Your fingers close around the iron key.",
    "The iron key slides into your pocket.",
    "The iron key is yours.",
    "Orla presses the iron key into your palm.",
    "You lift the iron key from Orla's belt.",
    "You pocket the key.",
    "The black ledger lies in your lap.",
    "You leaf through the black ledger.",
    "You slip out into the yard.",
    "You find yourself in the cellar.",
    "Mud sucks at your boots as you cross the yard.",
    "The yard is dark around you.",
    "You step through the cellar door and down the stairs.",
    "You drop the brass lamp and it shatters.",
    "You no longer have the brass lamp.",
    "Orla takes the brass lamp from your hand.",
    "The brass lamp is broken.",
    "Orla is gone.",
    "Orla has left the taproom.",
    "Orla hurries out into the yard.",
    "You set fire to the taproom, and it burns down.",
    "Finn is dead, drowned in the well.",
    "They found Finn's corpse this morning.",
]
"""Forty contradictions in free words, written before a rule was looked at for them."""


@pytest.mark.parametrize("sentence", TRUE)
async def test_what_is_so_or_only_said_stands(sentence: str) -> None:
    state, rules = cellar()
    came, _, model = await told(Hostile("true", sentence), state, rules)
    assert sentence in came.final_text
    assert len(model.asked) == 1


INNOCENT = [
    "The dead wick of the lamp spits, thinks, and takes.",
    "The boy nods at you from the door.",
    "Obed Crake coughs. Then she looks up.",
]
"""Wick, a boy, and Obed, a man, are elsewhere or no such thing is said of them."""


@pytest.mark.parametrize("sentence", INNOCENT)
async def test_who_is_not_named_is_not_spoken_of(sentence: str) -> None:
    state, rules = opening("drowned_bell")
    came, _, _ = await told(Hostile("innocent", sentence), state, rules)
    assert sentence in came.final_text


async def test_most_contradictions_in_free_words_are_seen() -> None:
    """The first run stands at 13 of 40; since then it has been learnt from."""
    state, rules = cellar()
    shown = []
    for sentence in FREELY:
        came, _, _ = await told(Hostile("free", sentence), state, rules)
        shown += [sentence] if sentence in came.final_text else []
    assert len(FREELY) - len(shown) >= 31, shown


async def test_the_dead_do_nothing() -> None:
    state, rules = cellar()
    dead = {"id": "d", "subject_id": "t:orla", "predicate": "status", "object": {"value": "dead"}}
    state = after(state, facts_add=[dead])
    for sentence in ("Orla nods at you.", "Orla is alive and well.", "Orla walks to the door."):
        came, _, _ = await told(Hostile("dead", sentence), state, rules)
        assert sentence not in came.final_text
    came, _, _ = await told(Hostile("dead", "Orla lies where she fell."), state, rules)
    assert "where she fell" in came.final_text
