"""What an AI player at a table of people is asked, and what its answers come to: a deed in its
character's words, or a line beside the story. Pure.

The questions are those of a party (`players/directive`, `players/act`, `players/talk`), so a model
or our own code answers them as it does there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from freeform.core.chance import Chance
from freeform.core.text import MAX_INPUT, plain_form, shorten
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.world.acts import FREE, family_of
from freeform.engine.world.model import InterpreterOutput
from freeform.engine.world.state import GameState
from freeform.language.words import word_class
from freeform.players.companion.scene import TableScene
from freeform.players.mind.model import MindState
from freeform.players.mind.think import think
from freeform.players.mind.topics import weighty
from freeform.players.model import Memory, Option, Party, Proposal, Seat, TableView
from freeform.players.passes import (
    ActReply,
    CharacterInput,
    DirectiveReply,
    HeardFact,
    PersonaInput,
    TalkReply,
)
from freeform.players.round.brief import Thoughts, character_input, persona_input
from freeform.players.round.limits import within_limits
from freeform.players.round.minds import Recollection
from freeform.players.round.options import as_option, kind_of
from freeform.players.round.thoughts import as_known_to
from freeform.players.words.overreach import repair
from freeform.players.words.reply_repair import cut_short, option_meant, spoken

LONGEST_DEED, LONGEST_LINE = 400, 500
SURE = 0.75
"""How sure the ear must be that a deed is meant."""
SPOKEN = frozenset({"talk", "ask", "persuade", "deceive", "threaten"})
"""Families of what is said to someone."""
MEANT = 0.6
"""What share of an option's words a request must have to mean it."""
QUESTION = (
    "What does {character} do now? People sit at this table and lead the story: do one thing of "
    "your own, and go elsewhere only where they asked for it."
)
ANSWER = "{who} says to you: {said} Answer them."
HAPPENED = "This has just happened: {told} Say a word on it to the others, if you like."


@dataclass(frozen=True)
class CompanionMind:
    """What is on an AI player's mind at a table of people."""

    party: Party
    seat: Seat
    view: TableView
    memories: list[Memory]
    mind: MindState
    story: str
    means: str = ""
    """What they said they would do."""

    def options(self) -> list[str]:
        """What they could choose, in words."""
        own = [leaning.option.text for leaning in self.mind.leanings]
        return list(dict.fromkeys([*own, *(option.text for option in self.view.options)]))


def what_matters(view: TableView) -> str:
    """What memory is asked about: what lies before them."""
    matters = [view.place, *view.people, *view.threads, *view.found, *view.things[:6]]
    return " ".join([*matters, *(option.topic for option in view.options[:8])])


def mind_at_table(
    scene: TableScene, seat: Seat, view: TableView, came: Recollection, means: str = ""
) -> CompanionMind:
    """What they lean to do. They lead nobody away, unless they were asked to."""
    chance = Chance(scene.rules.begun.seed, "companion", scene.state.turn_no, seat.agent)
    mind = think(seat.persona, as_known_to(came, view), came.memories, chance)
    here = [one for one in mind.leanings if one.option.kind != "go" or one.option.text == means]
    mind = mind.model_copy(update={"leanings": here})
    return CompanionMind(scene.party(), seat, view, came.memories, mind, scene.story(), means)


def deed_question(of: CompanionMind, talk: Sequence[HeardFact]) -> PersonaInput:
    """What shall its character do?"""
    return persona_input(
        of.party,
        of.seat.agent,
        of.view,
        of.memories,
        _told(of),
        talk,
        QUESTION.format(character=of.seat.character.name),
        thoughts=Thoughts(mind=of.mind, mine=of.means),
    )


def directive_meant(reply: DirectiveReply, of: CompanionMind) -> str:
    """The directive that its character gets; '' where it holds back, or would lead people away
    who did not ask for it."""
    option = option_meant(reply.option, of.options()) if reply.option.strip() else ""
    if not option or kind_of(option) == "wait":
        return ""
    if kind_of(option) == "go" and option != of.means:
        return ""
    return reply.directive.strip() or f"{option}."


def act_question(of: CompanionMind, directive: str) -> CharacterInput:
    """How does its character put that?"""
    return character_input(of.party, of.seat.agent, of.story, of.view, directive, [])


def deed_meant(reply: ActReply, of: CompanionMind, limits: SafetyLimits) -> str:
    """What is handed in: an attempt, never an outcome, within the table's limits; '' for none."""
    name = of.seat.character.name
    others = [each.character.name for each in of.party.seats if each.agent != of.seat.agent]
    words = cut_short(within_limits(spoken(reply.action, name), limits), LONGEST_DEED)
    if not words:
        return ""
    return shorten(repair(words, name, [*others, *of.view.names]), MAX_INPUT)


def request_in(said: str, of: CompanionMind) -> Option | None:
    """The option that somebody asks for, if the words name one: most of what the option is about is
    in them."""
    words, best = weighty(said), (0.0, "")
    for text in of.options():
        about = weighty(text)
        if not about or kind_of(text) == "wait":
            continue
        share = len(about & words) / len(about)
        if plain_form(text) in plain_form(said):
            share = 2.0
        best = max(best, (share, text), key=lambda pair: pair[0])
    return as_option(best[1]) if best[0] >= MEANT else None


def deed_heard(said: str, heard: InterpreterOutput, state: GameState) -> Option | None:
    """What somebody asks a player to do in words of their own, as the game master's ear hears it:
    a deed, not mere talk; what is said to someone of the story names them."""
    if heard.question or not heard.proposed_actions:
        return None
    first = heard.proposed_actions[0]
    if family_of(first.action, first.family) in FREE or first.confidence < SURE:
        return None
    spoken_of = weighty(state.name(first.target_id)) & weighty(said) if first.target_id else None
    if family_of(first.action, first.family) in SPOKEN and not spoken_of:
        return None
    words = " ".join(_trimmed(said.rstrip(" .!").split()))
    return as_option(words[:1].upper() + words[1:]) if words else None


def _trimmed(words: list[str]) -> list[str]:
    """A request without the small words around it."""
    loose = word_class("loose")
    while words and words[0].strip(",").lower() in loose:
        words = words[1:]
    while words and words[-1].strip(",").lower() in loose:
        words = words[:-1]
    return words


def talk_question(
    of: CompanionMind, talk: Sequence[HeardFact], asked: HeardFact, wanted: Option | None
) -> PersonaInput:
    """What do they say to someone who spoke to them?"""
    by = next((s.agent for s in of.party.seats if s.persona.name == asked.who), asked.who)
    proposal = Proposal(by=by, option=wanted.text, kind=wanted.kind) if wanted else None
    made = _talk(of, talk, ANSWER.format(who=asked.who, said=asked.said), proposal)
    return made.model_copy(update={"asked": asked, "proposed_by": asked.who if wanted else ""})


def reaction_question(of: CompanionMind, talk: Sequence[HeardFact], told: str) -> PersonaInput:
    """What do they say to what has just happened?"""
    return _talk(of, talk, HAPPENED.format(told=shorten(told, LONGEST_LINE)), None)


def line_meant(reply: TalkReply, of: CompanionMind, limits: SafetyLimits) -> str:
    """What is said beside the story; '' for nothing."""
    words = within_limits(spoken(reply.content, of.seat.persona.name), limits)
    return cut_short(words, LONGEST_LINE)


def _talk(
    of: CompanionMind, talk: Sequence[HeardFact], question: str, proposal: Proposal | None
) -> PersonaInput:
    own = [heard.said for heard in talk if heard.who == of.seat.persona.name]
    return persona_input(
        of.party,
        of.seat.agent,
        of.view,
        of.memories,
        _told(of),
        [],
        question,
        proposal,
        thoughts=Thoughts(mind=of.mind, mine=of.means, said_before=own),
    )


def _told(of: CompanionMind) -> list[HeardFact]:
    return [HeardFact(who="the game master", said=of.story)]
