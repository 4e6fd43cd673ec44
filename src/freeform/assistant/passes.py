"""The assistant's three passes: choosing tools, hearing names, answering from numbered sources."""

import re
from typing import ClassVar

from pydantic import Field

from freeform.assistant.model import Disagreement, EntityMention, Number, Piece, Tool, ToolNeeded
from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.llm.prompts import kept_inside
from freeform.core.record import Record, Reply
from freeform.core.text import plain_form, shorten, visible


class KnownName(Record):
    """A name of the sources that stands in the question, as code found it. Helps both passes; binds
    neither."""

    text: str
    """As the question spells it."""
    name: str
    kinds: dict[Tool, str] = Field(default_factory=dict)
    """What kind of thing it is for each tool that knows it."""
    called: dict[Tool, str] = Field(default_factory=dict)
    """What each of them calls it: `grappling` is Athletics on a sheet and Grappling in the
    rules."""
    sections: list[str] = Field(default_factory=list)
    confidence: float = 1.0

    @property
    def tools(self) -> list[Tool]:
        """The tools that know it."""
        return list(self.kinds)


class SelectorInput(PassInput):
    """For choosing: the question, whose it is, what there is to look in, and what can be wanted of
    it."""

    known_elsewhere: ClassVar[frozenset[str]] = frozenset({"intentions"})

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
    named: bool = False
    """It is about a name of the question."""

    @property
    def heading(self) -> str:
        """How the prompt and a reader know it."""
        piece = self.piece
        edition = f", edition {piece.edition}" if piece.edition else ""
        where = shorten(visible(str(piece.where)), 120)
        return f"[{self.n}] {piece.tool}: {shorten(visible(piece.title), 80)}{edition} ({where})"


class AnswerInput(PassInput):
    """For answering: numbered sources, computed numbers, what disagrees, and what was looked for in
    vain."""

    question: str
    character_name: str = ""
    tools_needed: list[ToolNeeded] = Field(default_factory=list)
    entities: list[str] = Field(default_factory=list)
    sources: list[Numbered] = Field(default_factory=list)
    numbers: list[Number] = Field(default_factory=list)
    disagreements: list[Disagreement] = Field(default_factory=list)
    searched_and_empty: list[str] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    found: list[str] = Field(default_factory=list)
    """Lines that code read from the sources for this very question, with their numbers."""
    known: bool = True
    """False: every source that could say it was read, and none does."""

    def fields(self) -> dict[str, str]:
        shown = {each.piece.id: f" [{each.n}]" for each in self.sources}
        return {
            "question": self.question,
            "character_name": self.character_name or "(none given)",
            "sources": "\n\n".join(
                f"{each.heading}\n{quoted(each.piece.text)}" for each in self.sources
            )
            or "(none)",
            "numbers": "\n".join(
                [
                    *self.found,
                    *(spelled(number) + shown.get(number.piece, "") for number in self.numbers),
                ]
            )
            or "(none)",
            "disagreements": "\n".join(
                f"{d.subject}, {d.what}: {' / '.join(d.sides)}" for d in self.disagreements
            )
            or "(none)",
            "empty": "\n".join([*self.searched_and_empty, *self.notes]) or "(none)",
        }


class AnswerReply(Reply):
    """The answer as Markdown; [n] after each statement that rests on source n."""

    answer: str


def told(names: list[KnownName], bare: bool = False) -> str:
    """Known names as the question spells them, one a line; unless `bare`, with what each tool knows
    under them."""
    lines = dict[str, None]()
    for each in names:
        known = dict.fromkeys(each.called.get(tool, each.name) for tool in each.kinds) or {
            each.name: None
        }
        kinds = "; ".join(
            f"{each.called.get(tool, each.name)}, {kind or 'name'} in {tool}"
            for tool, kind in each.kinds.items()
        )
        same = plain_form(", ".join(known)) == plain_form(each.text)
        lines[
            f"- {each.text}"
            + ("" if bare and same else f" ({', '.join(known) if bare else kinds})")
        ] = None
    return "\n".join(lines) or "(none)"


def quoted(text: str) -> str:
    """Text of a source between marks that it cannot close itself."""
    return f"<source>\n{kept_inside(text.strip(), 'source')}\n</source>"


def spelled(number: Number) -> str:
    """`Athletics bonus +7 = STR modifier +4, proficiency +3`."""
    signed = bool(_BONUS.search(number.label))
    label = f"{number.label}:" if number.label[-1:].isdigit() else number.label
    whole = f"{label} {_figure(number.value, signed)}"
    parts = [
        f"{part.label} {_figure(part.value, signed or at > 0)}".strip()
        for at, part in enumerate(number.parts)
    ]
    return f"{whole} = {', '.join(parts)}" if parts else whole


def _figure(value: int | float | str, signed: bool) -> str:
    return f"{value:+}" if signed and not isinstance(value, str) else str(value)


_BONUS = re.compile(
    r"\b(?:bonus|modifier|to hit|save|saving throw|initiative|attack|damage)\b(?! DC)", re.I
)
SELECTOR = Pass("assistant/selector", SelectorInput, ToolSelection, role="cheap")
EXTRACTOR = Pass("assistant/extractor", ExtractorInput, Extraction, role="cheap")
ANSWER = Pass("assistant/answer", AnswerInput, AnswerReply, role="narrator", streams="answer")
