"""The rulebooks as a source of the assistant: names of everything, pieces by name, by criteria, by
level, by words."""

import hashlib
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from typing import Any

from freeform.assistant.model import Name, Number, Piece, SourcePlace, Tool, Wanted
from freeform.assistant.overlap import shared, words_in
from freeform.assistant.rulebook.catalogue import RowPart, RulebookRow
from freeform.assistant.rulebook.criteria import read_criteria
from freeform.assistant.rulebook.semantic_match import RuleMeaning
from freeform.retrieval.model import LoreRetrievalQuery, LoreRetrievalResult, Viewer

Find = Callable[[LoreRetrievalQuery, Viewer], Awaitable[LoreRetrievalResult]]
"""Searches the packs by words and meaning, with someone's eyes."""
BY_CRITERIA = ("find_by_criteria", "class_spell_access")
_LEVEL = re.compile(
    r"\b(?:level (\d{1,2})|(\d{1,2})(?:st|nd|rd|th)[- ]level|lvl\.? ?(\d{1,2}))\b", re.I
)
_PART_LEVEL = re.compile(r" > Level (\d+)$")
MOST_LISTED = 60


class RulebookSource:
    """Some rulebook packs together. Entries and sections for the GM alone are marked, and kept from
    players."""

    tool: Tool = "rulebook"

    def __init__(self, rows: list[RulebookRow], find: Find, version: str = "") -> None:
        self.rows, self.find = rows, find
        told = version or "".join(
            f"{row.id}{row.edition}{row.parts[0].text if row.parts else ''}" for row in rows
        )
        self.version = hashlib.sha256(told.encode()).hexdigest()[:32]

    @property
    def label(self) -> str:
        return ", ".join(sorted({row.pack for row in self.rows})) or "rulebook"

    @cached_property
    def sections(self) -> Sequence[str]:
        return sorted({row.section.rpartition(".")[0] for row in self.rows})

    @cached_property
    def _by_id(self) -> dict[str, RulebookRow]:
        return {row.id: row for row in self.rows}

    @cached_property
    def meaning(self) -> RuleMeaning:
        """What they tell in prose, to be asked in other words."""
        return RuleMeaning(self.rows)

    @cached_property
    def _names(self) -> list[Name]:
        return [
            Name.model_construct(
                name=row.name,
                aliases=row.aliases,
                tool=self.tool,
                section=row.section,
                pieces=[row.piece_id(at) for at in range(len(row.parts))],
                kind=row.kind,
                edition=row.edition,
                gm_only=row.gm_only,
            )
            for row in self.rows
            if row.parts
        ]

    async def names(self) -> Sequence[Name]:
        return self._names

    async def fetch(self, wanted: Wanted) -> list[Piece]:
        """By name, then by what the intention asks of the data, then by words; the wanted edition
        only."""
        found: dict[str, Piece] = {}
        for piece in self._named(wanted):
            found.setdefault(piece.id, piece)
        for piece in self._special(wanted):
            found.setdefault(piece.id, piece)
        if len(found) < wanted.limit:
            for piece in await self._by_words(wanted):
                found.setdefault(piece.id, piece)
        ordered = sorted(found.values(), key=lambda piece: -piece.score)
        return ordered[: wanted.limit]

    def fits(self, row: RulebookRow, wanted: Wanted) -> bool:
        """Whether someone may see an entry, and it is of the edition they want."""
        if wanted.viewer != "gm" and row.gm_only:
            return False
        return not wanted.edition or wanted.edition in _editions(row)

    def _named(self, wanted: Wanted) -> list[Piece]:
        query = Counter(words_in(wanted.query))
        level = level_in(wanted.query)
        scored: list[tuple[float, Piece]] = []
        for id in wanted.pieces:
            row_id, _, at = id.removeprefix("rule:").partition("#")
            row = self._by_id.get(row_id)
            if row is None or not self.fits(row, wanted):
                continue
            part = int(at) if at.isdigit() and int(at) < len(row.parts) else 0
            piece = self.piece(row, part, wanted)
            if piece is None:
                continue
            fit = shared(query, words_in(f"{row.parts[part].path} {piece.text}"))
            if level is not None and (row_level := _PART_LEVEL.search(row.parts[part].path)):
                fit += 1.0 if int(row_level[1]) == level else -2.0
            first = 0.25 if part == 0 else 0.0
            liked = 0.3 if row.kind in wanted.kinds else 0.0
            scored.append((2.0 + fit + first + liked, piece))
        return [piece.model_copy(update={"score": round(score, 4)}) for score, piece in scored]

    def _special(self, wanted: Wanted) -> list[Piece]:
        """What the data answers better than any passage: lists by criteria, rows of level
        tables."""
        found: list[Piece] = []
        if wanted.intention in BY_CRITERIA:
            found += self.listed(wanted)
        level = level_in(wanted.query)
        if wanted.intention == "level_progression" and level is not None:
            asked = set(words_in(wanted.query))
            for row in self.rows:
                if (
                    row.kind == "class"
                    and self.fits(row, wanted)
                    and set(words_in(row.name)) <= asked
                ):
                    for at, part in enumerate(row.parts):
                        if part.path.endswith(f" > Level {level}") and (
                            piece := self.piece(row, at, wanted)
                        ):
                            found.append(piece.model_copy(update={"score": 4.0}))
        return found

    def listed(self, wanted: Wanted) -> list[Piece]:
        """Lists of the entries that pass the criteria in the query, one for each edition, and the
        first of those entries."""
        criteria = read_criteria(wanted.query)
        if criteria is None:
            return []
        matching = criteria.matching(row for row in self.rows if self.fits(row, wanted))
        found: list[Piece] = []
        for edition in sorted({row.edition for row in matching}):
            rows = sorted(
                (r for r in matching if r.edition == edition),
                key=lambda r: (r.data.get("level") or 0, r.name),
            )
            kind = rows[0].kind.replace("_", " ") if len({r.kind for r in rows}) == 1 else "entry"
            more = f" and {len(rows) - MOST_LISTED} more" if len(rows) > MOST_LISTED else ""
            text = (
                f"{len(rows)} {kind}{'s' if len(rows) != 1 else ''} with {', '.join(criteria.told)}: "
                + (", ".join(row.name for row in rows[:MOST_LISTED]) + more + ".")
            )
            found.append(
                Piece(
                    id=f"rule:list:{edition}:{hashlib.sha256(text.encode()).hexdigest()[:12]}",
                    tool=self.tool,
                    section=f"rulebook.{rows[0].file.partition('/')[0]}",
                    title=f"List: {', '.join(criteria.told)}",
                    kind="list",
                    text=text,
                    where=SourcePlace(section=f"{kind} list", pack=rows[0].pack),
                    edition=edition,
                    score=5.0,
                    data={"names": [row.name for row in rows], "criteria": criteria.told},
                )
            )
            found += [
                piece.model_copy(update={"score": 1.5})
                for row in rows[: wanted.limit]
                if (piece := self.piece(row, 0, wanted))
            ]
        return found

    async def _by_words(self, wanted: Wanted) -> list[Piece]:
        packs = sorted({row.pack for row in self.rows})
        query = LoreRetrievalQuery(
            keywords=wanted.query[:2000],
            packs=packs,
            corpus="authored",
            k=wanted.limit * 5,
            max_tokens=60_000,
        )
        found: list[Piece] = []
        result = await self.find(query, Viewer(kind=wanted.viewer))
        best = max((p.relevance_score for p in result.chunks), default=1.0) or 1.0
        for passage in result.chunks:
            row = self._by_id.get(":".join(passage.chunk_id.split(":")[:2]))
            if row is None or not self.fits(row, wanted):
                continue
            at = self._part_of(row, str(passage.metadata.get("section_path", "")))
            if (piece := self.piece(row, at, wanted)) is None:
                continue
            liked = 1.25 if row.kind in wanted.kinds else 1.0
            score = min(1.0, passage.relevance_score / best) * liked
            found.append(piece.model_copy(update={"score": round(score, 4)}))
        return found

    def _part_of(self, row: RulebookRow, path: str) -> int:
        return next((at for at, part in enumerate(row.parts) if part.path == path), 0)

    def piece(self, row: RulebookRow, at: int, wanted: Wanted) -> Piece | None:
        """A part of an entry as a piece; None where the asker may not see it."""
        part = row.parts[at]
        if part.gm_only and wanted.viewer != "gm":
            return None
        lead = row.path.rpartition(" > ")[0]
        path = f"{lead} > {part.path}" if lead else part.path
        return Piece(
            id=row.piece_id(at),
            tool=self.tool,
            section=row.section,
            title=row.name if at == 0 else part.path.replace(" > ", ", "),
            kind=row.kind,
            text=part.text,
            where=SourcePlace(
                file=row.file, section=path, line=part.line, pack=row.pack, page=_page(row, part)
            ),
            edition=wanted.edition
            if wanted.edition in _editions(row) and wanted.edition
            else row.edition,
            gm_only=part.gm_only,
            data=_plain(row.data) if at == 0 else {},
        )

    async def numbers(self, wanted: Wanted) -> list[Number]:
        """A rulebook computes nothing of its own."""
        return []


def _page(row: RulebookRow, part: RowPart) -> int:
    """The page of the book that a part stands on, where the pack was read from one."""
    listed = row.data.get("section_pages")
    page = listed.get(part.path.rpartition(" > ")[2]) if isinstance(listed, dict) else None
    page = page or row.data.get("page")
    return page if isinstance(page, int) else 0


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != "levels"}


def _editions(row: RulebookRow) -> list[str]:
    """The editions a row holds in; a row without any holds in all."""
    if not row.edition:
        return ["5.1", "5.2"]
    told = row.data.get("editions")
    return [str(each) for each in told] if isinstance(told, list) and told else [row.edition]


def level_in(question: str) -> int | None:
    """The level a question speaks of."""
    match = _LEVEL.search(question)
    return int(next(group for group in match.groups() if group)) if match else None
