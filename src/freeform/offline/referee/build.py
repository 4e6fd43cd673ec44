"""An act that only the ear heard, as an action: the verb its family means, linked and worded."""

from freeform.engine.world.model import ProposedAction
from freeform.language.ear import HeardAct
from freeform.offline.interpreter.deeds.movement import go
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.phrases import minutes_meant
from freeform.offline.interpreter.questions import asks_inventory
from freeform.offline.interpreter.verbs import Verb
from freeform.offline.referee.addressee import called_to, listener
from freeform.offline.referee.families import ACTION_OF, SPEECH
from freeform.offline.referee.link import link, words_said

_SHORT_REST = 5
"""Minutes that pass where someone lingers and does not say how long."""
_BACK = frozenset({"back", "inside", "in", "return", "returns"})
_CLOSING = frozenset({"close", "closes", "closing", "shut", "shuts", "shutting", "bar", "bolt"})
_NEED_A_THING = frozenset({"use", "open", "close", "break", "take", "give", "attack", "help"})
_BY_TOOL = frozenset({"lock", "padlock", "pick", "unlock", "lockpick", "lockpicks", "key"})


def build(family: str, act: HeardAct, hearing: Hearing, sure: float) -> ProposedAction:
    """The action an act comes to if it is of that family."""
    made = _made(family, act, hearing)
    return made.model_copy(update={"family": family, "confidence": round(sure, 3)})


def _made(family: str, act: HeardAct, hearing: Hearing) -> ProposedAction:
    text = hearing.typed.text.strip()
    if family in SPEECH:
        return _speech(family, act, hearing)
    if family == "gm_question":
        return _question(act, hearing)
    if family in ("ooc", "plan_only", "none"):
        return ProposedAction(action=ACTION_OF.get(family, family), details=text)
    if family == "move":
        return _going(act, hearing)
    if family == "wait_rest":
        return ProposedAction(
            action="wait", details=text, estimated_minutes=minutes_waited(hearing)
        )
    return _deed(family, act, hearing)


def minutes_waited(hearing: Hearing) -> int:
    """How long one waits, as said beside the waiting itself: `we have three hours` is no wait."""
    end = len(hearing.typed.tokens)
    for at in range(end):
        verb = hearing.verbs.at(hearing.typed, at, end)
        if verb is not None and verb.action == "wait":
            first = 0 if hearing.plain(0) == "for" else at
            return minutes_meant(hearing, first, end) or _SHORT_REST
    return _SHORT_REST


def _deed(family: str, act: HeardAct, hearing: Hearing) -> ProposedAction:
    """Something done to something; done to nothing known, it is a free deed."""
    words = {token.plain for token in hearing.typed.tokens}
    action = ACTION_OF.get(family, family)
    if family == "open_close" and words & _CLOSING:
        action = "close"
    if family == "unlock_break" and words & _BY_TOOL:
        action = "unlock"
    named = link(family, act, hearing)
    if action == "look" and named is not None and not (named.near or named.way):
        action = "recall"
    target = named.id if named else ""
    if not target and action in _NEED_A_THING:
        action = "improvise"
    return ProposedAction(action=action, target_id=target, details=hearing.typed.text.strip())


def _speech(family: str, act: HeardAct, hearing: Hearing) -> ProposedAction:
    whom = listener(act, hearing)
    action = family if whom and whom.kind == "person" else "talk"
    if action == "persuade" and hearing.typed.text.rstrip().endswith("?"):
        action = "ask"  # what is asked for politely needs no dice
    said = words_said(act, hearing) or hearing.phrase(0, len(hearing.typed.tokens))
    return ProposedAction(
        action=action,
        target_id=whom.id if whom else "",
        details=said,
        called_to=called_to(act, hearing),
    )


def _question(act: HeardAct, hearing: Hearing) -> ProposedAction:
    """A question to the game master: what one sees, or what one knows."""
    tokens = len(hearing.typed.tokens)
    if tokens and asks_inventory(hearing, 0, tokens):
        return ProposedAction(action="look", details="inventory")
    named = link("gm_question", act, hearing)
    away = named is not None and not (named.near or named.way)
    target = named.id if named else ""
    return ProposedAction(
        action="recall" if away else "look",
        target_id=target,
        details=hearing.typed.text.strip(),
    )


def _going(act: HeardAct, hearing: Hearing) -> ProposedAction:
    """Going to a place; up to someone or something; back; or only about."""
    text = hearing.typed.text.strip()
    named = link("move", act, hearing) or link("look", act, hearing)
    target = named.id if named else _way_back(hearing)
    if target:
        return ProposedAction(action="move", target_id=target, details=text)
    end = len(hearing.typed.tokens)
    gone = go(hearing, Verb("move", "go", 0, 0), end)[0]
    return gone if gone.action == "move" else ProposedAction(action="express", details=text)


def _way_back(hearing: Hearing) -> str:
    """`back inside`: the way to where one was last."""
    if not _BACK & {token.plain for token in hearing.typed.tokens}:
        return ""
    last = max(hearing.ways(), key=lambda way: way.recency, default=None)
    return last.id if last is not None and last.recency else ""
