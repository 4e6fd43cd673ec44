"""A source over a list of pieces: small, real, and the same for tests of every tool."""

from collections.abc import Sequence

from freeform.assistant.model import Name, Number, Piece, SourcePlace, Tool, Wanted
from freeform.assistant.quotes import key_words
from freeform.core.errors import Unavailable


class ListSource:
    """Searches its pieces by name, by section and by words, and hides from players what is the GM's."""

    def __init__(
        self,
        tool: Tool,
        pieces: Sequence[Piece],
        numbers: Sequence[Number] = (),
        *,
        broken: str = "",
    ) -> None:
        self.tool, self.label, self.version = tool, f"{tool} of the test", str(len(pieces))
        self.pieces, self.all_numbers, self.broken = list(pieces), list(numbers), broken
        self.sections = list(dict.fromkeys(piece.section for piece in pieces))
        self.asked: list[Wanted] = []

    async def names(self) -> Sequence[Name]:
        return [
            Name(
                name=piece.title,
                aliases=list(piece.data.get("aliases", [])),
                tool=piece.tool,
                section=piece.section,
                pieces=[piece.id],
                kind=piece.kind,
                edition=piece.edition,
                gm_only=piece.gm_only,
            )
            for piece in self.pieces
            if not piece.data.get("nameless")
        ]

    async def fetch(self, wanted: Wanted) -> list[Piece]:
        if self.broken:
            raise Unavailable(self.broken)
        self.asked.append(wanted)
        words = key_words(wanted.query)
        scored = []
        for piece in self.pieces:
            if (wanted.viewer != "gm" and piece.gm_only) or (
                wanted.edition and piece.edition not in ("", wanted.edition)
            ):
                continue
            shared = len(words & key_words(f"{piece.title} {piece.text}"))
            score = (
                10.0 * (piece.id in wanted.pieces)
                + 2.0 * (piece.section in wanted.sections)
                + shared
            )
            if score:
                scored.append(piece.model_copy(update={"score": score}))
        return sorted(scored, key=lambda piece: -piece.score)[: wanted.limit]

    async def numbers(self, wanted: Wanted) -> list[Number]:
        named = {name.lower() for name in wanted.entities}
        return [number for number in self.all_numbers if number.label.lower() in named]


def piece(
    tool: Tool,
    section: str,
    title: str,
    text: str,
    *,
    kind: str = "",
    edition: str = "",
    gm: bool = False,
    **data: object,
) -> Piece:
    """One piece, with an id of its own."""
    return Piece(
        id=f"{tool}:{section}:{title}:{edition}",
        tool=tool,
        section=section,
        title=title,
        kind=kind,
        text=text,
        where=SourcePlace(file=f"{tool}.md", section=title),
        edition=edition,  # type: ignore[arg-type]
        gm_only=gm,
        data=dict(data),
    )
