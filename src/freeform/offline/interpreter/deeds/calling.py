"""Calling somebody who is elsewhere: whom, by what, and what is said or asked.

txt renee on my phone | tell her luis is here
I call | mom | on the slate | and ask how strong the vault doors are
use the radio to ask | Captain Obi | where they are
"""

from dataclasses import dataclass

from freeform.engine.rules.wishes.far import FAR, REACH, words_for
from freeform.engine.world.model import ProposedAction
from freeform.language.forms import is_adverb
from freeform.language.words import word_class
from freeform.language.words import words as words_in
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.names import Named
from freeform.offline.interpreter.verbs import Verb

_ASKED, _SAID = "ask", "talk"
_SPEECH = frozenset({"ask", "talk", "persuade", "deceive", "threaten"})
_MARKS = frozenset(",:;-—–.!")
_WHOM = frozenset({"her", "him", "them", "me"})
_SURE = 0.5
"""From how likely on something is said, where no thing is named that reaches far."""
_FEW = 4
"""Words between a thing and what stands before it: `on my old cracked phone`."""


@dataclass(frozen=True)
class FarCall:
    """A call, and what is done besides: before it and after it."""

    action: ProposedAction
    before: str = ""
    after: str = ""


def far_call(hearing: Hearing, speech: float) -> FarCall | None:
    """The call that words make to somebody who is not here; None where they make none. `speech`:
    how likely the ear hears something said or asked in them."""
    thing = _thing(hearing)
    at, by = _calling(hearing)
    whom = _whom(hearing, at, thing)
    if whom is None and at >= 0 and thing:
        at, by = -1, ""  # `on the phone I tell Sam that they are calling it off`
        whom = _whom(hearing, at, thing)
    if whom is None and at >= 0:
        return _to_nobody_known(hearing, at, thing) if speech >= _SURE else None
    if whom is None or (at < 0 and not thing):
        return None
    named, first, last = whom
    if not thing and not _is_plainly_a_call(hearing, (at, first, last), speech):
        return None
    begin = at if at >= 0 else _speaking(hearing, first)
    if begin < 0:
        return _told_whole(hearing, named, thing, set(range(first, last)))
    taken = set(range(begin, last)) | thing
    rest, end, asks = _said(hearing, last, taken)
    action = ProposedAction(
        action=_ASKED if asks else _SAID,
        target_id=named.id,
        details=rest,
        family=_ASKED if asks else _SAID,
        by=by or hearing.plain(max(thing)),
    )
    hearing.say(named)
    return FarCall(action, _before(hearing, begin, thing), hearing.phrase(end, _end(hearing)))


def _is_plainly_a_call(hearing: Hearing, at: tuple[int, int, int], speech: float) -> bool:
    """Whether it is one though nothing is named that reaches so far: not `call Finn a liar`, `reach
    for Finn`, `contact Finn by letter`, nor `leave Finn a message on the door`."""
    begin, first, last = at
    end = _end(hearing)
    while last + 1 < end and _is_what_is_sent(hearing, last + 1):
        last += 2
    behind = hearing.plain(last) if last < end else ""
    elsewhere = (hearing.words.prepositions | words_for("before_a_thing")) - {"about", "for", "to"}
    if behind in elsewhere:
        return False
    if hearing.plain(begin) not in words_for("open"):
        return True
    between = {hearing.plain(n) for n in range(begin + 1, first)}
    straight = between <= hearing.words.determiners | word_class("particles")
    return straight and speech >= _SURE and behind not in word_class("articles")


def _to_nobody_known(hearing: Hearing, at: int, thing: set[int]) -> FarCall | None:
    """`call the medic and ask if anyone is sick`: words go out to whom nobody has heard of, and
    nobody who is here answers for them."""
    first = at + 1
    verbs = [n for n in range(first, _end(hearing)) if _speaks(hearing, n)]
    ends = [n for n in range(first, _end(hearing)) if hearing.plain(n) in _MARKS | {"and", "that"}]
    said = verbs or [n for n in ends if hearing.plain(n) in (":", "that")]
    last = min([*verbs, *ends, *(n for n in thing if n >= first)], default=_end(hearing))
    here = [m for m in hearing.mentions if first <= m.first < last or m.first - 1 in verbs]
    ways = words_for("spoken") | words_for("open") | words_for("written")
    sent = any(hearing.plain(n) in ways for n in range(first, last))  # `make the call`
    named = hearing.plain(first) in hearing.words.determiners and 1 < last - first <= _FEW
    goes = hearing.plain(at) in words_for("going") and not thing
    if not named or here or sent or goes or not said:
        return None
    rest, end, _ = _said(hearing, last, thing)
    if not rest:
        return None
    to = hearing.phrase(first, last)
    action = ProposedAction(action=_SAID, details=rest, family=_SAID, called_to=to)
    return FarCall(action, _before(hearing, at, thing), hearing.phrase(end, _end(hearing)))


def _speaks(hearing: Hearing, at: int) -> bool:
    verb = hearing.verbs.at(hearing.typed, at, _end(hearing))
    return verb is not None and verb.action in _SPEECH


def _told_whole(hearing: Hearing, named: Named, thing: set[int], name: set[int]) -> FarCall | None:
    """`I offer Marcus fifty over the phone`: all of it is said but to whom and by what."""
    led = hearing.plain(min(thing)) in words_for("before_a_thing")
    if not led or hearing.plain(0) in hearing.words.question_starts:
        return None
    said = " ".join(_stretches(hearing, 0, _end(hearing), thing | name))
    action = ProposedAction(
        action=_SAID,
        target_id=named.id,
        details=said,
        family=_SAID,
        by=hearing.plain(max(thing)),
    )
    return FarCall(action)


def _end(hearing: Hearing) -> int:
    return len(hearing.typed.tokens)


def _calling(hearing: Hearing) -> tuple[int, str]:
    """Where a word of calling stands that one does: not `the call`, nor `her phone`."""
    verbs = words_for("spoken") | words_for("open") | words_for("written")
    for at in range(_end(hearing)):
        word, before = hearing.plain(at), hearing.plain(at - 1)
        if word not in verbs or hearing.typed.tokens[at].kind != "word":
            continue
        if before not in hearing.words.determiners | words_for("before_a_thing"):
            if _is_ones_own(hearing, at):
                return at, word
            continue
        sent = [n for n in range(max(0, at - _FEW), at) if hearing.plain(n) in words_for("sending")]
        if sent:
            return sent[0], word  # `send Vera a message`
    return -1, ""


def _is_ones_own(hearing: Hearing, at: int) -> bool:
    """Whether it is the player who calls: not `she phoned Marcus`, nor `Thandi, call Marcus`."""
    before = hearing.plain(at - 1)
    named = (m for m in hearing.mentions if m.last <= at and m.best("person").near)
    bidden = any(m.first == 0 and m.best("person").kind == "person" for m in named)
    begins = before in words_for("before_ones_own") or hearing.typed.tokens[at - 1].kind != "word"
    return not bidden and (at == 0 or begins or is_adverb(before))


def _thing(hearing: Hearing) -> set[int]:
    """The tokens that name by what one calls, with what stands before them."""
    for mention in hearing.mentions:
        named = mention.best("thing")
        if named.kind == "thing" and named.near and _reaches(named, hearing):
            return _with_lead(hearing, mention.first, mention.last)
    ways = words_for("things") | words_for("written") | words_for("spoken")
    for at in range(_end(hearing)):
        if hearing.plain(at) not in ways:
            continue
        found = _with_lead(hearing, at, at + 1)
        if len(found) > 1 and hearing.plain(min(found)) in words_for("before_a_thing"):
            return found
    return set()


def _reaches(named: Named, hearing: Hearing) -> bool:
    rows = (row for row in hearing.packet.entities if row.get("id") == named.id)
    attrs = next((row.get("attrs") or {} for row in rows), {})
    head = named.name.lower().split()[-1:]
    return attrs.get(REACH) == FAR or not words_for("things").isdisjoint(head)


def _with_lead(hearing: Hearing, first: int, last: int) -> set[int]:
    """A thing with its article and `on`, `over`, `with` before it."""
    leads = words_for("before_a_thing")
    for at in range(first - 1, max(first - _FEW, 0) - 1, -1):
        if hearing.plain(at) in leads:
            return set(range(at, last))
        if hearing.typed.tokens[at].kind != "word":
            break
    article = first > 0 and hearing.plain(first - 1) in hearing.words.determiners
    return set(range(first - article, last))


def _whom(hearing: Hearing, at: int, thing: set[int]) -> tuple[Named, int, int] | None:
    """The one who is elsewhere and is called: right behind the calling, else spoken to."""
    if at >= 0 and hearing.plain(at + 1) in _WHOM:
        return _by_pronoun(hearing, at)
    for mention in hearing.mentions:
        named = mention.best("person")
        if named.kind != "person" or mention.owner or mention.first < at:
            continue
        between = range(at + 1, mention.first)
        if named.near or (at >= 0 and not _is_free(hearing, between, thing)):
            return None
        again = [m.last for m in hearing.mentions if m.first == mention.last]
        twice = [end for end in again if hearing.phrase(mention.last, end) in named.name]
        return named, mention.first, max(twice, default=mention.last)  # `Brother Anselm`
    return None


def _by_pronoun(hearing: Hearing, at: int) -> tuple[Named, int, int] | None:
    """`text him`: the latest in play who is not here and goes by it."""
    first = at + 1
    pronoun = hearing.plain(first)
    away = [one for one in hearing.cast.named if one.kind == "person" and not one.near]
    fitting = [one for one in away if pronoun in words_in(one.pronouns)]
    latest = max(fitting, key=lambda one: one.recency, default=None)
    if latest is None or not (latest.recency or len(fitting) == 1):
        return None
    return latest, first, first + 1


def _is_free(hearing: Hearing, between: range, thing: set[int]) -> bool:
    """Whether nothing but small words stands between a calling and whom."""
    small = words_for("links") | words_for("things") | words_for("before_a_thing")
    small |= words_for("written") | words_for("open") | words_for("spoken") | _MARKS
    return all(at in thing or hearing.plain(at) in small for at in between)


def _speaking(hearing: Hearing, first: int) -> int:
    """Where the word of speaking stands that goes to a name: `ask the captain`; -1 for none."""
    at = first - 1
    while at >= 0 and hearing.plain(at) in hearing.words.determiners | {"to", "with", "at"}:
        at -= 1
    verb = hearing.verbs.at(hearing.typed, at, _end(hearing)) if at >= 0 else None
    return at if verb is not None and verb.action in _SPEECH else -1


def _said(hearing: Hearing, start: int, taken: set[int]) -> tuple[str, int, bool]:
    """What is said or asked, where it ends, and whether it is asked."""
    end, at, asks = _end(hearing), start, False
    while at < end:
        word = hearing.plain(at)
        verb = hearing.verbs.at(hearing.typed, at, end)
        speaks = verb is not None and verb.action in _SPEECH
        small = word in _MARKS or word in words_for("links") - {"my", "our"}
        if at in taken or small or _is_what_is_sent(hearing, at):
            at += 1
        elif verb is not None and speaks:
            asks = asks or verb.action == _ASKED
            at = verb.after + (hearing.plain(verb.after) in _WHOM)
        elif _is_offered(hearing, verb):
            at = verb.after + 1 if verb else at + 1
        elif word == "about" and asks:
            at += 1
        else:
            break
    if at < end and _is_another_deed(hearing, [n for n in range(start, at) if n not in taken], at):
        return "", at, False
    words = " ".join(_stretches(hearing, at, end, taken)).strip(" ,:;")
    asks = asks or words.endswith("?") or _asks_outright(words)
    return words, end, asks


def _is_offered(hearing: Hearing, verb: Verb | None) -> bool:
    """`and offer him ten coins`: from afar nothing is given, so it is said."""
    if verb is None or verb.action != "give" or verb.after + 1 >= _end(hearing):
        return False
    return hearing.plain(verb.after) in _WHOM


def _is_what_is_sent(hearing: Hearing, at: int) -> bool:
    """`a message`, behind whom it is sent to."""
    return hearing.plain(at) in words_for("written") and hearing.plain(at - 1) in ("a", "an", "the")


def _is_another_deed(hearing: Hearing, passed: list[int], at: int) -> bool:
    """`call mom and go to the vault`: behind `and` or `then`, a verb that is no speaking."""
    joined = {hearing.plain(n) for n in passed} & {"and", "then"}
    marks = {hearing.plain(n) for n in passed} & {":"}
    spoken = any(hearing.verbs.at(hearing.typed, n, at) for n in passed)
    verb = hearing.verbs.at(hearing.typed, at, _end(hearing))
    deed = verb is not None and verb.base and verb.action not in _SPEECH
    return bool(joined) and deed and not marks and not spoken


def _stretches(hearing: Hearing, first: int, last: int, taken: set[int]) -> list[str]:
    """The words from here on without those that name the thing."""
    cuts = [at for at in range(first, last) if at in taken]
    parts, begin = [], first
    for cut in [*cuts, last]:
        if cut > begin:
            parts.append(hearing.phrase(begin, cut))
        begin = cut + 1
    return [part for part in parts if part]


def _asks_outright(words: str) -> bool:
    first = words.lower().split()[:1]
    return bool(first) and first[0] in word_class("question_words") | {"if"}


def _before(hearing: Hearing, begin: int, thing: set[int]) -> str:
    """What is done before the call and is more than taking up the thing."""
    own = {at for at in range(begin) if at not in thing}
    verbs = [at for at in own if hearing.verbs.at(hearing.typed, at, begin)]
    if not verbs or any(at < begin for at in thing):
        return ""
    kept = hearing.phrase(0, begin)
    return kept.removesuffix(" to").removesuffix(" and").removesuffix(" then").strip(" ,;")
