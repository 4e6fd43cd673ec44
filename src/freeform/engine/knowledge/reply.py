"""An answer and where it comes from."""

from dataclasses import dataclass, field

from freeform.engine.knowledge.evidence import AnswerSource, Evidence


@dataclass(frozen=True)
class SourcedAnswer:
    """What the game master says, and what it rests on."""

    text: str
    sources: list[AnswerSource] = field(default_factory=list)
    found: bool = True
    """Whether it answers; an honest word that nothing does is none."""

    @property
    def rests_on_facts(self) -> bool:
        """Whether it tells something that was learnt, though perhaps not what was asked."""
        return any(source.kind == "fact" for source in self.sources)


def reply_from(pieces: list[Evidence], lead: str = "") -> SourcedAnswer:
    """Sentences as they stand, with their sources; what two sources say is said once."""
    said = " ".join(dict.fromkeys(piece.text for piece in pieces))
    sources = list(dict.fromkeys(piece.source for piece in pieces))
    return SourcedAnswer(f"{lead} {said}".strip(), sources)
