"""Cuts a chapter's sections into units of the wanted size: merge the small, split the large.
Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache

from freeform.core.record import Record
from freeform.core.text import words_in
from freeform.ingest.model import Block, ChapterIntent, SegmentOptions
from freeform.language.sentences import sentences


class Unit(Record):
    """Blocks that belong together, headings included."""

    title: str
    path: tuple[str, ...]
    level: int
    blocks: tuple[Block, ...]
    intent: ChapterIntent
    stat_block: bool = False

    @property
    def words(self) -> int:
        """How many words it has; a table's bars and rules are none."""
        return sum(count_words(block) for block in self.blocks)

    @property
    def mixed(self) -> bool:
        """Whether prose, lists and tables stand side by side."""
        return len({block.kind for block in self.blocks if block.kind != "heading"}) > 1

    def marked(self, stat_block: bool) -> "Unit":
        """The same, known to be a stat block or not."""
        return self.model_copy(update={"stat_block": stat_block})

    def plus(self, blocks: Sequence[Block]) -> "Unit":
        """With more blocks at its end."""
        return self.model_copy(update={"blocks": (*self.blocks, *blocks)})

    def part(self, blocks: Sequence[Block]) -> "Unit":
        """Some of its blocks, under its title."""
        return self.model_copy(update={"blocks": tuple(blocks)})

    def markdown(self) -> str:
        """As Markdown; its own heading is at the top level."""
        top = min((block.level for block in self.blocks if block.kind == "heading"), default=1)
        lines = [] if self.blocks and self.blocks[0].kind == "heading" else [f"# {self.title}"]
        for block in self.blocks:
            deep = min(6, block.level - top + 1)
            lines.append(f"{'#' * deep} {block.text}" if block.kind == "heading" else block.text)
        return "\n\n".join(lines) + "\n"


def count_words(block: Block) -> int:
    """The words of a block."""
    return _words_of(block.text, block.kind == "table")


@lru_cache(maxsize=1 << 14)  # the parts of a chapter are weighed again and again
def _words_of(text: str, table: bool) -> int:
    if table:
        return len(re.findall(r"[^\s|]+", re.sub(r"(?m)^\|[\s|-]*-[\s|-]*$", "", text)))
    return words_in(text)


def cut(units: Sequence[Unit], options: SegmentOptions) -> list[Unit]:
    """A chapter's sections as segments: a section with all below it if it fits, else its parts,
    small ones merged."""
    pieces = _cut(units, options)
    return _join_small(pieces, options)


def _cut(units: Sequence[Unit], options: SegmentOptions) -> list[Unit]:
    fits = int(1.5 * options.target_words)
    out: list[Unit] = []
    at = 0
    while at < len(units):
        end = at + 1
        while end < len(units) and units[end].level > units[at].level:
            end += 1
        family = units[at:end]
        words = sum(unit.words for unit in family)
        if end - at == 1 or (words <= fits and not sum(unit.stat_block for unit in family) > 1):
            out.append(_merge(family))
        elif len(units[at].blocks) == 1:
            # A heading with nothing of its own below it opens its first part.
            out += _cut([_opened(units[at], units[at + 1]), *units[at + 2 : end]], options)
        else:
            out.append(units[at])
            out += _cut(units[at + 1 : end], options)
        at = end
    return out


def _merge(units: Sequence[Unit]) -> Unit:
    first = units[0]
    if len(units) == 1:
        return first
    blocks = tuple(block for unit in units for block in unit.blocks)
    full = [unit for unit in units if len(unit.blocks) > 1]
    only = bool(full) and all(unit.stat_block for unit in full)
    return first.model_copy(update={"blocks": blocks, "stat_block": only})


def _opened(head: Unit, first: Unit) -> Unit:
    return first.model_copy(update={"blocks": (*head.blocks, *first.blocks)})


def _join_small(units: Sequence[Unit], options: SegmentOptions) -> list[Unit]:
    """Neighbours that are too small join: first with those of the same parent, then with whoever
    stands beside."""
    out: list[Unit] = []
    for unit in units:
        if out and _may_join(out[-1], unit, options):
            out[-1] = _together(out[-1], unit)
        else:
            out.append(unit)
    # Whatever is still too small goes to its smaller neighbour, a lone heading to what follows it.
    at = 0
    while at < len(out) and len(out) > 1:
        if out[at].words >= options.min_words:
            at += 1
            continue
        beside = [place for place in (at - 1, at + 1) if 0 <= place < len(out)]
        beside = [
            place for place in beside if out[place].words + out[at].words <= options.max_words
        ]
        if not beside:
            at += 1
            continue
        lone = len(out[at].blocks) == 1 and at + 1 in beside
        place = at + 1 if lone else min(beside, key=lambda place: out[place].words)
        first, second = min(at, place), max(at, place)
        out[first : second + 1] = [_together(out[first], out[second])]
        at = max(0, first - 1)
    return out


def _may_join(before: Unit, unit: Unit, options: SegmentOptions) -> bool:
    if before.words >= options.min_words and unit.words >= options.min_words:
        return False
    if before.words + unit.words > options.target_words:
        return False
    if before.words >= options.min_words and before.stat_block != unit.stat_block:
        return False
    return before.path[:-1] == unit.path[:-1] or unit.path[: len(before.path)] == before.path


def _together(a: Unit, b: Unit) -> Unit:
    path = tuple(x for x, y in zip(a.path, b.path, strict=False) if x == y)
    merged = _merge((a, b))
    nested = b.path[: len(a.path)] == a.path
    title = a.title if nested or a.title.endswith(" …") else f"{a.title} …"
    return merged.model_copy(update={"title": title, "path": a.path if nested else (*path, title)})


def split_unit(unit: Unit, options: SegmentOptions) -> list[Unit]:
    """A long unit cut between paragraphs into nearly equal parts; every part keeps the title."""
    blocks = [piece for block in unit.blocks for piece in _small_enough(block, options)]
    words = [count_words(block) for block in blocks]
    total = sum(words)
    parts = max(2, round(total / options.target_words))
    share = total / parts
    out: list[Unit] = []
    run: list[Block] = []
    size = 0
    for block, count in zip(blocks, words, strict=True):
        # A heading starts a part rather than ending one.
        full = size >= share or (size >= 0.7 * share and block.kind == "heading")
        if run and (full or size + count > options.max_words):
            out.append(unit.part(run))
            run, size = [], 0
        run.append(block)
        size += count
    if run:
        if out and size < options.min_words and out[-1].words + size <= options.max_words:
            out[-1] = out[-1].plus(run)
        else:
            out.append(unit.part(run))
    return out


def _small_enough(block: Block, options: SegmentOptions) -> list[Block]:
    """A block longer than a segment, in pieces: a table by rows with its head again, a paragraph by
    sentences."""
    if count_words(block) <= options.max_words:
        return [block]
    if block.kind == "table":
        head, rule, *rows = block.text.split("\n")
        pieces, run = [], [head, rule]
        for row in rows:
            run.append(row)
            if sum(len(line.split()) for line in run) > options.target_words:
                pieces.append(block.model_copy(update={"text": "\n".join(run)}))
                run = [head, rule]
        if len(run) > 2:
            pieces.append(block.model_copy(update={"text": "\n".join(run)}))
        return pieces
    pieces, text = [], ""
    for sentence in _hard_pieces(block.text, options):
        if text and len(text.split()) + len(sentence.split()) > options.target_words:
            pieces.append(block.model_copy(update={"text": text.strip()}))
            text = ""
        text += " " + sentence
    return [*pieces, block.model_copy(update={"text": text.strip()})]


def _hard_pieces(text: str, options: SegmentOptions) -> list[str]:
    """Sentences; one that is longer than a segment is cut by count."""
    out: list[str] = []
    for sentence in sentences(text):
        words = sentence.split()
        if len(words) <= options.target_words:
            out.append(sentence)
        else:
            step = options.target_words
            out += [" ".join(words[at : at + step]) for at in range(0, len(words), step)]
    return out
