"""Things that change hands or are put to use on something: giving, showing, using, dropping."""

from freeform.engine.world.model import ProposedAction
from freeform.offline.interpreter.hearing import Hearing, Reference
from freeform.offline.interpreter.phrases import (
    cover,
    joined,
    remainder,
)
from freeform.offline.interpreter.verbs import Verb

_TARGET_AFTER = frozenset(
    {"on", "in", "into", "with", "at", "to", "through", "onto", "against", "inside"}
)


def hand_over(hearing: Hearing, verb: Verb, last: int, refs: list[Reference]) -> ProposedAction:
    """`give Viktor the drive`, `show the photo to her`: a person as target, the thing as `with
    <id>`."""
    person = thing = None
    taken: set[int] = {verb.particle}
    for ref in refs:
        named = ref.fits("person")
        if person is None and named and named.kind == "person" and not ref.owner:
            person, taken = named, taken | cover(hearing, ref)
            continue
        named = ref.fits("thing")
        if thing is None and named and named.kind in ("thing", "detail"):
            thing, taken = named, taken | (cover(hearing, ref) if named.id else set())
    rest = remainder(hearing, verb.after, last, taken)
    stranger = person is None and (
        " to " in f" {rest} " or _unknown_name(hearing, verb.after, last)
    )
    person = person or (None if stranger else hearing.person())
    for named in (thing, person):
        hearing.say(named)
    tail = f"with {thing.id}" if thing and thing.id else ""
    return ProposedAction(
        action=verb.action, target_id=person.id if person else "", details=joined(rest, tail)
    )


def _unknown_name(hearing: Hearing, first: int, last: int) -> bool:
    """Whether someone is named whom nobody knows: `show Ilse the letter`."""
    named = {at for mention in hearing.mentions for at in range(mention.first, mention.last)}
    words = ((at, hearing.typed.tokens[at]) for at in range(first, last) if at not in named)
    return any(
        token.kind == "word" and token.text[:1].isupper() and token.plain != "i"
        for _, token in words
    )


def apply_to(hearing: Hearing, verb: Verb, last: int, refs: list[Reference]) -> ProposedAction:
    """`use the key on the locker`: the locker is the target. `put the drive in the locker`: the
    drive is."""
    first, second = refs[0], refs[1]
    item, target = first.fits("thing"), second.fits("thing")
    for ref in reversed(refs):
        hearing.say(ref.named)
    between = hearing.plain(min(cover(hearing, second)) - 1)
    on = item and target and item.kind == "thing" and between in _TARGET_AFTER
    if verb.action == "use" and on and item and target and target.id and target.id != item.id:
        taken = cover(hearing, first) | cover(hearing, second) | {verb.particle}
        rest = remainder(hearing, verb.after, last, taken)
        return ProposedAction(
            action="use", target_id=target.id, details=joined(rest, f"with {item.id}")
        )
    rest = remainder(hearing, verb.after, last, cover(hearing, first) | {verb.particle})
    thrown = verb.words == "throw" and target is not None and target.kind == "person"
    if thrown and target and item:
        return ProposedAction(action="attack", target_id=target.id, details=f"with {item.id}")
    return ProposedAction(action=verb.action, target_id=item.id if item else "", details=rest)
