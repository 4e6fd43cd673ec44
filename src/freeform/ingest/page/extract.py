"""Stage 1, Extract: a PDF becomes pages of Markdown in reading order.

Streams: a handful of pages is held at a time, whatever the size of the book. Writes
pages/page_*.md, page_map.json and blocks.jsonl (the pages with the look of every paragraph, which
stage 2 reads).
"""

import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

from freeform.core.errors import BadFile, Unavailable, UserError
from freeform.ingest.model import (
    ExtractionResult,
    ExtractOptions,
    Line,
    Page,
    PageBlock,
    PageEntry,
    RawPage,
)
from freeform.ingest.page.blocks import page_blocks
from freeform.ingest.page.columns import Gutter
from freeform.ingest.page.glyphs import give_up, is_garbled, join_ligatures
from freeform.ingest.page.lines import clean_spans, geometric_lines
from freeform.ingest.page.number_check import (
    doubts,
    learn_digits,
    solve_unknown,
    table_doubts,
)
from freeform.ingest.page.order import (
    Ordered,
    common_gutters,
    order_page,
    place_page,
)
from freeform.ingest.page.running_heads import RunningHeads, learn_running_heads, sample_pages
from freeform.ingest.ports import Ocr, PdfBook, Progress

#: Pages read at a time: enough to keep the reader busy, few enough to keep memory flat.
AT_ONCE = 16
OCR_DPI = 200
#: How a doubt begins that says why a whole page is missing; so many are told one by one.
TROUBLE, MOST_TOLD = "the page ", 10
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class Habits:
    """What the book does on all its pages, learnt from a sample of them."""

    def __init__(self, pages: Sequence[RawPage]) -> None:
        ordered = [(page, order_page(page)) for page in pages]
        self.gutters: tuple[tuple[Gutter, ...], ...] = common_gutters(
            [found.gutters for _, found in ordered]
        )
        self.heads: RunningHeads = learn_running_heads(
            (page.number, page.height, found.lines) for page, found in ordered
        )
        self.digits = learn_digits(
            " ".join(line.text for line in found.lines) for _, found in ordered
        )
        self.words: set[str] = set()
        for _, found in ordered:
            self.learn_words(found.lines)

    def learn_words(self, lines: Sequence[Line]) -> None:
        """Words seen whole inside a line; a line's last word may be half a word."""
        for line in lines:
            self.words.update(word.lower() for word in _WORD.findall(line.text)[:-1])


def chosen_pages(count: int, options: ExtractOptions) -> list[int]:
    """The page numbers to read; a range outside the book is told."""
    if not options.page_ranges:
        return list(range(1, count + 1))
    chosen: set[int] = set()
    for first, last in options.page_ranges:
        if first < 1 or last < first or first > count:
            raise UserError(f"pages {first}-{last} are not in this book, which has {count} pages.")
        chosen.update(range(first, min(last, count) + 1))
    return sorted(chosen)


async def extract(
    book: PdfBook,
    out: Path,
    options: ExtractOptions,
    *,
    ocr: Ocr | None = None,
    progress: Progress | None = None,
    reader: str = "",
) -> ExtractionResult:
    """Reads the book into a folder. Raises UserError when pages are pictures and nothing can read
    them."""
    numbers = chosen_pages(book.page_count, options)
    seen = {page.number: page for page in await book.read(sample_pages(numbers))}
    habits = Habits(list(seen.values()))
    (out / "pages").mkdir(parents=True, exist_ok=True)
    entries: list[PageEntry] = []
    taken: Counter[str] = Counter()
    with (out / "blocks.jsonl").open("w", encoding="utf-8") as file:
        async for page, stripped in _read(book, numbers, seen, habits, options, ocr):
            page = await _with_pictures(book, page, out) if options.images else page
            (out / page.file).write_text(page.text + "\n", encoding="utf-8")
            file.write(page.model_dump_json(exclude_defaults=True) + "\n")
            entries.append(PageEntry.model_validate(page.model_dump(exclude={"blocks"})))
            taken.update(re.sub(r"\d+", "#", words) for words in stripped)
            if progress:
                progress(len(entries), len(numbers))
    result = _result(book, entries, taken, reader)
    rows = [entry.model_dump(mode="json") for entry in entries]
    (out / "page_map.json").write_text(json.dumps({"pages": rows}, indent=1), encoding="utf-8")
    (out / "extraction.json").write_text(result.model_dump_json(indent=1), encoding="utf-8")
    return result


def load_pages(folder: Path) -> Iterator[Page]:
    """The pages stage 1 wrote, one at a time."""
    with (folder / "blocks.jsonl").open(encoding="utf-8") as file:
        for row in file:
            yield Page.model_validate_json(row)


async def _read(
    book: PdfBook,
    numbers: Sequence[int],
    seen: dict[int, RawPage],
    habits: Habits,
    options: ExtractOptions,
    ocr: Ocr | None,
) -> AsyncIterator[tuple[Page, list[str]]]:
    unread: list[int] = []
    reason = ""
    for start in range(0, len(numbers), AT_ONCE):
        wanted_now = numbers[start : start + AT_ONCE]
        fresh = {
            page.number: page for page in await book.read([n for n in wanted_now if n not in seen])
        }
        for number in wanted_now:
            raw = seen.pop(number, None) or fresh[number]
            picture = not any(span.text.strip() for span in raw.spans) and raw.image_share > 0.05
            if not raw.unmapped and is_garbled(" ".join(span.text for span in raw.spans)):
                raw = raw.model_copy(update={"unmapped": True})
            wanted = options.ocr == "always" or (
                options.ocr == "auto" and (picture or raw.unmapped)
            )
            if wanted and not raw.trouble and ocr is not None and not ocr.missing():
                try:
                    yield await _read_picture(book, raw, habits, ocr, options), []
                    continue
                except (BadFile, Unavailable) as failed:
                    # One page that cannot be drawn or read does not cost the book.
                    reason = str(failed)
                    raw = raw.model_copy(update={"trouble": f"could not be read by OCR ({reason})"})
            if picture or raw.unmapped:
                unread.append(raw.number)
            page, stripped = make_page(raw, order_page(raw, habits.gutters), habits)
            yield page.model_copy(update={"image_only": picture}), stripped
        if len(unread) >= max(3, 0.5 * len(numbers)):
            raise UserError(_cannot_read(len(unread), options, ocr, reason))
    if unread and len(unread) >= 0.5 * len(numbers):
        raise UserError(_cannot_read(len(unread), options, ocr, reason))


def _cannot_read(count: int, options: ExtractOptions, ocr: Ocr | None, reason: str) -> str:
    told = f"{count} pages of this book are pictures or use fonts that do not say their letters; "
    if options.ocr == "never":
        return told + "allow OCR with --ocr auto."
    if reason:
        return f"{told}OCR could not read them: {reason}"
    missing = (
        ocr.missing()
        if ocr is not None
        else "install Tesseract (Debian: apt install tesseract-ocr)."
    )
    return told + "they need OCR: " + missing


async def _read_picture(
    book: PdfBook, raw: RawPage, habits: Habits, ocr: Ocr, options: ExtractOptions
) -> Page:
    spans, confidence = await ocr.read(
        await book.render(raw.number, dpi=OCR_DPI), dpi=OCR_DPI, language=options.ocr_language
    )
    width = max([raw.width, *(span.bbox[2] for span in spans)])
    lines = geometric_lines(
        clean_spans(spans, width, max([raw.height, *(span.bbox[3] for span in spans)]))
    )
    found = place_page(lines, habits.gutters)
    page, _ = make_page(raw, found, habits)
    return page.model_copy(
        update={
            "order": "ocr",
            "ocr": True,
            "ocr_confidence": round(confidence, 3),
            "image_only": True,
        }
    )


def _rewritten(block: PageBlock, text: str, words: set[str]) -> PageBlock:
    """The block with its mended text, the phrase it opens with and its cells mended alike."""
    rows = []
    for row in block.rows:
        rows.append(tuple(join_ligatures(cell, words) for cell in row))
    lead = join_ligatures(block.run_in, words)
    return block.model_copy(update={"text": text, "run_in": lead, "rows": tuple(rows)})


def make_page(raw: RawPage, found: Ordered, habits: Habits) -> tuple[Page, list[str]]:
    """An ordered page as blocks: running heads off, letters and numbers mended, what stays doubtful
    told."""
    lines, stripped = habits.heads.strip(found.lines, raw.height)
    if any(line.text.endswith("-") for line in lines):
        habits.learn_words(lines)
    blocks: list[PageBlock] = []
    unknown = 0
    told: list[str] = []
    for block in page_blocks(lines, habits.words):
        text, left = give_up(block.text, habits.digits)
        mended = solve_unknown(text)
        unknown += left - (text.count("\ufffd") - mended.count("\ufffd"))
        told += doubts(mended)
        if block.rows:
            told += table_doubts(block.rows)
        mended = join_ligatures(mended, habits.words)
        blocks.append(block if mended == block.text else _rewritten(block, mended, habits.words))
    if unknown:
        told.append(f"{unknown} glyphs have no known letter")
    if raw.trouble:
        told.append(TROUBLE + raw.trouble)
    if raw.unmapped:
        told.append("the fonts of this page do not say which letters their glyphs are")
    return Page(
        page_num=raw.number,
        file=f"pages/page_{raw.number:04}.md",
        label=raw.label,
        width=round(raw.width, 1),
        height=round(raw.height, 1),
        word_count=sum(len(block.text.split()) for block in blocks),
        columns=found.columns,
        order=found.order,
        order_confidence=found.confidence,
        doubtful_glyphs=unknown,
        doubts=tuple(dict.fromkeys(told)),
        blocks=tuple(blocks),
    ), stripped


async def _with_pictures(book: PdfBook, page: Page, out: Path) -> Page:
    (out / "images").mkdir(exist_ok=True)
    files = []
    for at, picture in enumerate(await book.images(page.page_num), start=1):
        name = f"images/page_{page.page_num:04}_{at}.png"
        (out / name).write_bytes(picture)
        files.append(name)
    return page.model_copy(update={"images": tuple(files)})


def _result(
    book: PdfBook, entries: Sequence[PageEntry], taken: Counter[str], reader: str
) -> ExtractionResult:
    doubtful = [
        e for e in entries if e.doubts or e.order_confidence < 0.7 or (e.ocr_confidence or 1) < 0.7
    ]
    pictures = tuple(e.page_num for e in entries if e.image_only and not e.ocr)
    warnings = []
    broken = [
        f"page {e.page_num} {words}"
        for e in entries
        for words in e.doubts
        if words.startswith(TROUBLE)
    ]
    warnings += [line.replace(f" {TROUBLE}", " ", 1) for line in broken[:MOST_TOLD]]
    if len(broken) > MOST_TOLD:
        warnings.append(
            f"{len(broken) - MOST_TOLD} further pages could not be read whole; extraction.json lists them."
        )
    if pictures:
        warnings.append(
            f"{len(pictures)} pages are pictures without text and were left empty; OCR can read them."
        )
    if not any(entry.word_count for entry in entries):
        if broken:
            raise UserError(
                f"none of these pages could be read: {warnings[0]}; print the book to a new PDF."
            )
        raise UserError(
            "no text was found in these pages; a scanned book needs OCR (--ocr always)."
        )
    return ExtractionResult(
        pages=book.page_count,
        pages_read=len(entries),
        word_count=sum(entry.word_count for entry in entries),
        columns=dict(sorted(Counter(entry.columns for entry in entries).items())),
        by_geometry=sum(1 for entry in entries if entry.order == "geometry"),
        by_ocr=sum(1 for entry in entries if entry.ocr),
        image_only=pictures,
        doubtful_pages=tuple(entry.page_num for entry in doubtful),
        doubts={entry.page_num: entry.doubts for entry in entries if entry.doubts},
        stripped=tuple(words for words, _ in taken.most_common(20)),
        outline=tuple(book.outline),
        title=book.title,
        reader=reader,
        warnings=tuple(warnings),
    )
