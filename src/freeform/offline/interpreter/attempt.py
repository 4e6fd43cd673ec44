"""What one clause attempts: where the attempt begins, its verb, and what it comes to."""

from dataclasses import replace

from freeform.engine.world.model import ProposedAction
from freeform.language.forms import is_adverb
from freeform.offline.interpreter.clauses import Clause
from freeform.offline.interpreter.deeds.act import do
from freeform.offline.interpreter.deeds.movement import go
from freeform.offline.interpreter.hearing import Hearing, Reference
from freeform.offline.interpreter.names import Named
from freeform.offline.interpreter.phrases import cover, minutes_meant
from freeform.offline.interpreter.questions import ask_game_master, ask_of, is_question
from freeform.offline.interpreter.speech import speak
from freeform.offline.interpreter.verbs import Verb
from freeform.offline.interpreter.words import Typed

_ABLE = frozenset({"can", "could", "may", "might", "should", "would", "is", "am", "how", "what"})
_ELIDED = frozenset(
    {"any", "anyone", "anything", "anybody", "anywhere", "someone", "somebody", "something"}
)
_TOWARDS = frozenset(
    {"to", "into", "toward", "towards", "inside", "up", "down", "onto", "through", "across"}
)
_POSES = frozenset(
    "sit|sit down|take a seat|have a seat|stand|stay quiet|keep quiet|stay silent|say nothing".split(
        "|"
    )
)
_WHOSE = frozenset({"his", "her", "their"})
_ANSWERED = frozenset(
    {"phone", "telephone", "door", "call", "comm", "radio", "handset", "bell", "intercom"}
)
_MODAL = frozenset({"can", "could", "would", "will"})
_WISHES = frozenset({"like", "love", "fancy"})
_ORDERS = frozenset({"order", "buy", "request"})
_SENSES = frozenset({"see", "hear", "notice", "spot", "smell", "feel"})


def attempt(
    hearing: Hearing, first: int, last: int, clause: Clause, later: bool
) -> list[ProposedAction]:
    """The actions of a clause that claims nothing and is said to nobody."""
    start, subject, able = without_fillers(hearing, first, last)
    if start >= last:
        return []
    if _is_negated(hearing, start, last):
        hearing.idle = ProposedAction(action="wait", details=hearing.phrase(first, last))
        hearing.is_denied = True
        return []
    asks = is_question(hearing, first, last) or (
        clause.question and hearing.plain(first) in _ELIDED
    )
    if not able and asks and (not subject or hearing.plain(first) in _ELIDED):
        return [ask_game_master(hearing, first, last, clause.question)]
    if request := hearing.typed.first_of(start, hearing.words.requests, last):
        if (person := hearing.person()) and not subject:
            return [ask_of(hearing, person, start, last, clause.question)]
        if not subject and request[0] == "tell":
            return [ask_game_master(hearing, start, last, clause.question)]
    if hearing.plain(start) in hearing.words.greetings and not subject:
        person = hearing.person()
        text = hearing.phrase(start, last)
        return [ProposedAction(action="talk", target_id=person.id if person else "", details=text)]
    if ordered := _ordered(hearing, first, start, last):
        return [ordered]
    if hearing.plain(start) in ("want", "need") and (asked := _wants_of(hearing, start, last)):
        return [asked]
    if hearing.plain(first) in _MODAL and (someone := _is_asked(hearing, first, last)):
        return [ask_of(hearing, someone, first, last, question=True)]
    verb = verb_of(hearing, start, last, subject)
    if (
        verb
        and verb.words == "answer"
        and {hearing.plain(at) for at in range(verb.after, last)} & _ANSWERED
    ):
        opens = "open" if "door" in {hearing.plain(at) for at in range(verb.after, last)} else "use"
        verb = replace(verb, action=opens)
    if (
        verb is None
        and hearing.plain(first) in _TOWARDS
        and hearing.plain(first + 1) in hearing.words.determiners
    ):
        return go(hearing, Verb("move", "go", start, start), last)
    if verb is None:
        return _without_verb(hearing, start, last, subject)
    if verb.action == "improvise" and verb.words in ("try", "do", "make", "attempt", "perform"):
        inner = verb_of(hearing, verb.after, last) or _tried(hearing, verb, last)
        if inner is None or inner.action == "improvise":
            return [improvise(hearing, start, last)]
        verb = inner
    if verb.action == "improvise":
        return [improvise(hearing, start, last)]
    if verb.words.endswith("up to") and _leads_on(hearing, verb, last):
        return go(hearing, Verb("move", "go", verb.at, verb.after), last)
    if verb.action in hearing.words.social:
        return [speak(hearing, verb, last)]
    if subject and verb.words in _SENSES and verb.base and _unseen(hearing, verb, last):
        hearing.perceptions.append(hearing.phrase(verb.after, last))
    if (
        verb.action == "wait"
        and verb.words in _POSES
        and not later
        and not minutes_meant(hearing, verb.after, last)
    ):
        hearing.idle = do(hearing, verb, last)[0]
        return []
    return do(hearing, verb, last)


def _ordered(hearing: Hearing, first: int, start: int, last: int) -> ProposedAction | None:
    """`order a whisky`, `I'd like a beer`, `buy a drink for Viktor`: nothing hangs on it, unless
    someone wrote what does."""
    wishes = hearing.plain(start) in _WISHES and any(
        hearing.plain(at) == "would" for at in range(first, start)
    )
    said = [hearing.plain(at) for at in range(start + 1, last)]
    if not (
        wishes or hearing.plain(start) in _ORDERS
    ) or not hearing.words.refreshments.intersection(said):
        return None
    named = [ref.named for ref in hearing.references(start + 1, last, "person") if ref.named]
    if any(one.kind == "thing" for one in named):
        return None
    for one in named:
        hearing.say(one)
    what = hearing.phrase(start + 1, last).removesuffix("please").rstrip(" ,")
    return ProposedAction(action="improvise", details=f"order {what}")


def _is_asked(hearing: Hearing, first: int, last: int) -> Named | None:
    """`Could Mara hand me the rum?` is asked of Mara."""
    for mention in hearing.mentions:
        if (
            mention.first == first + 1
            and mention.last < last
            and mention.best("person").kind == "person"
        ):
            return mention.best("person")
    return None


def _leads_on(hearing: Hearing, verb: Verb, last: int) -> bool:
    """`go up to Stack Nine`: not someone, but a place one can go to."""
    refs = hearing.references(verb.after, last, "place")
    named = refs[0].fits("place") if refs else None
    return bool(named and named.kind == "place")


def _wants_of(hearing: Hearing, start: int, last: int) -> ProposedAction | None:
    """`I want Mara to come with me` is asking Mara."""
    refs = hearing.references(start + 1, last, "person")
    if refs and refs[0].first <= start + 2 and hearing.plain(refs[0].last) == "to":
        return speak(hearing, Verb("ask", "want", start, start + 1), last)
    return None


def _tried(hearing: Hearing, verb: Verb, last: int) -> Verb | None:
    """`try the keycard in the locker` is using it; `try the door` is opening it."""
    if verb.words != "try":
        return None
    if any(
        ref.named and ref.named.kind == "thing"
        for ref in hearing.references(verb.after, last, "thing")
    ):
        return Verb("use", "use", verb.at, verb.after)
    words = {token.plain for token in hearing.typed.tokens[verb.after : last]}
    return (
        Verb("open", "open", verb.at, verb.after)
        if words & {"door", "handle", "lid", "drawer"}
        else None
    )


def trim(typed: Typed, first: int, last: int) -> tuple[int, int]:
    """A stretch without the marks around it, nor an `and` that leads on."""
    while first < last and typed.tokens[first].kind == "mark":
        first += 1
    while last > first and (
        typed.tokens[last - 1].kind == "mark" or typed.tokens[last - 1].plain in ("and", "but")
    ):
        last -= 1
    return first, last


def without_fillers(hearing: Hearing, first: int, last: int) -> tuple[int, bool, bool]:
    """Where the attempt itself begins; whether it said `I`; whether it asked `can I`."""
    subject = able = False
    at = first
    own = {m.first: m.last for m in hearing.mentions if m.best().kind == "self" and not m.owner}
    while at < last:
        token = hearing.typed.tokens[at]
        if token.kind == "mark" or (
            is_adverb(token.plain) and hearing.verbs.at(hearing.typed, at, last) is None
        ):
            at += 1
        elif at in own:
            at, subject = own[at], True
        elif filler := hearing.typed.first_of(at, hearing.words.fillers, last):
            if (
                filler[0] in hearing.verbs.by_head
                and hearing.verbs.at(hearing.typed, at, last)
                and len(filler) == 1
            ):
                break
            subject = (
                subject or bool({"i", "we"} & set(filler)) or filler[0] in ("let", "let's", "my")
            )
            able = able or (filler[0] in _ABLE and len(filler) > 1)
            at += len(filler)
        else:
            break
    return at, subject, able


def _is_negated(hearing: Hearing, start: int, last: int) -> bool:
    window = [hearing.plain(at) for at in range(start, min(start + 3, last))]
    if window and (
        window[0] in ("never", "not") or (window[0] in ("refuse", "decline") and "to" in window)
    ):
        return True
    return (
        len(window) > 1
        and window[1] == "not"
        and window[0] in ("do", "will", "would", "can", "could", "should", "am")
    )


def verb_of(hearing: Hearing, first: int, last: int, subject: bool = False) -> Verb | None:
    """The verb of a clause: the first word that is one and stands where a verb can."""
    inside = {at for m in hearing.mentions if m.last - m.first > 1 for at in range(m.first, m.last)}
    starting = True
    for at in range(first, last):
        token = hearing.typed.tokens[at]
        if token.kind != "word" or at in inside or token.owner:
            continue
        before = hearing.plain(at - 1) if at > first else ""
        noun = before in hearing.words.determiners or (
            before in hearing.words.prepositions and before != "to"
        )
        verb = None if noun else hearing.verbs.at(hearing.typed, at, last)
        if verb is None and starting and not noun:
            verb = None
            if not is_named(hearing, at):
                verb = hearing.verbs.guess(hearing.typed, at, last) or hearing.verbs.begun(
                    hearing.typed, at
                )
            if (
                verb is None
                and subject
                and not is_adverb(token.plain)
                and not is_named(hearing, at)
            ):
                return (
                    None
                    if token.plain not in hearing.words.prepositions
                    else verb_of(hearing, at + 1, last)
                )
        if verb is not None:
            return verb
        if verb is None and not _is_plain(hearing, at):
            return None
        starting = starting and is_adverb(token.plain)
    return None


def _is_plain(hearing: Hearing, at: int) -> bool:
    """Whether a word before the verb is one we know; after an unknown one we would be guessing."""
    word = hearing.plain(at)
    words = hearing.words
    known = (
        word in words.common
        or word in words.prepositions
        or word in words.determiners
        or word in words.antonyms
    )
    return known or is_adverb(word) or is_named(hearing, at) or word in hearing.verbs.by_head


def is_named(hearing: Hearing, at: int) -> bool:
    """Whether a word is part of a name somebody or something has here."""
    return any(mention.first <= at < mention.last for mention in hearing.mentions)


def _without_verb(hearing: Hearing, start: int, last: int, subject: bool) -> list[ProposedAction]:
    """A bare noun goes there or looks; words that mean an attempt are improvised; the rest is said
    to nobody."""
    refs = hearing.references(start, last)
    text = hearing.phrase(start, last)
    unknown = [
        token for at, token in enumerate(hearing.typed.tokens[start:last], start)
        if token.kind == "word" and not is_named(hearing, at) and token.plain not in hearing.words.common
        and not is_adverb(token.plain)
    ]  # fmt: skip
    if refs and not unknown and _is_bare(hearing, start, last, refs[0]):
        named = refs[0].fits("place")
        if named and named.way:
            return go(hearing, Verb("move", "go", start, start), last)
        hearing.say(named)
        if named and named.id:
            away = named.kind == "person" and not named.near
            return [ProposedAction(action="recall" if away else "look", target_id=named.id)]
        return [ProposedAction(action="look", details=named.name if named else text)]
    if subject or refs:
        return [improvise(hearing, start, last)]
    return []


def _is_bare(hearing: Hearing, start: int, last: int, ref: Reference) -> bool:
    """Whether a stretch is only a name: `the docks`, not `hammer on the gate`."""
    loose = (
        hearing.words.determiners
        | hearing.words.prepositions
        | hearing.words.greetings
        | {"please", "now"}
    )
    taken = cover(hearing, ref)
    rest = (hearing.plain(at) for at in range(start, last) if at not in taken)
    return all(word in loose or is_adverb(word) for word in rest)


def improvise(hearing: Hearing, start: int, last: int) -> ProposedAction:
    """A deed that no rule knows, with whom it is done to."""
    refs = hearing.references(start, last)
    for ref in refs:
        hearing.say(ref.named)
    target = next(
        (ref.named.id for ref in refs if ref.named and ref.named.id and ref.named.kind != "self"),
        "",
    )
    if not target and (
        whose := next((w for w in map(hearing.plain, range(start, last)) if w in _WHOSE), "")
    ):
        owner = hearing.person(whose)  # `wrench at the stone that holds his foot` is done for him
        target = owner.id if owner and owner.near else ""
    return ProposedAction(action="improvise", target_id=target, details=hearing.phrase(start, last))


def _unseen(hearing: Hearing, verb: Verb, last: int) -> bool:
    """Whether the player claims to see what nothing shows: `I see a gun under the table`."""
    return hearing.plain(verb.after) in ("a", "an", "some", "that") and not [
        ref for ref in hearing.references(verb.after, min(verb.after + 3, last)) if ref.named
    ]
