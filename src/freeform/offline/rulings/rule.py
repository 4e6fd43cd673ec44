"""READ THIS FIRST. The offline referee's rulings: a heard act with no authored deed gets one, or
none.

    heard acts ─> the clause each came from ─> its verb proposes kinds of deed (`deeds.yaml`)
               ─> a kind whose roles are in sight gives a ruling ─> the engine checks and plays it

A verb proposes and never decides: without what it is done to, nothing is ruled, and the act is
judged as it was heard.
"""

from collections.abc import Callable, Sequence
from typing import Any

from freeform.core.chance import Chance
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.acts import FREE
from freeform.engine.world.model import InterpreterOutput, ProposedAction
from freeform.engine.world.names import words
from freeform.offline.interpreter.build import RulesListener, interpret
from freeform.offline.rulings import people, things
from freeform.offline.rulings.clause import DeedClause, deed_clauses
from freeform.offline.rulings.deed import Deed

Build = Callable[[Deed], dict[str, Any] | None]
BUILDERS: tuple[Build, ...] = (
    people.promise,
    people.come_along,
    people.keep_watch,
    people.stay_here,
    people.comfort,
    people.teach,
    people.trade,
    people.pay,
    things.disguise,
    things.cover,
    things.throw,
    people.distract,
    people.carry_person,
    people.bind,
    things.fasten,
    things.block,
    things.hide_thing,
    things.mark,
    things.light,
    things.put_out,
    things.wet,
    things.signal,
    people.wait_for,
    people.look_after,
    things.move_thing,
    things.take_up,
)
"""Each kind, the more particular before the more general."""
_LEFT_ALONE = frozenset({"ooc", "gm_question", "plan_only", "none"})
"""Nothing is done, so nothing is ruled."""
_KNOWN = frozenset({"look", "search", "recall", "attack", "steal", "flee"})
"""Kinds of act that have rules of their own."""
_SAME = 0.5
"""Share of an act's words that must stand in a clause for it to have come from there."""


def respond(input: InterpreterInput, chance: Chance) -> InterpreterOutput:
    """The offline answer to `engine/interpreter` by the rules alone."""
    return with_rulings(interpret(input), input, chance)


def with_rulings(
    heard: InterpreterOutput, input: InterpreterInput, chance: Chance
) -> InterpreterOutput:
    """The same acts; those that are a deed nobody authored, with a ruling."""
    if heard.question or not any(_may_be_ruled(act) for act in heard.proposed_actions):
        return heard
    ruled = _rulings(input, chance.at("ruling"))
    if not ruled:
        return heard
    acts: list[ProposedAction] = []
    used: set[int] = set()
    for act in heard.proposed_actions:
        number = _clause_of(act, [clause for clause, _ in ruled], len(heard.proposed_actions))
        if number is None or not _may_be_ruled(act):
            acts.append(act)
        elif number not in used:
            used.add(number)
            acts.append(_with(act, *ruled[number]))
    return heard.model_copy(update={"proposed_actions": acts})


def _may_be_ruled(act: ProposedAction) -> bool:
    return not act.deed and act.family not in _LEFT_ALONE and act.action not in _KNOWN | _LEFT_ALONE


def _rulings(input: InterpreterInput, chance: Chance) -> list[tuple[DeedClause, dict[str, Any]]]:
    """Every clause that is a deed of a known kind, with its ruling."""
    hearing = RulesListener(input).begun(input.player_input)
    if any(token.kind == "mark" and token.text == "?" for token in hearing.typed.tokens):
        return []
    found = []
    for number, clause in enumerate(deed_clauses(hearing)):
        deed = Deed(clause, chance.at(number))
        spoken_of = [m for m in hearing.mentions if m.last <= clause.whole.first]
        hearing.said[:] = [mention.best() for mention in spoken_of]
        given = next((ruling for build in BUILDERS if (ruling := build(deed))), None)
        if given:
            found.append((clause, given))
    return found


def _clause_of(act: ProposedAction, clauses: Sequence[DeedClause], acts: int) -> int | None:
    """The clause an act came from; the only one, where there is one act."""
    if acts == 1:
        return 0
    said = words(act.details)
    shares = [len(said & words(clause.text)) / len(said) if said else 0.0 for clause in clauses]
    best = max(range(len(clauses)), key=lambda number: shares[number])
    return best if shares[best] >= _SAME else None


def _with(act: ProposedAction, clause: DeedClause, given: dict[str, Any]) -> ProposedAction:
    """The act with its ruling; what was heard as colour alone is a deed after all."""
    changes: dict[str, Any] = {"ruling": given}
    if act.family in FREE or act.action in FREE:
        changes |= {"action": "improvise", "family": "use", "details": clause.text}
    return ProposedAction.model_validate({**act.model_dump(), **changes})
