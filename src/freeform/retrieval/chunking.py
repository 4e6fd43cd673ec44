"""Cuts documents into chunks: H1 the overview, H2 a section, H3 and below inside; long ones split,
short joined.

What the GM alone may read is cut apart from the rest, and named after it: whatever stands in secret
text, the chunks that others see, their ids and their bounds stay the same.
"""

import hashlib
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from freeform.core.text import count_tokens, slug
from freeform.language.sentences import sentences
from freeform.retrieval.model import (
    Audience,
    ChunkMetadata,
    ContentPackChunk,
    Document,
    embedded_text,
)
from freeform.retrieval.scope import audience_of, known_by, role_of

LONG, FULL, SHORT = 500, 350, 40
"""In tokens: above LONG a section is split into parts of about FULL; neighbours below SHORT are
joined."""
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")


@dataclass
class _Piece:
    """A section with what belongs inside it."""

    path: str
    heading: str
    text: str
    audience: Audience
    known_by: list[str]
    order: int
    group: int
    """Which H2 it stands under, by that section's place."""
    overview: bool = False
    page: int = 0

    @cached_property
    def tokens(self) -> int:
        """Counted once the text is whole."""
        return count_tokens(self.text)

    @cached_property
    def joinable(self) -> bool:
        """Sections that are read by name stay alone, however short."""
        return not self.overview and not role_of(self.heading) and self.tokens < SHORT


def chunk_document(document: Document) -> list[ContentPackChunk]:
    """The chunks of a document, in its order."""
    pieces = _pieces(document)
    names = _Names()
    cut: list[tuple[int, int, _Piece, str, str, int]] = []
    for secret in (False, True):
        seen = [piece for piece in pieces if (piece.audience == "gm") is secret]
        for run in _joined(seen):
            name = names.of(run[0])
            for number, (text, tokens) in enumerate(_parts(*_run_text(run)), start=1):
                part = name if number == 1 else f"{name}.{number}"
                cut.append((run[0].order, number, run[0], part, text, tokens))
    cut.sort(key=lambda item: item[:2])
    about = _about(document)
    return [
        _chunk(document, about, piece, name, text, tokens, place)
        for place, (_, _, piece, name, text, tokens) in enumerate(cut)
    ]


def _pieces(document: Document) -> list[_Piece]:
    """The overview and the H2 sections; deeper ones go inside, unless they are read by name or by
    other people."""
    pieces: list[_Piece] = []
    group, secret_level, secret_known = 0, 99, list[str]()
    for order, section in enumerate(document.sections):
        audience, known = audience_of(document, section), known_by(document, section)
        if section.level <= secret_level:
            secret_level, secret_known = (section.level if audience == "gm" else 99), known
        elif secret_level < 99:
            # What lies below a secret section is as secret as it.
            audience, known = "gm", secret_known
        if section.level <= 2:
            group = order
        host = next(
            (
                n
                for n in range(len(pieces) - 1, -1, -1)
                if _takes(pieces[n], group, audience, known)
            ),
            -1,
        )
        bare_start = section.level == 1 and group == order and pieces and not pieces[-1].heading
        if bare_start and pieces[-1].audience == audience:
            host = len(pieces) - 1
            pieces[host] = replace(
                pieces[host], heading=section.heading, path=section.path, group=group
            )
            text = f"{pieces[host].text}\n\n{section.text}".strip()
        elif section.level > 2 and host >= 0 and not role_of(section.heading):
            marks = "#" * min(section.level, 6)
            text = f"{pieces[host].text}\n\n{marks} {section.heading}\n{section.text}".strip()
        else:
            pieces.append(
                _Piece(
                    path=section.path or document.name,
                    heading=section.heading,
                    text=section.text.strip(),
                    audience=audience,
                    known_by=known,
                    order=order,
                    group=group,
                    overview=section.level <= 1 and not any(piece.overview for piece in pieces),
                    page=section.page,
                )
            )
            continue
        pieces[host] = replace(pieces[host], text=text)
    filled = [piece for piece in pieces if piece.text]
    if document.audience != "gm" and all(piece.audience == "gm" for piece in filled):
        filled.append(_name_alone(document))
    return filled


def _takes(piece: _Piece, group: int, audience: Audience, known: list[str]) -> bool:
    return (piece.group, piece.audience, piece.known_by) == (group, audience, known)


def _name_alone(document: Document) -> _Piece:
    """Of a document without open text, the name can still be looked up."""
    return _Piece(
        path=document.name,
        heading=document.name,
        text=document.name,
        audience=document.audience,
        known_by=document.known_by,
        order=-1,
        group=-1,
        overview=True,
    )


def _joined(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """Runs of short neighbours together. Long sections never join, so growing one moves no other's
    bounds."""
    run: list[_Piece] = []
    for piece in pieces:
        fits = (
            run
            and piece.joinable
            and run[-1].joinable
            and (piece.audience, piece.known_by) == (run[-1].audience, run[-1].known_by)
            and sum(other.tokens for other in run) < FULL - SHORT
        )
        if fits:
            run.append(piece)
        else:
            if run:
                yield run
            run = [piece]
    if run:
        yield run


def _run_text(run: Sequence[_Piece]) -> tuple[str, int]:
    """The text of a run, and its tokens."""
    if len(run) == 1:
        return run[0].text, run[0].tokens
    text = "\n\n".join(f"{piece.heading}: {piece.text}" for piece in run)
    return text, count_tokens(text)


def _parts(text: str, total: int) -> list[tuple[str, int]]:
    """The text whole, or cut at paragraphs (at sentences, at words, where a paragraph is itself too
    long)."""
    if total <= LONG:
        return [(text, total)]
    parts: list[tuple[str, int]] = []
    # Parts of about the same size, so that the last is no crumb.
    target = total / math.ceil(total / FULL)
    held, size = "", 0
    for bit, glue in _bits(text):
        tokens = count_tokens(bit)
        if held and (size + tokens / 2 > target or size + tokens > LONG):
            parts.append((held, size))
            held, size = bit, tokens
        else:
            held, size = (f"{held}{glue}{bit}" if held else bit), size + tokens
    if parts and size < target / 2 and parts[-1][1] + size <= LONG:
        parts[-1] = (f"{parts[-1][0]}\n\n{held}", parts[-1][1] + size)
    elif held:
        parts.append((held, size))
    return parts


def _bits(text: str) -> Iterator[tuple[str, str]]:
    """Paragraphs, or smaller bits of those too long, each with what joins it to the one before."""
    for paragraph in (part.strip() for part in _PARAGRAPHS.split(text)):
        if not paragraph:
            continue
        if count_tokens(paragraph) <= FULL:
            yield paragraph, "\n\n"
            continue
        glue = "\n\n"
        for sentence in sentences(paragraph):
            words = sentence.split()
            step = len(words) if count_tokens(sentence) <= FULL else FULL // 3
            for start in range(0, len(words), max(step, 1)):
                yield " ".join(words[start : start + step]), glue
                glue = " "


class _Names:
    """Gives each section of a document a name of its own; the first overview is called so, no
    other."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def of(self, piece: _Piece) -> str:
        """The section's name, numbered when one of that name came before."""
        wish = "overview" if piece.overview else slug(piece.heading) or "section"
        if wish == "overview" and not piece.overview:
            self._taken.add("overview")
        name, number = wish, 2
        while name in self._taken:
            name, number = f"{wish}_{number}", number + 1
        self._taken.add(name)
        return name


def _about(document: Document) -> dict[str, list[str]]:
    """What the document is about, with full ids; its own id among them, by its type."""

    def full(kind: str, ids: Sequence[str]) -> list[str]:
        own = {document.key} if kind == mine else set[str]()
        return sorted(own | {id if ":" in id else f"{document.pack_id}:{id}" for id in ids if id})

    mine = document.type if document.type in ("location", "faction") else "entity"
    return {
        "location_ids": full("location", document.related_locations),
        "entity_ids": full("entity", document.related_entities),
        "faction_ids": full("faction", document.related_factions),
        "thread_ids": full("thread", document.related_threads),
        "tags": document.tags,
    }


def _chunk(
    document: Document,
    about: dict[str, list[str]],
    piece: _Piece,
    name: str,
    text: str,
    tokens: int,
    place: int,
) -> ContentPackChunk:
    """Every field comes from records that were checked, so it is not checked again: packs are
    large."""
    metadata = ChunkMetadata.model_construct(
        type=document.type,
        name=document.name,
        token_count=tokens,
        book=document.book,
        page=piece.page,
        **about,  # type: ignore[arg-type]
    )
    embedded = embedded_text(piece.path, text)
    return ContentPackChunk.model_construct(
        id=f"{document.key}:{name}",
        pack_id=document.pack_id,
        document=document.key,
        file_path=document.file_path,
        section_path=piece.path,
        heading=piece.heading,
        chunk_text=text,
        aliases=document.aliases,
        metadata=metadata,
        embedding_id=hashlib.sha256(embedded.encode()).hexdigest()[:32],
        corpus=document.corpus,
        audience=piece.audience,
        known_by=piece.known_by,
        place=place,
    )
