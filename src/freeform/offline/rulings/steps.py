"""The steps of a sentence before they are ruled: what is no step is left out, and what was heard as
the giving of nothing, or as words for a place, is the deed it tells."""

from collections.abc import Sequence

from freeform.engine.authored.fitting import LIKE
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import ProposedAction
from freeform.engine.world.names import words
from freeform.engine.world.state import PLAYER
from freeform.language.forms import is_over, is_third_person
from freeform.language.words import word_class
from freeform.offline.interpreter.build import RulesListener
from freeform.offline.interpreter.words import read
from freeform.offline.own_words import pieces
from freeform.offline.referee.families import SPEECH
from freeform.offline.rulings.clause import deed_clauses

_IT = frozenset({"it", "that", "this", "them"})
_TELLER = frozenset({"i", "we", "me"})
_PRONOUNS = frozenset({"he", "she", "they"})
_HELD = " with "
_PRETEND = "pretend"
_MOST_ACTS = 4
_WORKED = frozenset({"unlock", "break", "open", "close", "hack", "repair", "use"})
_HANDLING = frozenset({"open", "close", "use", "break"})
_GOING = frozenset({"move", "follow", "flee"})
_LONGEST_GIFT = 5


def as_steps(acts: Sequence[ProposedAction], input: InterpreterInput) -> list[ProposedAction]:
    """The same acts, each as the step it is."""
    kept = [act for act in acts if not _is_said_of_nothing(act, acts)]
    kept = [act for act in kept if not _is_said_before(act, kept, input)]
    kept = [act for act in kept if len(kept) == 1 or not _is_of_another(act, input)]
    made: list[ProposedAction] = []
    for act in kept:
        before = made[-1] if made else None
        act = _as_deed(act, input, len(kept))
        made.append(_of_what_was_named(act, before, input) if before else act)
    return made


def with_what_went_before(
    acts: Sequence[ProposedAction], input: InterpreterInput
) -> list[ProposedAction]:
    """Where nothing but a going was heard, what was done before it, too: `I order a coffee and go
    to the yard`."""
    if len(acts) != 1 or acts[0].action not in _GOING or acts[0].deed or "?" in input.player_input:
        return list(acts)
    going = words(f"{acts[0].details} {_name(acts[0].target_id, input)}")
    clauses = deed_clauses(RulesListener(input).begun(input.player_input))
    led = next((at for at, one in enumerate(clauses) if going & words(one.text)), 0)
    before = [
        ProposedAction(action="improvise", family="use", details=clause.text, confidence=1.0)
        for clause in clauses[: min(led, _MOST_ACTS - 1)]
    ]
    return [*before, *acts]


def with_missed(acts: Sequence[ProposedAction], input: InterpreterInput) -> list[ProposedAction]:
    """The acts, and after them a step that nobody heard though an author wrote what comes of it:
    `I knelt at the padlock and picked it with a hairpin`."""
    if not acts or len(acts) >= _MOST_ACTS or any(act.action in SPEECH for act in acts):
        return list(acts)
    known = [words(f"{act.details} {_name(act.target_id, input)}") for act in acts]
    listener = RulesListener(input)
    typed = read(input.player_input)
    for piece in pieces(typed.tokens)[1:]:
        first, last = piece.tokens[0].start, piece.tokens[-1].end
        said = words(typed.text[first:last])
        if any(2 * len(said & heard) >= len(said) for heard in known):
            continue
        listener.hear(typed.text[:first])
        heard = listener.hear(f"I {typed.text[first:last]}")[1]
        if len(heard) == 1 and _is_authored(heard[0], input) and heard[0] not in acts:
            return [*acts, heard[0]]
    return list(acts)


def _is_authored(act: ProposedAction, input: InterpreterInput) -> bool:
    handled = act.action in _WORKED and bool(act.target_id)
    alike = (act.action, *LIKE.get(act.action, ()))
    offers = [(offer.action, offer.target_id) for offer in input.offers]
    return handled and any((action, act.target_id) in offers for action in alike)


def _of_what_was_named(
    act: ProposedAction, before: ProposedAction, input: InterpreterInput
) -> ProposedAction:
    """`listen at the door, then throw it open`: of what was named right before, though it has no
    entry, and not of a thing that nobody named."""
    free = not (act.deed or act.ruling or act.details or before.target_id)
    named = before.details.split()[:1]
    if act.action not in _HANDLING or not free or not named:
        return act
    thing = _name(act.target_id, input) if act.target_id else ""
    if words(thing) & words(input.player_input) or named[0].lower() not in word_class(
        "determiners"
    ):
        return act
    told = f"{act.action} {before.details}"
    return act.model_copy(
        update={"action": "improvise", "family": "use", "target_id": "", "details": told}
    )


def _is_said_of_nothing(act: ProposedAction, acts: Sequence[ProposedAction]) -> bool:
    """`screw it`, before the deed itself: nothing says what."""
    said = [token.plain for token in read(act.details).tokens if token.kind == "word"]
    first = len(acts) > 1 and act is acts[0] and act.action == "improvise"
    return first and not act.target_id and len(said) == 2 and said[1] in _IT


def _is_of_another(act: ProposedAction, input: InterpreterInput) -> bool:
    """`loser closes the kitchen`: what somebody else does, or is to do."""
    if act.action != "improvise" or act.deed or act.ruling or len(act.details.split()) < 2:
        return False
    hearing = RulesListener(input).begun(act.details)
    first, second = hearing.plain(0), hearing.plain(1)
    known = hearing.verbs.by_head
    told = is_third_person(second) and all(not base for base, _, _ in known.get(second, ()))
    hero = _TELLER | _PRONOUNS | words(_name(PLAYER, input))  # who may be told of as `he`
    return told and second in known and first not in known and first not in hero


def _is_said_before(
    act: ProposedAction, acts: Sequence[ProposedAction], input: InterpreterInput
) -> bool:
    """The use of a thing, in no words of its own, of which another step tells already."""
    bare = act.action == "use" and act.target_id and not (act.details or act.deed or act.ruling)
    thing = words(_name(act.target_id, input)) if bare else set()
    return bool(thing) and any(thing & words(one.details) for one in acts if one is not act)


def _as_deed(act: ProposedAction, input: InterpreterInput, acts: int) -> ProposedAction:
    """The act, or the free deed that it is."""
    shown = act.family == "express"  # what an author wrote is tried first, and kept for it
    if act.ruling or (act.deed and not shown):
        return act
    told = _told_as_deed(act, input)
    if not told:
        return _of_oneself(act, input)
    kept = act.target_id if act.action in ("give", "steal") else ""
    told = input.player_input if acts == 1 and act.action == "give" else told
    family = "take" if act.action == "steal" else "use"
    changes = {"action": "improvise", "family": family, "target_id": kept, "details": told}
    return act.model_copy(update=changes)


def _of_oneself(act: ProposedAction, input: InterpreterInput) -> ProposedAction:
    """A free deed told in the past has its `I` back, which stood before another step."""
    first = act.details.lower().split()[:1]
    mine = {token.plain for token in read(input.player_input).tokens} & {"i", "we"}
    if act.action != "improvise" or not first or not mine or not is_over(first[0]):
        return act
    return act.model_copy(update={"details": f"I {act.details}"})


def _told_as_deed(act: ProposedAction, input: InterpreterInput) -> str:
    """The words of the deed that an act is; '' where it is what it was heard as."""
    what = act.details
    if act.action == "give" and _gives_nothing(act, input):
        name = _name(act.target_id, input)
        pointed = not what or what.split()[0].lower() in _IT
        return f"hand {what or 'it'} to {name}" if pointed else f"give {name} {what}"
    if not what:
        return ""
    if _is_acted(act, input):
        said = input.player_input.lower()
        return f"{_PRETEND} to {what}" if f"{_PRETEND} to {what}" in said else f"{_PRETEND} {what}"
    if act.action == "steal" and not act.target_id and _is_of_place(what, input):
        return f"steal {what}"  # part of the place: nobody has it
    to_a_place = act.action in SPEECH and act.target_id in _places(input)
    return what if to_a_place and "?" not in what and '"' not in input.player_input else ""


def _is_of_place(said: str, input: InterpreterInput) -> bool:
    """Whether words name a detail of the place."""
    details = map(str, input.context_packet.scene.get("details") or [])
    return any(words(name) and words(name) <= words(said) for name in details)


def _places(input: InterpreterInput) -> set[str]:
    """Every place in sight."""
    packet = input.context_packet
    known = {str(row.get("id")) for row in packet.entities if row.get("type") == "location"}
    ways = packet.scene.get("exits") or []
    return known | {str(way.get("to") or way.get("id")) for way in ways if isinstance(way, dict)}


def _is_acted(act: ProposedAction, input: InterpreterInput) -> bool:
    """`pretend to drink`: nothing is said by it."""
    said = input.player_input.lower()
    acted = any(f"{word} {act.details}" in said for word in (_PRETEND, f"{_PRETEND} to"))
    return act.action in SPEECH and acted


def _gives_nothing(act: ProposedAction, input: InterpreterInput) -> bool:
    """Whether what is given is no thing: a hug, a nod. Where an author wrote a giving, it is
    meant."""
    said = act.details.lower().split()
    pointed = not said and bool(_IT & set(input.player_input.lower().split()))
    small = word_class("determiners") | _IT
    named = pointed or (bool(said) and said[0] in small and len(said) <= _LONGEST_GIFT)
    authored = any(offer.action == "give" for offer in input.offers)
    if not named or authored or not act.target_id or _HELD in f" {act.details}":
        return False
    things = [row for row in input.context_packet.entities if row.get("type") == "item"]
    return not any(words(str(row.get("name"))) & words(act.details) for row in things)


def _name(id: str, input: InterpreterInput) -> str:
    rows = input.context_packet.entities
    return next((str(row.get("name")) for row in rows if row.get("id") == id), "them")
