"""The passes of a party: what players and characters are told, and what they answer.

A player (`talk`, `directive`) is told its persona, the table, what it remembers and what players
said. A character (`act`, `react`) is told its part, the scene and its directive, and never what
players said among themselves.
"""

from typing import Any, ClassVar

from pydantic import Field

from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.record import Record, Reply
from freeform.players.memory.testimony import REMEMBER, REWORD
from freeform.players.mind.model import MindState
from freeform.players.mind.telling import mind_lines
from freeform.players.model import BasePersona, Character, Memory, Proposal, TableView
from freeform.players.words import prompt_lines

_MEMORY_ALONE = {"base_decay_rate", "emotional_memory"}
_UNTOLD: dict[str, Any] = {"lines": True, "character": True, "id": True, "traits": _MEMORY_ALONE}
_OF_ATTEMPTS = ("attempt", "constraints", "previous_violation")


class HeardFact(Record):
    """A message as a pass is told it: who, and what. No times, no numbers, nothing to count."""

    who: str
    said: str


class ToldMemory(Record):
    """A memory as somebody told it at the table."""

    who: str
    fact_id: str
    said: str


class OwnClaim(Record):
    """A memory that this player told in this talk; `who` spoke against it, where somebody did."""

    fact_id: str
    who: str = ""
    disputed: bool = False


class PersonaInput(PassInput):
    """What every pass of the player layer is told."""

    known_elsewhere: ClassVar[frozenset[str]] = frozenset({"persona", "table"})

    persona: BasePersona
    character_name: str
    table: TableView
    memories: list[Memory] = Field(default_factory=list)
    heard: list[HeardFact] = Field(default_factory=list)
    """Out of character word for word, in character as summaries; the oldest may be one summary."""
    talk: list[HeardFact] = Field(default_factory=list)
    """What was said about the question so far, this round."""
    question: str = ""
    proposal: Proposal = Field(default_factory=Proposal)
    talk_round: int = 1
    taken: dict[str, str] = Field(default_factory=dict)
    """What others have said they will do: name -> option."""

    mind: MindState = Field(default_factory=MindState)
    """What this player wants, guesses, fears, and leans to."""
    claims: list[ToldMemory] = Field(default_factory=list)
    """Memories that others told in this talk."""
    own_claims: list[OwnClaim] = Field(default_factory=list)
    """Memories that this player told in this talk."""
    mine: str = ""
    """What this player has said it will do."""
    said_before: list[str] = Field(default_factory=list)
    """What this player said in the last rounds, so as not to say it again."""
    over: str = ""
    """How the story ended, once it has."""
    asked: HeardFact | None = None
    """What a person at the table has just said to this player; the question says it, too."""
    proposed_by: str = ""
    """The name of whoever put the proposal forward; the record holds an id, which nobody at the
    table says."""

    def fields(self) -> dict[str, str]:
        """As plain lines. What shapes memory alone stays out: a model would forget a second
        time."""
        persona = self.persona.model_dump(mode="json", exclude=_UNTOLD)
        return {
            "persona": prompt_lines.part(persona),
            "character_name": self.character_name,
            "table": "\n".join([prompt_lines.table_lines(self.table), *mind_lines(self.mind)]),
            "memories": prompt_lines.memory_lines(self.memories),
            "heard": prompt_lines.said_lines(self.heard),
            "talk": prompt_lines.said_lines(self.talk),
            "question": self.question,
            "proposal": prompt_lines.proposal_line(self.proposal, self.proposed_by),
            "talk_round": str(self.talk_round),
            "taken": prompt_lines.taken_lines(self.taken),
        }


class TalkReply(Reply):
    """What the player says at the table; `proposes` when it puts something forward; `mine` is what
    it wants to do."""

    content: str
    proposes: str = ""
    mine: str = ""
    said_memory: str = ""
    """The id of a memory it told, right or wrong."""
    disputes: str = ""
    """The id of a memory that somebody told and this player remembers otherwise."""


class DirectiveReply(Reply):
    """What the player has its character do."""

    directive: str
    option: str = ""


class CharacterInput(PassInput):
    """What every pass of the character layer is told."""

    known_elsewhere: ClassVar[frozenset[str]] = frozenset({"character", "scene"})

    character: Character
    scene: str
    place: str
    people: list[str] = Field(default_factory=list)
    directive: str = ""
    heard: list[HeardFact] = Field(default_factory=list)
    attempt: int = 1
    previous_violation: str = ""
    constraints: str = ""
    ruling: str = ""
    outcome: str = ""
    lost: list[str] = Field(default_factory=list)
    """Who died in this round."""
    over: str = ""
    """How the story ended, if it just has."""
    lines: list[str] = Field(default_factory=list)
    veils: list[str] = Field(default_factory=list)

    def fields(self) -> dict[str, str]:
        """As plain lines. What came of it is for `ReactInput`."""
        return {
            "character": prompt_lines.part(
                self.character.model_dump(mode="json", exclude={"lines", "id", "bold"})
            ),
            "scene": prompt_lines.block(self.scene),
            "place": prompt_lines.one_line(self.place),
            "people": prompt_lines.names(self.people),
            "directive": prompt_lines.one_line(self.directive) or prompt_lines.NOTHING,
            "heard": prompt_lines.said_lines(self.heard),
            "limits": prompt_lines.limits_line(self.lines, self.veils),
            "attempt": str(self.attempt),
            "constraints": self.constraints,
            "previous_violation": prompt_lines.one_line(self.previous_violation)
            or prompt_lines.NOTHING,
        }


class ReactInput(CharacterInput):
    """What a character is told once something came of what it attempted."""

    def fields(self) -> dict[str, str]:
        """No constraints on attempts here: it attempts nothing."""
        texts = super().fields() | {"ruling": prompt_lines.block(self.ruling)}
        return {name: text for name, text in texts.items() if name not in _OF_ATTEMPTS}


class ActReply(Reply):
    """What the character attempts, and what it says meanwhile."""

    action: str
    dialogue: str = ""


class ReactReply(Reply):
    """How the character takes what happened: words said aloud, or none."""

    dialogue: str = ""


class CheckInput(PassInput):
    """Does an action tell an outcome?"""

    action: str
    character_name: str
    others: list[str] = Field(default_factory=list)
    attempt: int = 1
    strictness: str = "lenient"

    def fields(self) -> dict[str, str]:
        """As plain lines."""
        return super().fields() | {
            "action": prompt_lines.block(self.action),
            "others": prompt_lines.names(self.others),
        }


class CheckReply(Reply):
    """The seed's ValidationResult."""

    valid: bool
    violations: list[str] = Field(default_factory=list)
    suggestion: str = ""


class SummaryInput(PassInput):
    """Older messages that no longer fit."""

    listener: str
    messages: list[HeardFact]
    most_words: int = 120

    def fields(self) -> dict[str, str]:
        """As plain lines."""
        return super().fields() | {"messages": prompt_lines.said_lines(self.messages)}


class SummaryReply(Reply):
    """The gist of them."""

    summary: str


TALK = Pass("players/talk", PersonaInput, TalkReply, role="players")
DIRECTIVE = Pass("players/directive", PersonaInput, DirectiveReply, role="players")
ACT = Pass("players/act", CharacterInput, ActReply, role="players")
REACT = Pass("players/react", ReactInput, ReactReply, role="players")
CHECK = Pass("players/check", CheckInput, CheckReply, role="cheap")
SUMMARY = Pass("players/summary", SummaryInput, SummaryReply, role="cheap")
PASSES: dict[str, Pass[Any, Any]] = {
    p.id: p for p in (TALK, DIRECTIVE, ACT, REACT, CHECK, SUMMARY, REMEMBER, REWORD)
}
