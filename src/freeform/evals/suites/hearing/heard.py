"""What a turn was heard as, held against the slots of a gold case."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from freeform.engine.world.acts import OF_ACTION
from freeform.engine.world.model import EngineEvent, ProposedAction, TurnResult
from freeform.engine.world.state import PLAYER, GameState
from freeform.evals.suites.hearing.effects import short
from freeform.evals.suites.hearing.gold import NO_TARGET, GoldSlot

QUIET = frozenset({"look", "recall", "ooc", "none"})
"""Kinds that may stand beside anything: a question, a glance, nothing."""
_SPOKEN_APART = {"search": "look", "express": "improvise", "plan": "none", "gm_question": "ooc"}
"""Actions of ours that the gold knows by another name; the others go by their own."""
_OF_FAMILY = {
    "search": "look",
    "open_close": "open",
    "unlock_break": "break",
    "sneak_hide": "hide",
    "help_heal": "help",
    "make_improvise": "improvise",
    "wait_rest": "wait",
    "express": "improvise",
    "gm_question": "ooc",
    "plan_only": "none",
    "": "improvise",
}
"""For an action that is no type of ours: the nearest kind, where the family is not one itself."""
_UNAIMED = ("moved", "passed", "npc_arrived", "npc_left", "tension_move", "thread_changed")
"""Events that touch someone whom the act was not aimed at."""
_WAYS = ("move", "flee", "follow")


@dataclass(frozen=True)
class Act:
    """One act as it was heard."""

    kind: str
    action: str
    target: str
    details: str
    blocked: bool = False
    deed: frozenset[str] = frozenset()
    """The telling words in the id of the authored deed it was taken for."""

    def __str__(self) -> str:
        """As a report shows it; a mark says that it was refused."""
        mark = "!" if self.blocked else ""
        return f"{self.action}({short(self.target)}|{self.details}){mark}"


@dataclass(frozen=True)
class TurnScene:
    """What an act is judged by besides itself."""

    here: str
    ids: frozenset[str]
    touched: frozenset[str]
    """Whom and what the events of the turn speak of."""
    topics: str
    moved_to: str
    refusal_is_miss: bool

    def is_nothing(self, target: str) -> bool:
        """Whether a target names nobody and nothing in particular."""
        return target in ("", PLAYER, self.here) or target not in self.ids


def kind_of(action: ProposedAction) -> str:
    """The kind of an act by the gold's names."""
    if action.action in OF_ACTION:
        return _SPOKEN_APART.get(action.action, action.action)
    if action.action == "none":
        return "none"
    return _OF_FAMILY.get(action.family, action.family)


def acts_of(result: TurnResult) -> list[Act]:
    """The acts that were heard, in their order."""
    refused = {(b.action, b.target_id) for b in result.validator.blocked_actions}
    deeds = {(a.action, a.target_id): a.affordance for a in result.validator.allowed_actions}
    acts = []
    for heard in result.interpreter.proposed_actions:
        key = (heard.action, heard.target_id)
        words = re.split(r"[^a-z]+", deeds.get(key, "").lower())
        acts.append(
            Act(
                kind=kind_of(heard),
                action=heard.action,
                target=heard.target_id,
                details=heard.details,
                blocked=key in refused,
                deed=frozenset(word for word in words if len(word) > 3),
            )
        )
    return acts


def surroundings(
    result: TurnResult, before: GameState, moved_to: str, *, refusal_is_miss: bool
) -> TurnScene:
    """What the acts of a turn are judged by."""
    by_name = {entity.name.lower(): entity.id for entity in before.entities.values()}
    touched = set[str]()
    for event in result.engine_events:
        if event.type not in _UNAIMED and "clock" not in event.tags:
            touched.update(_touched(event, by_name))
    said = [
        str(event.details.get(key, ""))
        for event in result.engine_events
        for key in ("topic", "words", "name")
    ]
    return TurnScene(
        here=before.scene.location_id,
        ids=frozenset(before.entities),
        touched=frozenset(touched - {""}),
        topics=" ".join(said),
        moved_to=moved_to,
        refusal_is_miss=refusal_is_miss,
    )


def _touched(event: EngineEvent, by_name: dict[str, str]) -> list[str]:
    named = by_name.get(str(event.details.get("name", "")).lower(), "")
    return [str(event.details.get(key) or "") for key in ("target", "npc", "item")] + [named]


def near(act: Act, slot: GoldSlot, around: TurnScene) -> bool:
    """Whether an act is of the slot's kind and aimed where it should be."""
    return act.kind in slot.kinds and _aimed(act, slot, around)


def fills(act: Act, slot: GoldSlot, around: TurnScene) -> bool:
    """Whether an act is what the slot asks for, was not wrongly refused, and holds its word."""
    if act.blocked and around.refusal_is_miss:
        return False
    return near(act, slot, around) and _holds_word(act, slot, around)


def _aimed(act: Act, slot: GoldSlot, around: TurnScene) -> bool:
    wanted = slot.targets
    if wanted is None or act.target in wanted:
        return True
    nothing = around.is_nothing(act.target)
    if nothing and NO_TARGET in wanted:
        return True
    # No id or a wrong one, but the turn dealt with the right one all the same.
    if wanted & around.touched and (nothing or act.target not in around.touched):
        return True
    if nothing and act.kind in _WAYS and around.moved_to in wanted:
        return True
    return any(short(id).startswith(word) for id in wanted for word in act.deed)


def _holds_word(act: Act, slot: GoldSlot, around: TurnScene) -> bool:
    if not slot.words:
        return True
    text = f"{act.details} {act.target} {around.topics}".lower()
    return any(word in text for word in slot.words)


def best_filling(
    slots: Sequence[GoldSlot],
    acts: Sequence[Act],
    around: TurnScene,
    taken: frozenset[int] = frozenset(),
) -> frozenset[int]:
    """The acts, by number, that fill as many slots as can be, each act one slot."""
    if not slots:
        return taken
    best = best_filling(slots[1:], acts, around, taken)
    for number, act in enumerate(acts):
        if number not in taken and fills(act, slots[0], around):
            found = best_filling(slots[1:], acts, around, taken | {number})
            if len(found) > len(best):
                best = found
    return best
