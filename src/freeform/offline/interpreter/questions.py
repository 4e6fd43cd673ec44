"""Questions and remarks that are no plain action: to the game master, or to someone in the
scene."""

from freeform.engine.world.model import ProposedAction
from freeform.language.words import word_class
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.lexicon import phrases
from freeform.offline.interpreter.names import Named

_YOU = frozenset({"you", "your", "yours", "yourself"})
_SELF = frozenset({"i", "me", "my", "we", "us", "our"})
_PAST = frozenset({"was", "were", "did", "had", "why", "when", "happened"})
_OWN = phrases(
    ("what", "do", "i", "have"), ("what", "do", "i", "carry"), ("what", "am", "i", "carrying"), ("what", "have", "i", "got"),
    ("what", "is", "in", "my"), ("what", "do", "i", "own"), ("what", "am", "i", "holding"),
)  # fmt: skip
_HOUR = phrases(
    ("what", "time", "is"), ("what", "is", "the", "time"), ("what", "hour"), ("how", "late"), ("what", "day", "is"),
    ("what", "is", "the", "hour"),
)  # fmt: skip
_AROUND_A_NAME = frozenset({"the", "this", "that", "again", "anyway", "then", "?", "!", ".", ","})
_TOPICS = frozenset({"about", "seen", "know", "of"})


def is_question(hearing: Hearing, first: int, last: int) -> bool:
    """Whether a stretch asks something, with or without the mark."""
    if first >= last:
        return False
    word, after = hearing.plain(first), hearing.plain(first + 1) if first + 1 < last else ""
    if word in hearing.words.question_words:
        return after != "" or hearing.plain(last) == "?"
    return word in hearing.words.question_starts and after in word_class("asked_of")


def ask_of(hearing: Hearing, whom: Named, first: int, last: int, question: bool) -> ProposedAction:
    """What is said to someone by name: a question or request is `ask`, anything else `talk`."""
    hearing.say(whom)
    text = hearing.phrase(first, last)
    request = hearing.typed.first_of(first, hearing.words.requests, last)
    if request is None and hearing.plain(first) == "you" and first + 1 < last:
        question = True  # `you seen Jin`
    if request:
        asks_about = request[-1] in _TOPICS or request in (("tell", "me"), ("tell", "us"))
        topic = hearing.phrase(first + len(request), last) if asks_about else text
        action = ProposedAction(action="ask", target_id=whom.id, details=topic or text)
    elif question or is_question(hearing, first, last):
        action = ProposedAction(action="ask", target_id=whom.id, details=text)
    else:
        action = ProposedAction(action="talk", target_id=whom.id, details=text)
    for ref in hearing.references(first, last):
        hearing.say(ref.named)
    return action


def asks_inventory(hearing: Hearing, first: int, last: int) -> bool:
    """`What do I have on me?`, `what am I carrying`."""
    return hearing.typed.first_of(first, _OWN, last) is not None and not any(
        hearing.plain(at) in ("to", "do") for at in range(first + 4, last)
    )


def asks_who(hearing: Hearing) -> ProposedAction | None:
    """`who is Nadia again?`, and no more: of somebody one has heard of, the game master knows."""
    end = len(hearing.typed.tokens)
    is_asked = hearing.plain(0) == "who" and hearing.plain(1) in ("is", "was")
    named = [m for m in hearing.mentions if m.best("person").kind == "person" and not m.owner]
    if not is_asked or len(named) != 1:
        return None
    (one,) = named
    around = {hearing.plain(at) for at in range(2, end) if not one.first <= at < one.last}
    if around - _AROUND_A_NAME:
        return None
    hearing.say(one.best("person"))
    text, target = hearing.typed.text.strip(), one.best("person").id
    family = "gm_question"
    return ProposedAction(action="recall", target_id=target, details=text, family=family)


def ask_game_master(hearing: Hearing, first: int, last: int, marked: bool) -> ProposedAction:
    """A question with nobody addressed: to the one spoken with if it says `you`, else to the game
    master."""
    if asks_inventory(hearing, first, last):
        return ProposedAction(action="look", details="inventory")
    if hearing.typed.first_of(first, _HOUR, last):
        return ProposedAction(action="recall", details="the time")
    text = hearing.phrase(first, last) + ("?" if marked else "")
    words = {token.plain for token in hearing.typed.tokens[first:last]}
    if words & _YOU and (whom := hearing.person()):
        return ask_of(hearing, whom, first, last, question=True)
    partner = hearing.person()
    if partner and partner.near and partner.recency and words & _PAST and not words & _SELF:
        return ask_of(hearing, partner, first, last, question=True)
    refs = hearing.references(first, last)
    target = next((ref.named for ref in refs if ref.named and ref.named.kind != "self"), None)
    for ref in refs:
        hearing.say(ref.named)
    id = target.id if target else ""
    if hearing.typed.first_of(first, hearing.words.know_questions, last):
        return ProposedAction(action="recall", target_id=id, details=text)
    if target and target.kind in ("person", "other", "thing") and not target.near:
        whom = hearing.person()
        if whom and whom.near and whom.recency and whom != target and not words & _SELF:
            return ask_of(
                hearing, whom, first, last, question=True
            )  # in mid-conversation, one asks one's partner
        return ProposedAction(action="recall", target_id=id, details=text)
    return ProposedAction(action="look", target_id=id, details=text)
