"""Free text to what a player means: clause by clause, into the record the engine takes."""

from dataclasses import replace

from freeform.core.chance import Chance
from freeform.core.text import shorten
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import InterpreterOutput, ProposedAction
from freeform.engine.world.state import PLAYER
from freeform.language.ear import KnowsWord
from freeform.language.forms import is_adverb
from freeform.offline.interpreter.assumptions import claim, does_another, is_statement, note_claims
from freeform.offline.interpreter.clauses import Clause, cut_clauses
from freeform.offline.interpreter.deeds import do, go
from freeform.offline.interpreter.hearing import Hearing, Reference
from freeform.offline.interpreter.lexicon import phrases
from freeform.offline.interpreter.names import Named, cast_of
from freeform.offline.interpreter.offers import offered
from freeform.offline.interpreter.phrases import cover, minutes_meant
from freeform.offline.interpreter.questions import ask_game_master, ask_of, is_question
from freeform.offline.interpreter.speech import addressed, attributed, say_aloud, speak
from freeform.offline.interpreter.tidying import no_action, risk_flags, tidy
from freeform.offline.interpreter.verbs import Verb, verbs_of
from freeform.offline.interpreter.words import Typed, read

MOST_ACTIONS = 8
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
_WRITES = frozenset({"write", "type", "copy", "paint", "record"})
_ANSWERED = frozenset(
    {"phone", "telephone", "door", "call", "comm", "radio", "handset", "bell", "intercom"}
)
_MODAL = frozenset({"can", "could", "would", "will"})
_MYSELF = phrases(
    ("who", "am", "i"),
    ("what", "do", "i", "look", "like"),
    ("describe", "me"),
    ("describe", "myself"),
)
_WISHES = frozenset({"like", "love", "fancy"})
_ORDERS = frozenset({"order", "buy", "request"})
_SENSES = frozenset({"see", "hear", "notice", "spot", "smell", "feel"})


def respond(input: InterpreterInput, chance: Chance) -> InterpreterOutput:
    """The offline answer to `engine/interpreter`. Nothing here is left to chance."""
    return interpret(input)


def interpret(input: InterpreterInput) -> InterpreterOutput:
    """What the player means. Any text gives a valid answer; none is obeyed."""
    listener = RulesListener(input)
    hearing, actions = listener.hear(input.player_input)
    return listener.output(actions or [hearing.idle or no_action(hearing)])


class RulesListener:
    """The rules' hearing of one input, whole or piece by piece: who was spoken of stays in mind."""

    def __init__(self, input: InterpreterInput, knows: KnowsWord | None = None) -> None:
        """A word that everybody writes is taken for no slip of a name."""
        self._input = input
        self._knows = knows
        self._verbs = verbs_of(input.action_types)
        self._cast = cast_of(input.context_packet)
        self._said: list[Named] = []
        self._assumptions: list[str] = []
        self._perceptions: list[str] = []

    def begun(self, text: str) -> Hearing:
        """A hearing of some words, with nothing made of them yet."""
        typed = read(text)
        mentions = self._cast.mentions(typed, self._verbs.by_head, self._knows)
        packet, offers = self._input.context_packet, self._input.offers
        hearing = Hearing(packet, typed, self._verbs, self._cast, mentions, offers)
        hearing.said = self._said
        hearing.assumptions = self._assumptions
        hearing.perceptions = self._perceptions
        return hearing

    def hear(self, text: str) -> tuple[Hearing, list[ProposedAction]]:
        """What is attempted in these words; nothing where they attempt nothing."""
        hearing = self.begun(text)
        spoken = attributed(hearing)
        if spoken:
            return hearing, [spoken]
        note_claims(hearing)
        return hearing, tidy(_attempted(hearing), hearing)[:MOST_ACTIONS]

    def output(self, actions: list[ProposedAction]) -> InterpreterOutput:
        """The record the engine takes."""
        named = [named.id for named in self._said if named.id]
        typed = read(self._input.player_input)
        targets = [action.target_id for action in actions if action.target_id]
        return InterpreterOutput(
            intent=shorten(typed.text, 200),
            referenced_entities=list(dict.fromkeys(named + targets)),
            proposed_actions=actions,
            assumptions=list(dict.fromkeys(self._assumptions)),
            risk_flags=risk_flags(typed, actions, self._input.context_packet),
            perception_flags=self._perceptions,
        )


def _attempted(hearing: Hearing) -> list[ProposedAction]:
    """The actions of every clause, in order; what hangs on a condition is held back."""
    mentions, typed = hearing.mentions, hearing.typed
    inside = {at for m in mentions if m.last - m.first > 1 for at in range(m.first, m.last)}
    actions: list[ProposedAction] = []
    people = {
        at for m in mentions if m.best("person").kind == "person" for at in range(m.first, m.last)
    }
    clauses = cut_clauses(typed, hearing.verbs, inside, people)
    for number, clause in enumerate(clauses):
        if len(actions) >= MOST_ACTIONS:
            break
        claims = len(hearing.assumptions)
        heard = hear(hearing, clause, bool(actions))
        if clause.link == "if" and actions and number < len(clauses) - 1:
            # What hangs on it is left for a later turn, so it claims nothing.
            del hearing.assumptions[claims:]
        before = clauses[number - 1] if number else None
        if clause.link == "if" and not hearing.holds:
            actions = _readied(hearing, clause, actions, last=number == len(clauses) - 1)
        elif before and before.link == "if" and number > 1:
            continue
        elif before and before.link == "if" and not hearing.holds:
            hearing.idle = ProposedAction(
                action="wait", details=typed.phrase(before.first, clause.last)
            )
        else:
            actions += heard
    return actions


def hear(hearing: Hearing, clause: Clause, later: bool) -> list[ProposedAction]:
    """The actions of one clause; claims it makes go to the hearing."""
    first, last = _trim(hearing.typed, clause.first, clause.last)
    if first >= last or clause.link == "purpose":
        return []
    if (
        last - first == 1
        and hearing.plain(last) == ","
        and hearing.plain(first) in ("look", "listen", "see", "say")
    ):
        return []  # `Look, I only want the truth` begins a speech, not a look
    if hearing.plain(first) == "wait" and hearing.plain(first + 1) in hearing.words.question_words:
        first += 1  # `wait who is that` asks, and lets no time pass
    if clause.link == "because" or (clause.link == "if" and is_statement(hearing, first, last)):
        return _claimed(hearing, first, last)
    if clause.link == "if":
        hearing.holds = False
        return []
    if hearing.typed.first_of(first, _MYSELF, last):
        return [ProposedAction(action="look", target_id=PLAYER)]
    if (
        last - first > 2
        and hearing.typed.has(last - 2, ("it", "is"), last)
        and _is_named(hearing, first)
    ):
        last -= 2  # `upstairs it is`
    quotes = [token for token in hearing.typed.tokens[first:last] if token.kind == "quote"]
    if quotes:
        verb = _verb_of(hearing, _without_fillers(hearing, first, last)[0], last)
        if verb is not None and verb.words in _WRITES:
            return [
                _improvise(hearing, verb.at, last)
            ]  # a note that says something is not said aloud
        return [say_aloud(hearing, quotes, first, last, verb)]
    if not clause.question and (deed := _authored(hearing, first, last)):
        hearing.authored = True
        return [deed]
    whom, said_first, said_last = addressed(hearing, first, last)
    if whom is not None and not _tells(hearing, first, last):
        return [
            ask_of(hearing, whom, *_trim(hearing.typed, said_first, said_last), clause.question)
        ]
    if not clause.question and hearing.typed.has(
        _without_name(hearing, first), ("i", "am", "sorry"), last
    ):
        person = hearing.person()
        said = hearing.phrase(first, last)
        return [ProposedAction(action="talk", target_id=person.id if person else "", details=said)]
    if not clause.question and (
        is_statement(hearing, first, last) or does_another(hearing, first, last)
    ):
        return _claimed(hearing, first, last)
    return _attempt(hearing, first, last, clause, later)


def _tells(hearing: Hearing, first: int, last: int) -> bool:
    """`I ask the docker, you know, Dutch` tells of asking; nobody is called."""
    verb = (
        hearing.verbs.at(hearing.typed, first + 1, last)
        if hearing.plain(first) == "i" and first + 1 < last
        else None
    )
    return verb is not None and verb.action in hearing.words.social


def _authored(hearing: Hearing, first: int, last: int) -> ProposedAction | None:
    """A deed that was written for this place, unless the clause begins by calling someone."""
    start, _, _ = _without_fillers(hearing, first, last)
    if start >= last or any(
        m.first == start and m.best("person").kind == "person" for m in hearing.mentions
    ):
        return None
    verb = _verb_of(hearing, start, last)
    known = verb.action if verb and verb.action != "improvise" else ""
    meant = [ref.named for ref in hearing.references(start, last) if ref.named]
    named, someone = (
        frozenset(one.id for one in meant),
        any(one.kind == "person" and one.near for one in meant),
    )
    people = (one.id for one in hearing.cast.named if one.kind == "person" and one.id not in named)
    others = frozenset(people) if someone else frozenset[str]()
    offers = hearing.offers
    if someone and known in hearing.words.social:
        # What is told to someone is theirs to hear: a gate in a promise is not hammered on.
        listeners = [one.id for one in meant if one.kind == "person"]
        offers = [offer for offer in offers if offer.target_id in listeners]
    return offered(hearing.phrase(start, last), offers, named, known, others)


def _readied(
    hearing: Hearing, clause: Clause, actions: list[ProposedAction], last: bool
) -> list[ProposedAction]:
    """`I shoot if he moves`: nothing is done yet; the character waits for it."""
    if not last or not actions:
        return actions
    text = f"{actions[-1].action} if {hearing.phrase(clause.first, clause.last)}"
    return [*actions[:-1], ProposedAction(action="wait", details=text)]


def _without_name(hearing: Hearing, first: int) -> int:
    """Past an `ok` or `well`."""
    return first + (hearing.plain(first) in ("ok", "okay", "well", "look", "oh", "no"))


def _claimed(hearing: Hearing, first: int, last: int) -> list[ProposedAction]:
    """Something taken for granted: no action, but what it speaks of can be meant by `it` later."""
    hearing.assumptions.append(claim(hearing, first, last))
    for ref in hearing.references(first, last):
        hearing.say(ref.named)
    return []


def _attempt(
    hearing: Hearing, first: int, last: int, clause: Clause, later: bool
) -> list[ProposedAction]:
    start, subject, able = _without_fillers(hearing, first, last)
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
    verb = _verb_of(hearing, start, last, subject)
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
        inner = _verb_of(hearing, verb.after, last) or _tried(hearing, verb, last)
        if inner is None or inner.action == "improvise":
            return [_improvise(hearing, start, last)]
        verb = inner
    if verb.action == "improvise":
        return [_improvise(hearing, start, last)]
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


def _trim(typed: Typed, first: int, last: int) -> tuple[int, int]:
    while first < last and typed.tokens[first].kind == "mark":
        first += 1
    while last > first and (
        typed.tokens[last - 1].kind == "mark" or typed.tokens[last - 1].plain in ("and", "but")
    ):
        last -= 1
    return first, last


def _without_fillers(hearing: Hearing, first: int, last: int) -> tuple[int, bool, bool]:
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


def _verb_of(hearing: Hearing, first: int, last: int, subject: bool = False) -> Verb | None:
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
            if not _is_named(hearing, at):
                verb = hearing.verbs.guess(hearing.typed, at, last) or hearing.verbs.begun(
                    hearing.typed, at
                )
            if (
                verb is None
                and subject
                and not is_adverb(token.plain)
                and not _is_named(hearing, at)
            ):
                return (
                    None
                    if token.plain not in hearing.words.prepositions
                    else _verb_of(hearing, at + 1, last)
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
    return known or is_adverb(word) or _is_named(hearing, at) or word in hearing.verbs.by_head


def _is_named(hearing: Hearing, at: int) -> bool:
    return any(mention.first <= at < mention.last for mention in hearing.mentions)


def _without_verb(hearing: Hearing, start: int, last: int, subject: bool) -> list[ProposedAction]:
    """A bare noun goes there or looks; words that mean an attempt are improvised; the rest is said
    to nobody."""
    refs = hearing.references(start, last)
    text = hearing.phrase(start, last)
    unknown = [
        token for at, token in enumerate(hearing.typed.tokens[start:last], start)
        if token.kind == "word" and not _is_named(hearing, at) and token.plain not in hearing.words.common
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
        return [_improvise(hearing, start, last)]
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


def _improvise(hearing: Hearing, start: int, last: int) -> ProposedAction:
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
