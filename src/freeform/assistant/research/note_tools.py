"""`session_query`: what happened in play, asked of notes and of campaigns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from freeform.assistant.model import Viewer, Wanted
from freeform.assistant.ports import Source
from freeform.assistant.research.model import ToolFinding
from freeform.core.text import shorten

_QUOTE, _MOST = 360, 6


@dataclass
class NotesTool:
    """Asks session notes in words; the passages that fit best come back."""

    sources: Sequence[Source]
    viewer: Viewer = "player"
    name: str = "session_query"
    describes: str = (
        "what happened in the campaign: people met, places, deeds, decisions. Parameters: query"
    )

    async def run(self, parameters: Mapping[str, str]) -> list[ToolFinding]:
        """`query`: what is asked."""
        wanted = Wanted(
            tool="session_notes",
            intention="general",
            query=parameters.get("query", ""),
            limit=_MOST,
            viewer=self.viewer,
        )
        pieces = [piece for source in self.sources for piece in await source.fetch(wanted)]
        return [
            ToolFinding(
                name=piece.title,
                text=shorten(" ".join((piece.quote or piece.text).split()), _QUOTE),
                tool=self.name,
                where=str(piece.where),
            )
            for piece in sorted(pieces, key=lambda piece: -piece.score)[:_MOST]
            if not piece.gm_only or self.viewer == "gm"
        ]
