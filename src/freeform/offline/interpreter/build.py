"""Free text to what a player means: clause by clause, into the record the engine takes."""

from freeform.core.chance import Chance
from freeform.core.text import shorten
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import InterpreterOutput, ProposedAction
from freeform.engine.world.state import PLAYER
from freeform.language.ear import KnowsWord
from freeform.offline.interpreter.assumptions import claim, does_another, is_statement, note_claims
from freeform.offline.interpreter.attempt import (
    attempt,
    improvise,
    is_named,
    trim,
    verb_of,
    without_fillers,
)
from freeform.offline.interpreter.clauses import Clause, cut_clauses
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.lexicon import phrases
from freeform.offline.interpreter.names import Named, cast_of
from freeform.offline.interpreter.offers import offered
from freeform.offline.interpreter.questions import ask_of
from freeform.offline.interpreter.speech import addressed, attributed, say_aloud
from freeform.offline.interpreter.tidying import no_action, risk_flags, tidy
from freeform.offline.interpreter.verbs import verbs_of
from freeform.offline.interpreter.words import read

MOST_ACTIONS = 8
_WRITES = frozenset({"write", "type", "copy", "paint", "record"})
_MYSELF = phrases(
    ("who", "am", "i"),
    ("what", "do", "i", "look", "like"),
    ("describe", "me"),
    ("describe", "myself"),
)


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
    first, last = trim(hearing.typed, clause.first, clause.last)
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
        and is_named(hearing, first)
    ):
        last -= 2  # `upstairs it is`
    return _said_or_done(hearing, first, last, clause, later)


def _said_or_done(
    hearing: Hearing, first: int, last: int, clause: Clause, later: bool
) -> list[ProposedAction]:
    """What a clause says aloud, claims or attempts, once it is no condition and no reason."""
    quotes = [token for token in hearing.typed.tokens[first:last] if token.kind == "quote"]
    if quotes:
        verb = verb_of(hearing, without_fillers(hearing, first, last)[0], last)
        if verb is not None and verb.words in _WRITES:
            return [
                improvise(hearing, verb.at, last)
            ]  # a note that says something is not said aloud
        return [say_aloud(hearing, quotes, first, last, verb)]
    if not clause.question and (deed := _authored(hearing, first, last)):
        hearing.authored = True
        return [deed]
    whom, said_first, said_last = addressed(hearing, first, last)
    if whom is not None and not _tells(hearing, first, last):
        return [ask_of(hearing, whom, *trim(hearing.typed, said_first, said_last), clause.question)]
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
    return attempt(hearing, first, last, clause, later)


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
    start, _, _ = without_fillers(hearing, first, last)
    if start >= last or any(
        m.first == start and m.best("person").kind == "person" for m in hearing.mentions
    ):
        return None
    verb = verb_of(hearing, start, last)
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
