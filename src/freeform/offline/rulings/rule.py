"""READ THIS FIRST. The offline referee's rulings: a heard act with no authored deed gets one, or
none.

    heard acts ─> the clause each came from ─> its verb proposes kinds of deed (`deeds.yaml`)
               ─> a kind whose roles are in sight gives a ruling ─> the engine checks and plays it

    what no kind takes ─> the ear reads what becomes of it (`outcome.py`) ─> the same check
    what was heard as a look or as words, and plainly changes something ─> the same (`amiss.py`)

A verb proposes and never decides, and so does the ear: without what it is done to, nothing is
ruled, and the act is judged as it was heard.
"""

from collections.abc import Callable, Sequence
from typing import Any

from freeform.core.chance import Chance
from freeform.engine.authored.fitting import LIKE
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.acts import FREE
from freeform.engine.world.model import InterpreterOutput, ProposedAction
from freeform.engine.world.names import words
from freeform.language.meaning.outcome import OutcomeEar
from freeform.offline.interpreter.build import RulesListener, interpret
from freeform.offline.rulings import money, people, things
from freeform.offline.rulings.amiss import (
    heard_amiss,
    is_of_another_thing,
    may_be_amiss,
    may_promise,
    opened_nothing,
    said_to_a_thing,
    without_gestures,
)
from freeform.offline.rulings.bold import emboldened
from freeform.offline.rulings.clause import DeedClause, deed_clauses
from freeform.offline.rulings.deed import Deed
from freeform.offline.rulings.outcome import ReadDeed
from freeform.offline.rulings.own_saying import with_whole_sayings
from freeform.offline.rulings.steps import as_steps, with_missed, with_what_went_before

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
    money.sell,
    money.bribe,
    money.pay_sum,
    money.buy,
    things.disguise,
    things.smash,
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
_LEFT_ALONE = frozenset({"ooc", "gm_question", "plan_only", "plan", "none"})
"""Nothing is done, so nothing is ruled."""
_KNOWN = frozenset({"look", "search", "recall", "attack", "steal", "flee"})
"""Kinds of act that have rules of their own."""
_READ = frozenset(
    {"improvise", "express", "use", "help", "heal", "open", "close", "break", "repair", "brave"}
)
"""Acts of which their own words say best what becomes so."""
_MADE = "make_improvise"
_STAKED = frozenset({_MADE, "unlock_break"})
"""Families of free deeds that dice decide, unless nothing can go wrong."""
_SPOKEN = frozenset({"talk", "ask", "persuade", "deceive"})
_BY_WORDS = "say so"
_TELLING = 3
"""Words a deed must have to be read by itself."""
_IN_PART = 0.5
"""The share from which on a state is taken that is read from part of an input."""
_SAME = 0.5
"""Share of an act's words that must stand in a clause for it to have come from there."""


def respond(input: InterpreterInput, chance: Chance) -> InterpreterOutput:
    """The offline answer to `engine/interpreter` by the rules alone."""
    return with_rulings(interpret(input), input, chance)


def with_rulings(
    heard: InterpreterOutput, input: InterpreterInput, chance: Chance, ear: OutcomeEar | None = None
) -> InterpreterOutput:
    """The same acts; those that are a deed nobody authored, with a ruling."""
    if heard.question or (heard.proposed_actions and all(act.by for act in heard.proposed_actions)):
        return heard  # words to somebody who is elsewhere do nothing here
    heard = with_whole_sayings(heard, input, ear)
    acts = with_what_went_before(as_steps(heard.proposed_actions, input), input)
    acts = with_missed(acts, input)
    heard = _nobody_used(heard.model_copy(update={"proposed_actions": acts}), input)
    ruled = _of_known_kinds(heard, input, chance, ear)
    if ear:
        ruled = _as_read(ruled, input, ear, chance.at("outcome"))
        meant = emboldened(ruled.proposed_actions, input, ear, chance.at("bold"))
        meant = without_gestures(meant, ear)
        ruled = ruled.model_copy(update={"proposed_actions": meant})
    return _without_needless_dice(_with_nothing_opened(ruled, input), input)


def _without_needless_dice(heard: InterpreterOutput, input: InterpreterInput) -> InterpreterOutput:
    """What is made of things at hand simply comes about; done to someone, dice decide."""
    people = _people(input)
    acts = []
    for act in heard.proposed_actions:
        made = act.action == "improvise" and act.family == _MADE and not act.deed
        family = "use" if made and act.target_id not in people else act.family
        acts.append(act.model_copy(update={"family": family}))
    return heard.model_copy(update={"proposed_actions": acts})


def _people(input: InterpreterInput) -> set[str]:
    rows = input.context_packet.entities
    return {str(row.get("id")) for row in rows if row.get("type") == "npc"}


def _with_nothing_opened(heard: InterpreterOutput, input: InterpreterInput) -> InterpreterOutput:
    acts = heard.proposed_actions
    if len(acts) != 1 or acts[0].family != "open_close":
        return heard
    clauses = deed_clauses(RulesListener(input).begun(input.player_input))
    return heard.model_copy(update={"proposed_actions": [opened_nothing(acts[0], clauses)]})


def _nobody_used(heard: InterpreterOutput, input: InterpreterInput) -> InterpreterOutput:
    """People are not used: what was heard so is a free deed in the player's own words, unless
    somebody authored such a use."""
    people = _people(input)
    uses = ("use", *LIKE["use"])
    authored = {offer.target_id for offer in input.offers if offer.action in uses}
    acts = list(heard.proposed_actions)
    for number, act in enumerate(acts):
        free = act.action == "use" and not (act.deed or act.target_id in authored)
        if free and act.target_id in people:
            clauses = deed_clauses(RulesListener(input).begun(input.player_input))
            at = _clause_of(act, clauses, len(acts)) if clauses else None
            told = clauses[at].text if at is not None else act.details
            told = input.player_input if len(acts) == 1 else told
            changes = {"action": "improvise", "family": "use", "details": told}
            acts[number] = act.model_copy(update=changes)
    return heard.model_copy(update={"proposed_actions": acts})


def _of_known_kinds(
    heard: InterpreterOutput, input: InterpreterInput, chance: Chance, ear: OutcomeEar | None
) -> InterpreterOutput:
    if not any(_may_be_ruled(act) for act in heard.proposed_actions):
        return heard
    ruled = _rulings(input, chance.at("ruling"), ear)
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
    known = act.action in _KNOWN | _LEFT_ALONE or act.family in _LEFT_ALONE
    return not (act.deed or act.ruling or act.by or known)


def _rulings(
    input: InterpreterInput, chance: Chance, ear: OutcomeEar | None
) -> list[tuple[DeedClause, dict[str, Any]]]:
    """Every clause that is a deed of a known kind, with its ruling; none where the words of the
    whole say that something else becomes so."""
    hearing = RulesListener(input).begun(input.player_input)
    if any(token.kind == "mark" and token.text == "?" for token in hearing.typed.tokens):
        return []
    found = []
    for number, clause in enumerate(deed_clauses(hearing)):
        deed = Deed(clause, chance.at(number), ear)
        spoken_of = [m for m in hearing.mentions if m.last <= clause.whole.first]
        hearing.said[:] = [mention.best() for mention in spoken_of]
        given = next((ruling for build in BUILDERS if (ruling := build(deed))), None)
        if given:
            found.append((clause, given))
    if not found or ear is None:
        return found
    read = ReadDeed(hearing, ear, chance)
    return [(clause, given) for clause, given in found if read.agrees_with(given)]


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


def _as_read(
    heard: InterpreterOutput, input: InterpreterInput, ear: OutcomeEar, chance: Chance
) -> InterpreterOutput:
    """The free deeds with what their own words say becomes so: all of them as one deed where
    nothing else was meant beside them, else each by itself."""
    acts = heard.proposed_actions
    free = [act for act in acts if _may_be_read(act)]
    listener = RulesListener(input)
    made = list(acts)
    if may_be_amiss(acts, input.player_input):
        meant = heard_amiss(acts, ReadDeed(listener.begun(input.player_input), ear, chance))
        meant = meant or said_to_a_thing(acts, input.player_input)
        if meant:
            return heard.model_copy(update={"proposed_actions": meant})
    if free and len(free) == len(acts) and sum(bool(act.target_id) for act in free) <= 1:
        read = ReadDeed(listener.begun(input.player_input), ear, chance)
        given = _made_or_changed(free, read)
        elsewhere = [act for act in acts if is_of_another_thing(act, read)]
        made = [_known_better(act, read) for act in elsewhere[:1] or acts]
        if given:
            made = [_read_as(_at_heart(free), input.player_input, given)]
    elif free:
        made = [_read_alone(act, listener, ear, chance.at(n)) for n, act in enumerate(acts)]
    if acts and all(act.action in _SPOKEN and not (act.ruling or act.by) for act in acts):
        read = ReadDeed(listener.begun(input.player_input), ear, chance)
        made = _by_words(acts, read, input.player_input, ear)
    return heard.model_copy(update={"proposed_actions": made})


def _read_alone(
    act: ProposedAction, listener: RulesListener, ear: OutcomeEar, chance: Chance
) -> ProposedAction:
    """One deed among other acts, by its own words."""
    if not _may_be_read(act) or len(act.details.split()) < _TELLING:
        return act
    read = ReadDeed(listener.begun(act.details), ear, chance, _IN_PART)
    given = _made_or_changed([act], read)
    return _read_as(act, act.details, given) if given else _known_better(act, read, whole=False)


def _made_or_changed(acts: Sequence[ProposedAction], read: ReadDeed) -> dict[str, Any] | None:
    """What is there afterwards, where the ear hears a making; else what becomes of what is."""
    made = any(act.family == _MADE for act in acts) or read.is_a_making
    return (read.making() if made else None) or read.ruling()


def _known_better(act: ProposedAction, read: ReadDeed, whole: bool = True) -> ProposedAction:
    """A deed the words plainly tell is no unsure hearing of something else, such as a going; one
    with which nothing can go wrong needs no dice."""
    update: dict[str, Any] = {}
    if read.stays:
        update["confidence"] = max(act.confidence, read.sure)
    if act.family == _MADE and not act.target_id:
        # What one makes is not there before.
        update |= {"action": "improvise", "details": read.text}
    done_to_nothing = act.action == "improvise" and not act.target_id
    if read.is_safe and act.family in _STAKED and (act.family == _MADE or done_to_nothing):
        update["family"] = "use"
    if whole and is_of_another_thing(act, read):
        update |= {"action": "improvise", "family": "use", "target_id": "", "details": read.text}
    return act.model_copy(update=update)


def _by_words(
    acts: Sequence[ProposedAction], read: ReadDeed, text: str, ear: OutcomeEar
) -> list[ProposedAction]:
    """Speech with what is done by it: a word given, someone dared or flattered. A deed that was
    heard as speech, since it is done by words, is one after all; a question is none: nobody is
    told that *Ebba is asked*."""
    if any(act.action == "ask" for act in acts):
        return list(acts)
    plainly_said = all(act.family == "talk" for act in acts) and may_promise(text, ear)
    given = (read.promise() if plainly_said else None) or read.said_to_someone()
    if given is None:
        return list(acts)
    act = {"action": "improvise", "family": "use", "details": _BY_WORDS, "ruling": given}
    deed = ProposedAction.model_validate(act)
    return [deed] if len(acts) == 1 and read.is_told else [*acts, deed]


def _may_be_read(act: ProposedAction) -> bool:
    """A free deed, or one of a kind that does nothing unless somebody authored it."""
    taken = act.action == "take" and not act.target_id
    return _may_be_ruled(act) and (act.action in _READ or taken)


def _at_heart(acts: Sequence[ProposedAction]) -> ProposedAction:
    """The act that is done to something, else the one that tells most of the deed."""
    return max(acts, key=lambda act: (bool(act.target_id), len(act.details)))


def _read_as(act: ProposedAction, details: str, given: dict[str, Any]) -> ProposedAction:
    """The act with what was read; what was heard as colour alone is a deed after all."""
    changes: dict[str, Any] = {"details": details, "ruling": given}
    if act.family in FREE or act.action in FREE:
        changes |= {"action": "improvise", "family": "use"}
    if act.action == "take":
        changes["details"] = act.details  # what is missing, if it is not to be had
    return ProposedAction.model_validate({**act.model_dump(), **changes})
