"""Going somewhere: a way out, a place that is known, someone, or behind a door."""

from dataclasses import replace

from freeform.engine.world.model import ProposedAction
from freeform.language.forms import is_adverb
from freeform.offline.interpreter.deeds.transfer import apply_to
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.names import Named, bare
from freeform.offline.interpreter.phrases import (
    cover,
    joined,
    minutes_meant,
    remainder,
)
from freeform.offline.interpreter.verbs import Verb

_OUT = frozenset(
    {
        "leave",
        "exit",
        "go outside",
        "go out",
        "walk out",
        "head out",
        "depart",
        "get going",
        "set off",
        "set out",
        "be off",
    }
)
_THIS_PLACE = frozenset(
    {"here", "this place", "the place", "the room", "the building", "the bar", "the house"}
)
DOORS = frozenset("door gate hatch stair stairs ladder window archway doorway".split())
_WHEN = frozenset({"now", "then", "fast", "please", "again", "already", "away"})


def go(hearing: Hearing, verb: Verb, last: int) -> list[ProposedAction]:
    """Going somewhere: a way out, a place known, someone (then it is talking), a detail (then
    looking)."""
    refs = hearing.references(verb.after, last, "place")
    places = [r for r in refs if (n := r.fits("place")) and (n.way or n.kind == "place")]
    minutes = minutes_meant(hearing, verb.after, last)
    leaving = verb.words in _OUT
    things = [
        r
        for r in hearing.references(verb.after, last, "thing")
        if (n := r.fits("thing")) and n.kind == "thing"
    ]
    if verb.words == "leave" and things and "drop" in hearing.verbs.actions:
        return [apply_to(hearing, replace(verb, action="drop"), last, things[:1] * 2)]
    for ref in [
        r for r in places if (n := r.fits("place")) and n.id != hearing.cast.here
    ] or places:
        named = ref.fits("place")
        assert named is not None
        if named.id == hearing.cast.here and leaving:
            break
        hearing.say(named)
        details = remainder(hearing, verb.after, last, cover(hearing, ref) | {verb.particle})
        return [
            ProposedAction(
                action="move", target_id=named.id, details=details, estimated_minutes=minutes
            )
        ]
    if door := _way_behind(hearing, verb, last):
        hearing.say(door)
        return [
            ProposedAction(
                action="move", target_id=door.id, details=hearing.phrase(verb.after, last)
            )
        ]
    others = [
        (r, n)
        for r in refs
        if (n := r.fits("")) and n.kind in ("person", "detail", "thing") and not r.owner
    ]
    if verb.action == "flee":
        rest = hearing.phrase(verb.after, last)
        return [ProposedAction(action="flee", details=rest)]
    if others and not leaving:
        ref, named = others[0]
        hearing.say(named)
        rest = remainder(hearing, verb.after, last, cover(hearing, ref))
        if named.kind == "person" and "talk" in hearing.verbs.actions:
            return [ProposedAction(action="talk", target_id=named.id, details=rest)]
        name = named.name if not named.id else ""
        return [
            ProposedAction(
                action="look", target_id=named.id, details=joined(f"{name} {rest}".strip())
            )
        ]
    said = [
        token.plain for token in hearing.typed.tokens[verb.after : last] if token.kind == "word"
    ]
    text = (
        ""
        if all(is_adverb(word) or word in _WHEN for word in said)
        else hearing.phrase(verb.after, last)
    )
    if "there" in text.split() and (meant := hearing.meant_by("there")) and meant.id:
        return [ProposedAction(action="move", target_id=meant.id)]
    ways = hearing.ways()
    out = _outside(hearing) if not text or text in _THIS_PLACE else ""
    target = ways[0].id if leaving and len(ways) == 1 else out if leaving else ""
    words = text or ("" if target or leaving else verb.words.removeprefix("go").strip())
    return [
        ProposedAction(action="move", target_id=target, details=words, estimated_minutes=minutes)
    ]


def _outside(hearing: Hearing) -> str:
    """Where one comes to by leaving, if one of several ways is called the way out."""
    found = (
        named.id
        for form in ("outside", "out")
        for named, _ in hearing.cast.meanings(form)
        if named.way
    )
    return next(found, "")


def _way_behind(hearing: Hearing, verb: Verb, last: int) -> Named | None:
    """`through the tower door`, where the door is a thing and the tower a way on."""
    for ref in hearing.references(verb.after, last, "thing"):
        named = ref.fits("thing")
        words = (
            set(bare(named.name).split()) if named and named.kind in ("thing", "detail") else set()
        )
        if words & DOORS:
            shared = words - DOORS - hearing.words.common
            return next(
                (way for way in hearing.ways() if shared & set(bare(way.name).split())), None
            )
    return None
