"""The assistant's three passes: choosing tools, hearing names, answering from numbered sources."""

from pydantic import Field

from freeform.assistant.model import Disagreement, EntityMention, Number, Piece, Tool, ToolNeeded
from freeform.core.gateway import Pass, PassInput
from freeform.core.record import Record, Reply


class KnownName(Record):
    """A name of the sources that stands in the question, as code found it. Helps both passes; binds neither."""

    text: str
    """As the question spells it."""
    name: str
    tools: list[Tool] = Field(default_factory=list)
    kinds: list[str] = Field(default_factory=list)
    sections: list[str] = Field(default_factory=list)
    confidence: float = 1.0


class SelectorInput(PassInput):
    """For choosing: the question, whose it is, what there is to look in, and what can be wanted of it."""

    question: str
    character_name: str = ""
    present: list[Tool] = Field(default_factory=list)
    known_names: list[KnownName] = Field(default_factory=list)
    intentions: str

    def fields(self) -> dict[str, str]:
        return {
            "question": self.question,
            "character_name": self.character_name or "(none given)",
            "present": ", ".join(self.present) or "(none)",
            "known_names": told(self.known_names),
            "intentions": self.intentions,
        }


class ToolSelection(Reply):
    """The tools a question needs, each with what for."""

    tools_needed: list[ToolNeeded] = Field(default_factory=list)


class ExtractorInput(PassInput):
    """For hearing names: the question, and the names of the sources that stand in it."""

    question: str
    known_names: list[KnownName] = Field(default_factory=list)

    def fields(self) -> dict[str, str]:
        return {"question": self.question, "known_names": told(self.known_names, bare=True)}


class Extraction(Reply):
    """The names in a question."""

    entities: list[EntityMention] = Field(default_factory=list)


class Numbered(Record):
    """A piece with its number in the answer."""

    n: int
    piece: Piece
    quote: str

    @property
    def heading(self) -> str:
        """How the prompt and a reader know it."""
        piece = self.piece
        edition = f", edition {piece.edition}" if piece.edition else ""
        return f"[{self.n}] {piece.tool}: {piece.title}{edition} ({piece.where})"


class AnswerInput(PassInput):
    """For answering: numbered sources, computed numbers, what disagrees, and what was looked for in vain."""

    question: str
    character_name: str = ""
    tools_needed: list[ToolNeeded] = Field(default_factory=list)
    entities: list[str] = Field(default_factory=list)
    sources: list[Numbered] = Field(default_factory=list)
    numbers: list[Number] = Field(default_factory=list)
    disagreements: list[Disagreement] = Field(default_factory=list)
    searched_and_empty: list[str] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)

    def fields(self) -> dict[str, str]:
        return {
            "question": self.question,
            "character_name": self.character_name or "(none given)",
            "sources": "\n\n".join(f"{each.heading}\n{each.piece.text}" for each in self.sources) or "(none)",
            "numbers": "\n".join(spelled(number) for number in self.numbers) or "(none)",
            "disagreements": "\n".join(f"{d.subject}, {d.what}: {' / '.join(d.sides)}" for d in self.disagreements)
            or "(none)",
            "empty": "\n".join([*self.searched_and_empty, *self.notes]) or "(none)",
        }


class AnswerReply(Reply):
    """The answer as Markdown; [n] after each statement that rests on source n."""

    answer: str


def told(names: list[KnownName], bare: bool = False) -> str:
    """Known names, one a line."""
    lines = [
        f"- {each.name}"
        if bare
        else f"- {each.name} ({', '.join(dict.fromkeys(each.kinds))}; {', '.join(each.tools)})"
        for each in names
    ]
    return "\n".join(lines) or "(none)"


def spelled(number: Number) -> str:
    """`Athletics +7 = STR +4, proficiency +3`."""
    if not number.parts:
        return f"{number.label} {number.value}"
    return (
        f"{number.label} {number.value} = {', '.join(f'{part.label} {part.value}'.strip() for part in number.parts)}"
    )


SELECTOR = Pass("assistant/selector", SelectorInput, ToolSelection, role="cheap")
EXTRACTOR = Pass("assistant/extractor", ExtractorInput, Extraction, role="cheap")
ANSWER = Pass("assistant/answer", AnswerInput, AnswerReply, role="narrator", streams="answer")
