"""The researcher's passes: five that read a page for one kind of thing each, and one that names
conflicts."""

from typing import Literal

from pydantic import Field

from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.record import Reply
from freeform.lore.model import DoubtKind, Kind


class ReadInput(PassInput):
    """For reading: a piece of one page, the zone it is read for, and the names already known."""

    zone: str
    game: str
    page_title: str
    known_names: str
    text: str

    def fields(self) -> dict[str, str]:
        return super().fields() | {"known_names": self.known_names or "(none)"}


class FoundFact(Reply):
    """One thing the prose says. `quote` must stand in the text letter by letter, or it is thrown
    away."""

    subject: str
    predicate: str
    value: str
    quote: str
    era: str = ""
    """The time it holds for, where the page speaks of another time than now."""


class ReadOutput(Reply):
    """What was found."""

    facts: list[FoundFact] = Field(default_factory=list)


class ConflictsInput(PassInput):
    """For naming conflicts: what disagrees, numbered, with both quotes."""

    zone: str
    conflicts: str


class ConflictLabel(Reply):
    """A name for one conflict. It changes no value: the rows are made by rule."""

    number: int
    kind: Literal["error", "era", "alias"] = "error"
    why: str = ""


class ConflictsOutput(Reply):
    """One label for each."""

    labels: list[ConflictLabel] = Field(default_factory=list)


class ReviewInput(PassInput):
    """For a look at all that was read of a zone: one fact a line, numbered."""

    game: str
    zone: str
    facts: str


class ReviewDoubt(Reply):
    """What does not fit. It changes no value: a person is asked."""

    numbers: list[int] = Field(default_factory=list)
    kind: DoubtKind = "contradiction"
    why: str = ""


class ReviewOutput(Reply):
    """All that does not fit."""

    doubts: list[ReviewDoubt] = Field(default_factory=list)


EXTRACT: dict[Kind, Pass[ReadInput, ReadOutput]] = {
    "zone": Pass("lore/extract_zone", ReadInput, ReadOutput),
    "npc": Pass("lore/extract_npc", ReadInput, ReadOutput),
    "faction": Pass("lore/extract_faction", ReadInput, ReadOutput),
    "lore": Pass("lore/extract_lore", ReadInput, ReadOutput),
    "narrative_item": Pass("lore/extract_item", ReadInput, ReadOutput),
}
LABEL_CONFLICTS: Pass[ConflictsInput, ConflictsOutput] = Pass(
    "lore/label_conflicts", ConflictsInput, ConflictsOutput
)
REVIEW: Pass[ReviewInput, ReviewOutput] = Pass("lore/review_zone", ReviewInput, ReviewOutput)
