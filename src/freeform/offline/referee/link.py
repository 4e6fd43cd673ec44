"""What an act is done to: the ear's spans and the names in its words, against what is there."""

from freeform.language.ear import HeardAct
from freeform.offline.interpreter.hearing import Hearing, Reference
from freeform.offline.interpreter.names import Named
from freeform.offline.referee.families import SPEECH

_WANTED = {
    "move": ("place",),
    "take": ("thing",),
    "use": ("thing", "detail"),
    "open_close": ("thing", "detail", "place"),
    "unlock_break": ("thing", "detail", "place"),
    "attack": ("person",),
    "help_heal": ("person",),
    "give": ("person",),
    "express": ("person",),
    **dict.fromkeys(SPEECH, ("person",)),
}
"""The kinds that each family is done to; anything at all where it is not listed."""
_ROLES = {
    "move": ("destination", "target"),
    "take": ("item", "target"),
    "use": ("item", "target", "instrument"),
    "give": ("target",),
    "search": ("target", "destination", "item", "topic"),
    "gm_question": ("target", "topic", "item", "destination"),
}
_PLAIN = ("target", "item", "topic")


def link(family: str, act: HeardAct, hearing: Hearing) -> Named | None:
    """The likeliest thing an act of that family is done to; None where nothing fits."""
    wanted = _WANTED.get(family, ())
    want = wanted[0] if wanted else ""
    best, score = None, 0.0
    for ref in hearing.references(0, len(hearing.typed.tokens), want):
        named = ref.fits(want)
        if named is None or named.kind == "self":
            continue
        fit = _fit(family, act, hearing, ref, named)
        if fit > score:
            best, score = named, fit
    return best


def _fit(family: str, act: HeardAct, hearing: Hearing, ref: Reference, named: Named) -> float:
    """How well one of the names in an act fits as what it is done to; 0 if it cannot be."""
    wanted = _WANTED.get(family, ())
    kind = "place" if named.way else named.kind
    if wanted and kind not in wanted and named.kind not in wanted:
        return 0.0
    fit = 1.0 + 0.5 * (named.near or named.way) - 0.5 * ref.owner
    start = act.start + hearing.typed.tokens[ref.first].start
    end = act.start + hearing.typed.tokens[ref.last - 1].end
    for span in act.spans:
        if span.start < end and start < span.end:
            roles = _ROLES.get(family, _PLAIN)
            place = roles.index(span.role) if span.role in roles else -1
            fit += (1.5 - 0.3 * place) * span.sure if place >= 0 else -0.6 * span.sure
    return max(fit, 0.05)
