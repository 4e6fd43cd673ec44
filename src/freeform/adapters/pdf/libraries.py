"""The libraries that read PDFs, by name. Each is imported when it is asked for."""

from pathlib import Path

from freeform.adapters.pdf.rows import RowBook
from freeform.core.errors import BadSettings

NAMES = ("pdf_oxide", "pdfium", "pymupdf")
DEFAULT = "pdf_oxide"


def known(name: str) -> str:
    """The name, if there is such a reader."""
    if name not in NAMES:
        raise BadSettings(f"there is no PDF reader '{name}'; there are: {', '.join(NAMES)}")
    return name


def open_book(name: str, path: Path) -> RowBook:
    """The book, open in that library. A file it cannot open is a BadFile that says why and what to
    do."""
    match known(name):
        case "pdf_oxide":
            from freeform.adapters.pdf.oxide import OxideBook

            return OxideBook(path)
        case "pymupdf":
            from freeform.adapters.pdf.mupdf import MupdfBook

            return MupdfBook(path)
        case _:
            from freeform.adapters.pdf.pdfium import PdfiumBook

            return PdfiumBook(path)
