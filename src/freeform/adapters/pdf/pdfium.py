"""Reads text with pdfium (BSD): slower than pdf_oxide, hard to break; also what reads a page
pdf_oxide cannot."""

import math
from typing import Any

from freeform.adapters.pdf.opening import OpenBook, pdfium_library
from freeform.adapters.pdf.rows import Box, PageRows, Run
from freeform.adapters.pdf.turning import Turn, upright

#: A page drawn with more pieces than this is a picture made of letters, or made to break a reader.
MOST_PIECES = 50_000


class PdfiumBook(OpenBook):
    """A book whose text pdfium reads."""

    def read(self, number: int) -> PageRows:
        """One page."""
        return read_page(self, number)


def read_page(book: OpenBook, number: int) -> PageRows:
    """One page: its text objects in drawing order."""
    library = pdfium_library()
    with book.page(number) as page:
        left, bottom, right, top = page.get_cropbox(fallback_ok=True)
        width, height = right - left, top - bottom
        words = page.get_textpage()
        try:
            found: list[tuple[Run, Turn]] = []
            fonts: dict[int, tuple[str, bool, bool]] = {}
            for item in page.get_objects(filter=[book.raw.FPDF_PAGEOBJ_TEXT], textpage=words):
                if len(found) >= MOST_PIECES:
                    break
                try:
                    span = _span(item, fonts, left, top)
                except library.PdfiumError:
                    continue
                if span is not None:
                    found.append(span)
        finally:
            words.close()
    spans, turn = upright(found, width, height)
    letters = sum(len(span.text) for span in spans)
    strange = sum(1 for span in spans for letter in span.text if letter in "\ufffd\ufffe\x00")
    return PageRows(
        number=number,
        width=height if turn in (90, 270) else width,
        height=width if turn in (90, 270) else height,
        runs=spans,
        image_share=book.image_share(number) if letters < 20 else 0.0,
        unmapped=letters > 0 and strange > 0.3 * letters,
        label=book.label(number),
    )


def _span(
    item: Any, fonts: dict[int, tuple[str, bool, bool]], left: float, top: float
) -> tuple[Run, Turn] | None:
    text = item.extract()
    if not text:
        return None
    x0, y0, x1, y1 = item.get_bounds()
    a, b, c, d, across, up = item.get_matrix().get()
    turn = round(math.degrees(math.atan2(b, a)) / 90) * 90 % 360
    size = item.get_font_size() * (math.hypot(c, d) or 1.0)
    font = item.get_font()
    key = _address(font.raw)
    if key not in fonts:
        name = font.get_base_name() or font.get_family_name() or ""
        name = name.partition("+")[2] or name
        lower = name.lower()
        bold = any(word in lower for word in ("bold", "black", "heavy")) or font.get_weight() >= 600
        fonts[key] = (name, bold, "italic" in lower or "oblique" in lower)
    name, bold, italic = fonts[key]
    # Ink ends where the last letter does; the baseline is where the object's matrix puts it.
    base = up if turn == 0 and item.container is None and abs(up - y0) < size else y0
    box: Box = (x0 - left, top - y1, x1 - left, top - y0)
    if turn == 0:
        start = min(x0, across) if item.container is None and abs(across - x0) < size else x0
        box = (start - left, top - base - 0.8 * size, x1 - left, top - base + 0.2 * size)
    return Run(text=text, bbox=box, font=name, size=round(size, 2), bold=bold, italic=italic), turn


def _address(pointer: Any) -> int:
    import ctypes

    return ctypes.cast(pointer, ctypes.c_void_p).value or 0
