"""Reads text with pdf_oxide (MIT): fast, with fonts, and it tells the order in which the file draws
its text."""

from pathlib import Path
from typing import Any

from freeform.adapters.pdf.forms import beside, field_values
from freeform.adapters.pdf.leftward import Letter, lines_of, mirrored, runs_leftward
from freeform.adapters.pdf.opening import OpenBook
from freeform.adapters.pdf.pdfium import read_page
from freeform.adapters.pdf.rows import PageRows, Run
from freeform.adapters.pdf.spaced import hides_blanks, with_blanks
from freeform.adapters.pdf.turning import Turn, turned
from freeform.core.errors import UserError

#: Fewer letters than this, and a picture may hold the text.
FEW_LETTERS = 20


def _library() -> Any:
    try:
        import pdf_oxide
    except ModuleNotFoundError:
        raise UserError(
            "reading PDFs needs the extra 'ingest': pip install 'freeform-rpg[ingest]'."
        ) from None
    library: Any = pdf_oxide
    library.disable_logging()  # it tells every oddity of a file on stderr
    return library


class OxideBook(OpenBook):
    """A book whose text pdf_oxide reads; a page it cannot read is read by pdfium."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        library = _library()
        try:
            self.text: Any = library.PdfDocument(str(path))
            if self.text.page_count() != self.page_count:
                self.text = None
        except (RuntimeError, ValueError, OSError):
            self.text = None

    def read(self, number: int) -> PageRows:
        """One page: its runs in the order the file draws them."""
        index = number - 1
        if self.text is None:
            return read_page(self, number)
        try:
            left, bottom, right, top = self.text.page_crop_box(index) or self.text.page_media_box(
                index
            )
            found = sorted(self.text.extract_spans(index), key=_sequence)
            shown = "".join(span.text for span in found)
            written = self.text.extract_chars(index) if runs_leftward(shown) else ()
        except (RuntimeError, ValueError, OSError):
            return read_page(self, number)
        except BaseException as error:
            # A panic in the Rust code arrives as an exception outside the usual tree.
            if type(error).__name__ != "PanicException":
                raise
            return read_page(self, number)
        turn = self._turn(index, found)
        width, height = right - left, top - bottom
        spans = tuple(_span(span, turn, left, bottom, width, height) for span in found)
        leftward = not turn and runs_leftward(shown)
        if leftward:
            spans = lines_of([_letter(one, left, bottom, height) for one in written], width)
        elif not turn and hides_blanks(spans):
            letters_of = self.text.extract_chars(index)
            spans = with_blanks(spans, (_letter(one, left, bottom, height) for one in letters_of))
        letters = sum(len(span.text) for span in spans)
        few = letters < FEW_LETTERS
        if not turn:
            values = field_values(self, number, left, top)
            spans = beside(spans, [mirrored(one, width) for one in values] if leftward else values)
        return PageRows(
            number=number,
            width=height if turn in (90, 270) else width,
            height=width if turn in (90, 270) else height,
            runs=spans,
            image_share=self.image_share(number) if few else 0.0,
            unmapped=bool(letters) and _unmapped(found) > 0.3 * letters,
            label=self.label(number),
        )

    def _turn(self, index: int, found: list[Any]) -> Turn:
        """Which way most of the page's text runs."""
        sideways = sum(
            len(s.text)
            for s in found[:60]
            if len(s.text) > 3 and s.page_bbox[3] > abs(s.page_bbox[2])
        )
        if sideways <= sum(len(s.text) for s in found[:60]) / 2:
            return 0
        votes = [word.rotation_degrees % 360 for word in self.text.extract_words(index)[:200]]
        best = max((90, 180, 270), key=votes.count)
        return best if best in (90, 180, 270) else 0


def _sequence(span: Any) -> int:
    return int(span.sequence)


def _unmapped(found: list[Any]) -> int:
    return sum(len(span.text) for span in found if span.provenance == "fallback")


def _span(span: Any, turn: Turn, left: float, bottom: float, width: float, height: float) -> Run:
    red, green, blue = span.color
    size = span.font_size
    if turn:
        x, y, across, up = span.page_bbox
        hull = (x - left, height - (y - bottom) - up, x - left + across, height - (y - bottom))
        box = turned(hull, turn, width, height)
        size = min(size, box[3] - box[1]) or size
    else:
        x, y, across, _ = span.bbox
        base = height - (y - bottom)
        start, end = sorted((x - left, x - left + across))
        box = (start, base - 0.8 * size, end, base + 0.2 * size)
    return Run(
        text=span.text,
        bbox=box,
        font=span.font_name.partition("+")[2] or span.font_name,
        size=round(size, 2),
        bold=span.is_bold,
        italic=span.is_italic,
        color=(int(red * 255) << 16) | (int(green * 255) << 8) | int(blue * 255),
    )


def _letter(char: Any, left: float, bottom: float, height: float) -> Letter:
    x, y, across, _ = char.bbox
    size, base = char.font_size, height - (y - bottom)
    red, green, blue = char.color
    run = Run(
        text=char.char,
        bbox=(x - left, base - 0.8 * size, x - left + across, base + 0.2 * size),
        font=char.font_name.partition("+")[2] or char.font_name,
        size=round(size, 2),
        bold="bold" in str(char.font_weight).lower(),
        italic=char.is_italic,
        color=(int(red * 255) << 16) | (int(green * 255) << 8) | int(blue * 255),
    )
    return Letter(char.char, run)
