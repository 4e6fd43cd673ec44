"""Deeds authored for this place, known by their words: `hammer on the gate` where someone wrote
what that does."""

from freeform.core.text import plain_form
from freeform.engine.authored.scenario import Offer
from freeform.engine.world.model import ProposedAction
from freeform.engine.world.names import words
from freeform.language.forms import is_denial
from freeform.language.tables import cues
from freeform.language.words import words as all_words

_PHRASE = 2


def offered(
    text: str,
    offers: list[Offer],
    named: frozenset[str] = frozenset(),
    action: str = "",
    others: frozenset[str] = frozenset(),
) -> ProposedAction | None:
    """The authored deed a clause asks for: a phrase of at least two telling words, or its first
    word, said so.

    Of two that fit, the one done to somebody or something the clause names: insulting Oswin is not
    insulting Anselm. `action` is what its verb means by itself: a deed of another kind must then be
    asked for with that very verb, since looking at the people is not meeting them. `others` are
    people whom the clause leaves out for someone it names: a drink for Viktor is not for Dutch.
    """
    said = words(text)
    head = next(iter(text.lower().split()), "").strip(",.!?")
    opening = words(head)
    best, score = None, 0
    for offer in offers:
        if offer.target_id in others:
            continue
        fit = 0
        for phrase in offer.words:
            telling = words(phrase)
            if action and action != offer.action and not (opening and opening <= telling):
                continue
            whole = len(telling) >= _PHRASE and telling <= said
            alone = " " not in phrase.strip() or plain_form(phrase) in plain_form(text)
            first = len(telling) == 1 and opening == telling and alone
            fit += len(telling) if whole else (_PHRASE if first else 0)
        fit += fit > 0 and offer.target_id in named
        if fit > score:
            best, score = offer, fit
    if best is None or score < _PHRASE:
        return None
    return ProposedAction(action=best.action, target_id=best.target_id, details=text, deed=best.id)


def as_offered(text: str, offers: list[Offer], is_one: bool = True) -> ProposedAction | None:
    """The deed that was suggested in exactly these words, or, where they are one act, with a detail
    added after a comma that takes nothing back: `pay the goblins five gold, slowly`. What is to
    hang on something (`but only if they let her go`) is planned, and costs nothing yet."""
    before, _, detail = text.partition(",")
    whole = _suggested(text, offers)
    offer = whole or _suggested(before, offers)
    if offer is None:
        return None
    if whole is None and _hangs(detail):
        return ProposedAction(action="plan", family="plan_only", details=text)
    if whole is None and (not is_one or any(map(is_denial, all_words(detail)))):
        return None
    return ProposedAction(
        action=offer.action, target_id=offer.target_id, details=text, deed=offer.id
    )


def _suggested(text: str, offers: list[Offer]) -> Offer | None:
    """The deed one of whose phrases these words are."""
    said = plain_form(text).strip(" .!")
    for offer in offers:
        if any(plain_form(phrase).strip(" .!") == said for phrase in offer.words if " " in phrase):
            return offer
    return None


def _hangs(detail: str) -> bool:
    """Whether a detail makes the deed hang on something."""
    padded = f" {' '.join(all_words(detail))} "
    return any(f" {phrase} " in padded for phrase in cues("stance")["conditions"])
