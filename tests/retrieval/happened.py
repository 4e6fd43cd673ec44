"""Documents of the corpus `history`, for the tests of what is found and who may see it."""

from collections.abc import Sequence

from freeform.retrieval.model import Document, DocumentSection


def happened(
    campaign: str,
    kind: str,
    id: str,
    text: str,
    *,
    turn_no: int = 0,
    title: str = "",
    entities: Sequence[str] = (),
    location: str = "",
    threads: Sequence[str] = (),
    tags: Sequence[str] = (),
    hidden: bool = False,
    known_by: Sequence[str] = (),
) -> Document:
    """An event, a summary or an established fact. `hidden`: the player has not learnt it; `known_by`: NPCs who
    were there. Keys sort by turn, so that the newest come last."""
    name = title or f"Turn {turn_no}"
    return Document(
        pack_id=campaign,
        id=f"t{turn_no:06d}_{kind}_{id}",
        type=kind,
        name=name,
        tags=list(tags),
        related_entities=list(entities),
        related_locations=[location] if location else [],
        related_threads=list(threads),
        file_path=f"turn {turn_no}",
        sections=[DocumentSection(path=name, heading=name, level=1, text=text)],
        corpus="history",
        audience="gm" if hidden else "player",
        known_by=list(known_by),
    )
