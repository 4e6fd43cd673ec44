"""Stage 2, Structure: pages become chapters and sections.

Four ways in order: the look of paragraphs (corrected by the file's outline), the outline or the
printed contents alone, plain text habits, and last the pass. Reads stage 1's blocks.jsonl twice, a
page at a time; writes structure.json, chapters/*.md and sections.jsonl.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from freeform.ingest.model import DocumentStructure, ExtractionResult, Heading, Page, PageBlock
from freeform.ingest.page.extract import load_pages
from freeform.ingest.page.styles import (
    LISTED,
    Style,
    StyleFacts,
    body_size,
    calibrate,
    heading_levels,
    looks_like_heading,
    style_of,
    survey,
    tagged_titles,
    title_before_tags,
)
from freeform.ingest.ports import Progress
from freeform.ingest.structure.contents import ContentsReader, page_offset
from freeform.ingest.structure.dividers import Depth, Title, lettered, numbered_dividers
from freeform.ingest.structure.flow import Level, clean_title, flow
from freeform.ingest.structure.sections import Binder

#: The structure pass: short lines of the book in order go in, titles with their levels come out.
Guess = Callable[[Sequence[str]], Awaitable[Mapping[str, int]]]
Method = Literal["fonts", "outline", "contents", "heuristics", "pass"]
_NUMBERED = re.compile(
    r"^(?:(chapter|part|book|appendix|section)\s+[\divxlc]+\b|(\d{1,2}(?:\.\d{1,2}){0,3})[.)]?\s+[A-Z])",
    re.I,
)
#: Share of a look's lines that stand right below a heading and hold a number.
BELOW = 0.7
#: Share of a look's short lines that the outline must list to make it a heading's.
OUTLINED = 0.7
_MARKDOWN = re.compile(r"^(#{1,6})\s+\S")


class BookLook:
    """What the first reading of the pages teaches."""

    def __init__(self, folder: Path, extraction: ExtractionResult) -> None:
        self.extraction = extraction
        reader = ContentsReader(extraction.pages_read)
        self.short: list[tuple[PageBlock, int]] = []
        titles: list[tuple[PageBlock, int]] = []
        self.under: dict[Style, Counter[Style]] = defaultdict(Counter)
        self.letters: dict[Style, list[tuple[str, PageBlock]]] = defaultdict(list)
        """Single letters by their look, each with the short line that follows it."""
        letter: PageBlock | None = None

        def blocks() -> Iterator[PageBlock]:
            nonlocal letter
            for place, page in enumerate(load_pages(folder), start=1):
                reader.see(page, place)
                if page.page_num in reader.contents_pages or page.page_num in reader.index_pages:
                    continue
                before: Style | None = None
                for block in page.blocks:
                    if is_letter(block):
                        letter = block
                    elif looks_like_heading(block):
                        if letter is not None:
                            self.letters[style_of(letter)].append((letter.text, block))
                        letter = None
                        self.short.append((block, page.page_num))
                        if before is not None:
                            self.under[style_of(block)][before] += 1
                        before = style_of(block)
                    else:
                        before = None
                    title = title_before_tags(block)
                    if title:
                        titles.append((title, page.page_num))
                    yield block

        self.facts = survey(blocks())
        self.tagged = tagged_titles([title for title, _ in titles], self.facts)
        looks = {fact.style for fact in self.tagged}
        self.short += [pair for pair in titles if style_of(pair[0]) in looks]
        self.contents, self.index = tuple(reader.contents), tuple(reader.index)
        self.skip = frozenset(reader.contents_pages) | frozenset(reader.index_pages)

    def lines_below_headings(self, levels: Mapping[Style, int]) -> frozenset[Style]:
        """Looks of the size of the text that nearly always stand right below a heading and hold
        numbers: they say something of what the heading names, and are none themselves."""
        body = body_size(self.facts)
        found = set()
        for style, level in levels.items():
            under = self.under[style]
            higher = sum(number for above, number in under.items() if levels.get(above, 9) < level)
            texts = [block.text for block, _ in self.short if style_of(block) == style]
            printed = len(texts)
            numbered = sum(1 for text in texts if re.search(r"\d", text))
            if style[1] <= 1.04 * body and min(higher, numbered) >= BELOW * printed and printed > 7:
                found.add(style)
        return frozenset(found)

    def letter_levels(self, level_of: Level) -> dict[Style, int]:
        """Looks of single letters that divide a list, with the level of what they divide."""
        found: dict[Style, int] = {}
        for style, followed in self.letters.items():
            levels = Counter(level for _, block in followed if (level := level_of(block)))
            if levels and lettered([(letter, block.text) for letter, block in followed]):
                found[style] = levels.most_common(1)[0][0]
        return found

    def outline_levels(self) -> dict[str, int]:
        """Titles of the bookmarks that are printed as short lines, with their levels."""
        printed = {plain(block.text) for block, _ in self.short}
        levels: dict[str, int] = {}
        for item in self.extraction.outline:
            if plain(item.title) in printed:
                levels.setdefault(plain(item.title), item.level)
        return levels

    def contents_levels(self) -> dict[str, int]:
        """Titles of the printed contents that are found in the book: all one level, chapters by
        their numbers."""
        printed = {plain(block.text) for block, _ in self.short}
        return {
            plain(title): 1 if re.match(r"(?i)chapter|part|appendix", title) else 2
            for title, _ in self.contents
            if plain(title) in printed
        }


def is_letter(block: PageBlock) -> bool:
    """Whether a block is one capital letter."""
    return block.kind == "text" and len(block.text) == 1 and block.text.isupper()


def plain(title: str) -> str:
    """A title for comparing: letters and digits in lower case."""
    return "".join(letter for letter in title.lower() if letter.isalnum())


async def find_structure(
    extracted: Path,
    out: Path,
    *,
    guess: Guess | None = None,
    progress: Progress | None = None,
    name: str = "",
) -> DocumentStructure:
    """Reads stage 1's folder, writes stage 2's. `name`: what to call the book if it does not
    say."""
    extraction = ExtractionResult.model_validate_json(
        (extracted / "extraction.json").read_text(encoding="utf-8")
    )
    look = BookLook(extracted, extraction)
    method, level_of, confidence = await _choose(look, guess)
    out.mkdir(parents=True, exist_ok=True)
    binder = Binder(out, level_of_chapters(look.short, level_of))
    level_of, depth = _with_dividers(look, level_of)
    seen: list[Heading] = []
    for block in flow(
        _told(load_pages(extracted), look, extraction.pages_read, progress), level_of
    ):
        if block.kind == "heading":
            level = depth.level(Title(block.text, block.level))
            block = block.model_copy(update={"level": level})
            seen.append(
                Heading(
                    title=block.text,
                    level=block.level,
                    page=block.page_start,
                    confidence=confidence,
                )
            )
        binder.add(block)
    chapters = binder.close()
    offset = page_offset(look.contents, [(heading.title, heading.page) for heading in seen]) or 0
    structure = DocumentStructure(
        title=_title(extraction, seen, name),
        method=method,
        confidence=confidence,
        page_count=extraction.pages_read,
        chapters=chapters,
        headings=tuple(seen),
        contents=tuple((title, number + offset) for title, number in look.contents),
        index=tuple((title, number + offset) for title, number in look.index),
    )
    text = json.dumps(structure.model_dump(mode="json"), indent=1, ensure_ascii=False)
    (out / "structure.json").write_text(text, encoding="utf-8")
    return structure


def _with_dividers(look: BookLook, level_of: Level) -> tuple[Level, Depth]:
    """Levels that know the letters over parts of a list, and how deep what follows them lies."""
    letters = look.letter_levels(level_of)
    short = [Title(clean_title(block.text), level_of(block)) for block, _ in look.short]
    dividers = set(numbered_dividers([title for title in short if title.level]))
    for style, depth in letters.items():
        dividers |= {Title(letter, depth) for letter, _ in look.letters[style]}

    def with_letters(block: PageBlock) -> int:
        if is_letter(block) and style_of(block) in letters:
            return letters[style_of(block)]
        return level_of(block)

    return with_letters, Depth(frozenset(dividers))


def _told(
    pages: Iterator[Page], look: BookLook, total: int, progress: Progress | None
) -> Iterator[Page]:
    for place, page in enumerate(pages, start=1):
        if page.page_num not in look.skip:
            yield page
        if progress:
            progress(place, total)


async def _choose(look: BookLook, guess: Guess | None) -> tuple[Method, Level, float]:
    """The first way that finds enough headings."""
    pages = look.extraction.pages_read
    enough = max(3, pages // 15)
    outline, contents = look.outline_levels(), look.contents_levels()
    # Printed contents say which lines are headings; how deep they lie only bookmarks say.
    styles = _font_levels(look, outline)
    found = [block for block, _ in look.short if style_of(block) in styles]
    if len(found) >= min(enough, 40):
        level_of = _by_style(styles, frozenset(fact.style for fact in look.tagged))
        return "fonts", level_of, _font_confidence(look, styles, outline or contents)
    if len(outline) >= min(enough, 8):
        return "outline", _by_title(outline), 0.8
    if len(contents) >= min(enough, 8):
        return "contents", _by_title(contents), 0.7
    if sum(1 for block, _ in look.short if text_level(block)) >= min(enough, 6):
        return "heuristics", text_level, 0.5
    if guess is not None:
        lines = [block.text for block, _ in look.short][:2000]
        titles = {
            plain(title): level for title, level in (await guess(lines)).items() if plain(title)
        }
        if titles:
            return "pass", _by_title(titles), 0.6
    if found:
        return "fonts", _by_style(styles, frozenset()), 0.4
    return "heuristics", text_level, 0.2


def _font_levels(look: BookLook, known: Mapping[str, int]) -> dict[Style, int]:
    printed = Counter(style_of(block) for block, _ in look.short)
    levels = heading_levels(look.facts, [*look.tagged, *_outlined(look, known, printed)])
    seen: dict[Style, Counter[int]] = defaultdict(Counter)
    for block, _ in look.short:
        level = known.get(plain(block.text))
        if level and style_of(block) in levels:
            seen[style_of(block)][level] += 1
    # A look that the outline mostly leaves out lies deeper than the outline goes.
    seen = {
        style: votes for style, votes in seen.items() if votes.total() >= LISTED * printed[style]
    }
    levels = calibrate(levels, seen) if len(known) >= 8 else levels
    below = look.lines_below_headings(levels)
    levels = {style: level for style, level in levels.items() if style not in below}
    used = sorted(set(levels.values()))
    return {style: used.index(level) + 1 for style, level in levels.items()}


def _outlined(
    look: BookLook, known: Mapping[str, int], printed: Mapping[Style, int]
) -> list[StyleFacts]:
    """Looks that do not stand out, but whose short lines the outline nearly all lists."""
    listed = Counter(style_of(block) for block, _ in look.short if plain(block.text) in known)
    chosen = {
        style for style, number in listed.items() if number >= max(5, OUTLINED * printed[style])
    }
    return [fact for fact in look.facts if fact.style in chosen and fact.heading_like >= OUTLINED]


def _font_confidence(
    look: BookLook, styles: Mapping[Style, int], known: Mapping[str, int]
) -> float:
    if len(known) < 8:
        return 0.85
    titles = {plain(block.text) for block, _ in look.short if style_of(block) in styles}
    return round(0.5 + 0.5 * sum(1 for title in known if title in titles) / len(known), 2)


def _by_style(styles: Mapping[Style, int], tagged: frozenset[Style]) -> Level:
    def level(block: PageBlock) -> int:
        if looks_like_heading(block):
            return styles.get(style_of(block), 0)
        title = title_before_tags(block) if block.run_in else None
        if title is None or style_of(title) not in tagged:
            return 0
        return styles.get(style_of(title), 0)

    return level


def _by_title(titles: Mapping[str, int]) -> Level:
    def level(block: PageBlock) -> int:
        return titles.get(plain(block.text), 0) if looks_like_heading(block) else 0

    return level


def text_level(block: PageBlock) -> int:
    """The level of a heading by words alone: Markdown's marks, numbers, 'Chapter 3', all
    capitals."""
    text = block.text
    if marks := _MARKDOWN.match(text):
        return len(marks[1])
    if not looks_like_heading(block):
        return 0
    if numbered := _NUMBERED.match(text):
        return 1 if numbered[1] else 1 + numbered[2].count(".")
    letters = [letter for letter in text if letter.isalpha()]
    if len(letters) > 3 and all(letter.isupper() for letter in letters) and len(text.split()) <= 8:
        return 2
    return 0


def level_of_chapters(short: Sequence[tuple[PageBlock, int]], level_of: Level) -> int:
    """The highest level that has at least two headings; a single one on top is the book's title."""
    counts = Counter(level for block, _ in short if (level := level_of(block)))
    for level in sorted(counts):
        if counts[level] >= 2:
            return level
    return min(counts, default=1)


def _title(extraction: ExtractionResult, seen: Sequence[Heading], name: str) -> str:
    first = min(seen[:6], key=lambda heading: heading.level, default=None)
    if extraction.title and not re.search(
        r"(?i)untitled|microsoft word|\.(indd|docx?|pdf)$", extraction.title
    ):
        return extraction.title
    if name:
        return name
    return first.title if first is not None else "Untitled book"
