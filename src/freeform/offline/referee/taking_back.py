"""Second thoughts: `no wait, I meant the side door`, and `again`."""

from functools import cache

from freeform.engine.passes import InterpreterInput
from freeform.language.ear import HeardText
from freeform.language.tables import cues
from freeform.offline.interpreter.build import RulesListener
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.names import Mention
from freeform.offline.interpreter.words import read

_CORRECTS = 0.6
"""How sure the ear must be that words correct those before them in one input."""
_TAKES_BACK = 0.8
"""The same for words that take back a whole turn, which was told already."""
_AGAIN = 0.2
_ALIKE = {"thing": "detail", "detail": "thing"}


def takes_back(input: InterpreterInput, text: str, heard: HeardText) -> bool:
    """Whether what is typed corrects the turn before it."""
    played = any(turn.get("turn_no") for turn in input.context_packet.recent_events)
    sure = heard.acts[0].flags["correction"] >= _TAKES_BACK
    return played and not input.readings and sure and _after_lead(text) != text.strip()


def corrected(text: str, heard: HeardText, rules: RulesListener) -> str:
    """The input with what it takes back left out, or put right; as it is where it takes nothing."""
    if heard.flags["correction"] < _CORRECTS:
        return text
    turn, meant = _turning(text)
    starts = [act.start for act in heard.acts if act.start < turn]
    if not meant or not starts:
        return text
    start = starts[-1]
    old = text[start:turn].rstrip(" .,;!-")
    new = meant if _is_deed(rules.begun(meant)) else _exchanged(old, meant, rules)
    return f"{text[:start]}{new}".strip()


def _turning(text: str) -> tuple[int, str]:
    """Where words of taking back begin, and what is meant instead; '' if nowhere. One such word
    stands after a mark; two in a row need none: `sneak out no wait talk to Marit`."""
    tokens = read(text).tokens
    for at in range(1, len(tokens)):
        if tokens[at].plain not in _words("lead"):
            continue
        goes_on = at + 1 < len(tokens) and tokens[at + 1].plain in _words("lead")
        if tokens[at - 1].kind == "mark" or goes_on:
            meant = _after_lead(text[tokens[at].start :])
            if meant:
                return tokens[at].start, meant
    return 0, ""


def repeated(input: InterpreterInput, text: str, heard: HeardText) -> str:
    """What was typed lately, where only that is meant once more; '' where it is not."""
    if heard.acts[0].flags["again"] < _AGAIN or not _only_again(text):
        return ""
    for turn in reversed(input.context_packet.recent_events):
        first_line = str(turn.get("text", "")).partition("\n")[0]
        typed = first_line.removeprefix("> ").strip()
        if first_line.startswith("> ") and not _only_again(typed):
            return typed
    return ""


def _only_again(text: str) -> bool:
    return {token.plain for token in read(text).tokens if token.kind == "word"} <= _words("again")


@cache
def _words(table: str) -> frozenset[str]:
    return frozenset(cues("correction")[table].split())


def _after_lead(text: str) -> str:
    """Words without how one begins to take something back, and without what is not meant: `no,
    not the beach. The mole`."""
    tokens = read(text).tokens
    at = 0
    while at < len(tokens) and (tokens[at].kind == "mark" or tokens[at].plain in _words("lead")):
        at += 1
    if at and tokens[at - 1].plain == "not":
        while at < len(tokens) and tokens[at].kind != "mark":
            at += 1
        at += 1
    return text[tokens[at].start :].strip() if at < len(tokens) else ""


def _is_deed(hearing: Hearing) -> bool:
    """Whether words say what is done, and not only to what."""
    end = len(hearing.typed.tokens)
    named = {at for mention in hearing.mentions for at in range(mention.first, mention.last)}
    return any(at not in named and hearing.verbs.at(hearing.typed, at, end) for at in range(end))


def _exchanged(old: str, meant: str, rules: RulesListener) -> str:
    """What was said, with another name in it: in the place of the last that is alike."""
    before, after = rules.begun(old), rules.begun(meant)
    wanted = [mention for mention in after.mentions if after.plain(mention.first - 1) != "not"]
    if not wanted or not before.mentions:
        return f"{old.rstrip(' .,;!')} {meant}" if not wanted else meant
    new = wanted[0].best()
    kinds = (new.kind, _ALIKE.get(new.kind))
    alike = [one for one in before.mentions if one.best().kind in kinds] or before.mentions
    as_near = [one for one in alike if one.best().near == new.near]
    place = (as_near or alike)[-1]
    return f"{_up_to(before, place)}{_as_said(after, wanted[0])}{_from(before, place)}"


def _as_said(hearing: Hearing, mention: Mention) -> str:
    tokens = hearing.typed.tokens
    return hearing.typed.text[tokens[mention.first].start : tokens[mention.last - 1].end]


def _up_to(hearing: Hearing, mention: Mention) -> str:
    return hearing.typed.text[: hearing.typed.tokens[mention.first].start]


def _from(hearing: Hearing, mention: Mention) -> str:
    return hearing.typed.text[hearing.typed.tokens[mention.last - 1].end :]
