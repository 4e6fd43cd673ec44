"""Actions on the world: going, taking, giving, opening, and the readings that depend on what is
acted on."""

from dataclasses import replace

from freeform.engine.world.model import ProposedAction
from freeform.offline.interpreter.deeds.movement import DOORS, go
from freeform.offline.interpreter.deeds.transfer import apply_to, hand_over
from freeform.offline.interpreter.hearing import Hearing, Reference
from freeform.offline.interpreter.names import Named, bare
from freeform.offline.interpreter.phrases import (
    cover,
    joined,
    minutes_meant,
    remainder,
    tool,
    unknown_thing,
)
from freeform.offline.interpreter.speech import speak
from freeform.offline.interpreter.verbs import Verb

_STEALTHY = frozenset(
    {"sneak", "creep", "slip", "tiptoe", "tip-toe", "crawl", "slink", "steal past", "skulk"}
)
_INTO = frozenset("to into through out inside in back up down onto toward towards across".split())
_KEPT = frozenset(
    "pockets bag backpack pack inventory things stuff gear belongings equipment purse".split()
)
_BODY = frozenset(
    """head throat neck arm arms hand hands finger fingers leg legs face nose eyes jaw knee ribs skull teeth""".split()
)
_DRAWN = frozenset(
    {"draw", "pull out", "pull", "whip out", "unsheathe", "unholster", "ready", "raise", "brandish"}
)
_SLID = frozenset({"slide", "push", "pass"})
_RING = frozenset({"call", "dial", "phone", "ring"})
_PUSHED = frozenset({"push", "pull"})


def do(hearing: Hearing, verb: Verb, last: int) -> list[ProposedAction]:
    """What a clause with that verb attempts."""
    if verb.action == "use" and (turned := _use_to(hearing, verb, last)):
        return turned
    if verb.action in ("look", "search", "recall", "open") and _own_things(
        hearing, verb.after, last
    ):
        return [ProposedAction(action="look", details="inventory")]
    if (
        verb.words.split()[0] in _SLID
        and "show" in hearing.verbs.actions
        and _goes_across(hearing, verb, last)
    ):
        verb = replace(verb, action="show")
    want = hearing.words.wants.get(verb.action, "")
    if verb.action == "move" or (verb.action == "flee" and verb.words == "run"):
        return go(hearing, verb, last)
    item, used, unknown = tool(hearing, verb.after, last)
    unknown = unknown or _claimed_gear(hearing, verb, last)
    if unknown:
        hearing.assumptions.append(f"I have {unknown}")
    refs = [
        r
        for r in hearing.references(verb.after, last, want)
        if not set(range(r.first, r.last)) & used
    ]
    if verb.action in ("give", "show"):
        return [hand_over(hearing, verb, last, refs)]
    if verb.action in ("use", "drop") and len(refs) > 1 and item is None:
        return [apply_to(hearing, verb, last, refs)]
    ref = _object(refs, want)
    named = ref.fits(want) if ref else None
    if ref is None and verb.action in ("open", "unlock", "close", "break") and "lock" in verb.words:
        named = hearing.meant_by("it", "thing")
    action = settle(hearing, verb, named, ref, last)
    if item is not None and named is not None and item.id == named.id:
        item = None
    if (
        action == "take"
        and named
        and named.kind == "person"
        and "improvise" in hearing.verbs.actions
    ):
        hearing.say(named)
        return [
            ProposedAction(
                action="improvise", target_id=named.id, details=hearing.phrase(verb.at, last)
            )
        ]
    if action == "move":
        return go(hearing, verb, last)
    if action == "talk" and verb.action not in hearing.words.social and named:
        return [_said(hearing, "talk", named, _rest(hearing, verb, last, ref, used))]
    details = _rest(hearing, verb, last, ref, used)
    if action in ("search", "look", "hide"):
        details = hearing.phrase(
            verb.after, last
        )  # the very spot matters: behind the bar is not the bar
    elif named is not None and not named.id:
        details = (
            f"{named.name} {details}".strip()
            if named.name.lower() not in details.lower()
            else details
        )
    for other in refs:
        hearing.say(other.named)
    target = "" if action == "wait" else (named.id if named else "")
    if action == "wait" and ref is not None:
        details = hearing.phrase(verb.after, last)
    proposed = ProposedAction(
        action=action, target_id=target, details=joined(details, f"with {item.id}" if item else ""),
        estimated_minutes=minutes_meant(hearing, verb.after, last),
    )  # fmt: skip
    hearing.say(named)
    for into in refs if action == "hide" else ():
        place = into.fits("place")
        if place and _steals_into(hearing, verb, place, into):
            return [proposed, ProposedAction(action="move", target_id=place.id)]
    return [proposed]


def _own_things(hearing: Hearing, first: int, last: int) -> bool:
    """`my pockets`, `through my bag`: what one carries."""
    words = [hearing.plain(at) for at in range(first, last)]
    return "my" in words and words[-1] in _KEPT and len(words) - words.index("my") == 2


def _steals_into(hearing: Hearing, verb: Verb, named: Named, ref: Reference) -> bool:
    """`sneak into the office` is hiding and going; `sneak past the office` is not."""
    place = (named.way or named.kind == "place") and named.id != hearing.cast.here
    stealthy = verb.words in _STEALTHY or verb.words.split()[0] in _STEALTHY
    return stealthy and place and hearing.plain(min(cover(hearing, ref)) - 1) in _INTO


def _claimed_gear(hearing: Hearing, verb: Verb, last: int) -> str:
    """`pull my katana`, `whip out a grenade`: a thing nobody knows of, taken to be at hand."""
    at = verb.after
    mine = hearing.plain(at) == "my" and verb.action in (
        "use",
        "take",
        "drop",
        "give",
        "show",
        "attack",
    )
    if not (mine or (verb.words in _DRAWN and hearing.plain(at) in ("a", "an", "my"))):
        return ""
    if hearing.references(at, min(at + 4, last)) or hearing.plain(
        at + 1
    ) in hearing.words.kin | _BODY | {
        "way",
        "weapon",
    }:
        return ""
    return unknown_thing(hearing, at, last)


def _said(hearing: Hearing, action: str, named: Named, details: str) -> ProposedAction:
    hearing.say(named)
    return ProposedAction(action=action, target_id=named.id, details=details)


def _object(refs: list[Reference], want: str) -> Reference | None:
    """What is acted on: the first of the wanted kind, else the first; an owner only if nothing of
    theirs is known."""
    own = [ref for ref in refs if not ref.owner] or refs
    wanted = [ref for ref in own if (named := ref.fits(want)) and named.kind == want]
    if want == "person" and wanted:
        return wanted[0]
    return own[0] if own else None


def _rest(hearing: Hearing, verb: Verb, last: int, ref: Reference | None, used: set[int]) -> str:
    taken = used | {verb.particle}
    if ref is not None and not ref.owner:
        taken |= cover(hearing, ref)
    return remainder(hearing, verb.after, last, taken)


def _goes_across(hearing: Hearing, verb: Verb, last: int) -> bool:
    """`slide the photo across the counter`: something is laid before someone; `slide across the
    floor` is not."""
    words = [token.plain for token in hearing.typed.tokens[verb.after : last]]
    return (
        len(words) > 2
        and words[0] in hearing.words.determiners
        and bool({"across", "over"} & set(words[2:]))
    )


def settle(
    hearing: Hearing, verb: Verb, named: Named | None, ref: Reference | None, last: int
) -> str:
    """The action a verb means, given what it is done to: one kicks a man, but breaks a door."""
    action, kind = verb.action, named.kind if named else ""
    rest = {token.plain for token in hearing.typed.tokens[verb.after : last]}
    has = hearing.verbs.actions
    if verb.words == "pick" and rest & {"pocket", "pockets"} and "steal" in has:
        return "steal"
    if action == "attack" and kind in ("thing", "detail", "place") and "break" in has:
        return "break"
    if (
        action in ("hack", "break", "use")
        and kind == "person"
        and "attack" in has
        and verb.words not in _RING
    ):
        whole = ref is not None and not ref.owner
        if rest & _BODY or (whole and action != "use"):
            return "attack"
    if verb.words == "toss" and "drop" in has and rest & {"it", "them", "at", "to", "into"}:
        return "drop"
    if action == "take" and named and (named.way and kind == "place"):
        return "move"
    if action == "take" and kind == "person" and rest & {"aside", "along"}:
        return "talk"
    if (
        action == "take"
        and verb.words == "get"
        and kind == "person"
        and "to" in rest
        and "persuade" in has
    ):
        return "persuade"
    if (
        action == "take"
        and verb.words in _DRAWN
        and named
        and named.kind == "thing"
        and "use" in has
    ):
        return "use"
    if action == "use" and kind == "person":
        if verb.words in _RING:
            return "talk"
        return "attack" if verb.words in _PUSHED and "attack" in has else action
    if verb.words == "throw" and kind == "person":
        return "attack"
    if verb.words == "check" and "for" in rest and "search" in has:
        return "search"
    if verb.words == "go through" and (rest & DOORS or (named and named.way)):
        return "move"
    if action == "follow" and kind == "place":
        return "move"
    return action


def _use_to(hearing: Hearing, verb: Verb, last: int) -> list[ProposedAction] | None:
    """`use the keycard to open the locker` is opening the locker with the keycard."""
    for at in range(verb.after + 1, last - 1):
        if hearing.plain(at) != "to":
            continue
        deed = hearing.verbs.at(hearing.typed, at + 1, last)
        if deed is None or deed.action == "use":
            continue
        refs = hearing.references(verb.after, at, "thing")
        item = next((n for r in refs if (n := r.fits("thing")) and n.kind == "thing"), None)
        hearing.say(item)
        words = bare(hearing.phrase(verb.after, at).removeprefix("my "))
        if item is None:
            hearing.assumptions.append(f"I have a {words}")
        how = f"with {item.id}" if item else f"with {words}"
        main = (
            [speak(hearing, deed, last)]
            if deed.action in hearing.words.social
            else do(hearing, deed, last)
        )
        return [main[0].model_copy(update={"details": joined(main[0].details, how)}), *main[1:]]
    return None
