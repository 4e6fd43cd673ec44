"""Makes one flow of a book's pages: paragraphs and tables that a page or column break cut are whole
again. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator

from freeform.ingest.model import Block, Page, PageBlock
from freeform.ingest.page.glyphs import join_hyphenated
from freeform.ingest.page.merged_cells import mended
from freeform.ingest.page.tables import pipe_table

_ENDS = re.compile(r"[.!?:;][\"”’)\]*]*$")
_UNFINISHED = re.compile(
    r"(?:^(?:chapter|part|book|act|appendix|section)\s+\w+\s*[:.–—-]?|[:–—-]|\b(?:of|the|and|in|to|for|with|from|a|an))\s*$",
    re.I,
)
Level = Callable[[PageBlock], int]


class _Open:
    """The last block, which may still go on."""

    def __init__(self, block: PageBlock, page: int) -> None:
        self.block, self.start, self.end = block, page, page
        self.text, self.rows = block.text, list(block.rows)

    def closed(self, level: int) -> list[Block]:
        """The block; a title that shares its line with tags is a heading and a line below it."""
        if not level or not self.block.run_in:
            return [self.close(level)]
        tags = self.text.removeprefix(f"**{self.block.run_in}**").strip()
        line = Block(kind="paragraph", text=f"*{tags}*", page_start=self.start, page_end=self.end)
        self.text = self.block.run_in
        return [self.close(level), line]

    def close(self, level: int) -> Block:
        text = self.text
        kind = self.block.kind
        if level:
            return Block(
                kind="heading",
                text=clean_title(text),
                page_start=self.start,
                page_end=self.end,
                level=level,
            )
        if kind == "table":
            text = pipe_table(mended(tuple(self.rows)))
        elif self.block.bold and not self.block.run_in and "**" not in text and len(text) < 120:
            text = f"**{text}**"
        elif self.block.italic and not self.block.run_in and "*" not in text and len(text) < 200:
            text = f"*{text}*"
        return Block(
            kind="table" if kind == "table" else "item" if kind == "item" else "paragraph",
            text=text,
            page_start=self.start,
            page_end=self.end,
            run_in=self.block.run_in,
            bold_inside=self.block.bold_inside,
        )


def flow(pages: Iterable[Page], level_of: Level) -> Iterator[Block]:
    """The book's blocks in order. `level_of`: the level of a heading, 0 for anything else."""
    last: _Open | None = None
    for page in pages:
        for block in page.blocks:
            level = level_of(block)
            if (
                last is not None
                and level
                and _one_title(last, block, level_of(last.block), level, page.page_num)
            ):
                last.text = f"{last.text} {block.text}"
                continue
            if last is not None and not level and not level_of(last.block):
                if _same_table(last, block):
                    last.rows += _more_rows(last.rows, block.rows)
                    last.end = page.page_num
                    continue
                if _goes_on(last, block, page.page_num):
                    last.text = join_hyphenated(last.text, block.text)
                    last.end = page.page_num
                    last.block = block.model_copy(
                        update={
                            "text": last.text,
                            "run_in": last.block.run_in,
                            "bold_inside": (*last.block.bold_inside, *block.bold_inside),
                            "kind": last.block.kind,
                        }
                    )
                    continue
            if last is not None:
                yield from last.closed(level_of(last.block))
            last = _Open(block, page.page_num)
    if last is not None:
        yield from last.closed(level_of(last.block))


def _one_title(last: _Open, block: PageBlock, level_before: int, level: int, page: int) -> bool:
    """Whether a heading goes on in the next line: `Chapter Four:` / `Rules`, `The Fall of` / `the
    House`."""
    if level_before != level or page != last.end or last.block.column != block.column:
        return False
    before = last.block
    if (before.font, before.size, before.bold) != (block.font, block.size, block.bold):
        return False
    return bool(_UNFINISHED.search(last.text))


def clean_title(text: str) -> str:
    """A heading without marks of emphasis, on one line."""
    return re.sub(r"\s+", " ", text.replace("*", "")).strip(" :")


def _goes_on(last: _Open, block: PageBlock, page: int) -> bool:
    """Whether a paragraph at the top of a page or column is the rest of the one before."""
    before = last.block
    if before.kind == "table" or block.kind != "text" or block.run_in:
        return False
    if page == last.end and before.column == block.column:
        return False
    if (before.font, before.size, before.bold) != (block.font, block.size, block.bold):
        return False
    if block.text[:1].islower() or last.text.endswith("-"):
        return True
    return not _ENDS.search(last.text) and not block.indented and len(last.text) > 60


def _same_table(last: _Open, block: PageBlock) -> bool:
    if block.kind != "table" or last.block.kind != "table" or not last.rows or not block.rows:
        return False
    return len(last.rows[0]) == len(block.rows[0]) and abs(last.block.size - block.size) < 0.6


def _more_rows(
    rows: list[tuple[str, ...]], more: tuple[tuple[str, ...], ...]
) -> list[tuple[str, ...]]:
    """The rows of a table's next part, without the head it repeats."""
    return list(more[1:] if more[0] == rows[0] else more)
