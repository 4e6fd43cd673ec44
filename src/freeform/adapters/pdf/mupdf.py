"""Reads text with PyMuPDF: the seed's choice. AGPL, so it is an extra and never the default."""

import math
from pathlib import Path
from typing import Any

from freeform.adapters.pdf.opening import OpenBook
from freeform.adapters.pdf.rows import Box, PageRows, Run
from freeform.adapters.pdf.turning import Turn, upright
from freeform.core.errors import BadFile, UserError

BOLD, ITALIC = 16, 2
FEW_LETTERS = 20


class MupdfBook(OpenBook):
    """A book whose text PyMuPDF reads."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        try:
            import pymupdf
        except ModuleNotFoundError:
            raise UserError(
                "this reader needs the extra 'pymupdf': pip install 'freeform-rpg[pymupdf]'."
            ) from None
        library: Any = pymupdf
        library.TOOLS.mupdf_display_errors(False)
        self.flags = (
            library.TEXTFLAGS_DICT
            & ~library.TEXT_PRESERVE_IMAGES
            & ~library.TEXT_PRESERVE_LIGATURES
        )
        try:
            self.text: Any = library.open(path)
        except (RuntimeError, ValueError) as error:
            raise BadFile(
                str(path),
                f"cannot be read with PyMuPDF ({error}); read it with the default reader.",
            ) from None

    def read(self, number: int) -> PageRows:
        """One page."""
        try:
            page = self.text[number - 1]
            if page.rotation:
                page.set_rotation(0)
            width, height = page.rect.width, page.rect.height
            found = [
                (_span(span), _turn(line["dir"]))
                for block in page.get_text("dict", flags=self.flags)["blocks"]
                for line in block.get("lines", ())
                for span in line["spans"]
            ]
        except (RuntimeError, ValueError) as error:
            raise BadFile(
                str(self.path), f"page {number} is damaged ({error}); leave it out with --pages."
            ) from None
        spans, turn = upright(found, width, height)
        letters = sum(len(span.text) for span in spans)
        strange = sum(span.text.count("\ufffd") for span in spans)
        return PageRows(
            number=number,
            width=height if turn in (90, 270) else width,
            height=width if turn in (90, 270) else height,
            runs=spans,
            image_share=self.image_share(number) if letters < FEW_LETTERS else 0.0,
            unmapped=letters > 0 and strange > 0.3 * letters,
            label=self.label(number),
        )


def _turn(direction: tuple[float, float]) -> Turn:
    across, down = direction
    return round(math.degrees(math.atan2(-down, across)) / 90) * 90 % 360


def _span(span: dict[str, Any]) -> Run:
    x0, y0, x1, y1 = span["bbox"]
    size = float(span["size"])
    base = span["origin"][1]
    upright = abs(y1 - y0) < 2.2 * size and y0 - 1 <= base <= y1 + 1
    box: Box = (x0, base - 0.8 * size, x1, base + 0.2 * size) if upright else (x0, y0, x1, y1)
    name = str(span["font"])
    lower = name.lower()
    return Run(
        text=span["text"],
        bbox=box,
        font=name,
        size=round(size, 2),
        bold=bool(span["flags"] & BOLD) or "bold" in lower or "black" in lower,
        italic=bool(span["flags"] & ITALIC),
        color=int(span["color"]),
    )
