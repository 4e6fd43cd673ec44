"""Reading books, wired: which library opens PDFs (always in a process of its own), and who reads
pictures of text."""

from importlib.util import find_spec

from freeform.adapters.pdf.libraries import DEFAULT
from freeform.adapters.pdf.subprocess_reader import ApartReader
from freeform.adapters.pdf.tesseract import TesseractOcr
from freeform.ingest.ports import Ocr, PdfReader


def pdf_reader(name: str = DEFAULT) -> PdfReader:
    """The reader of that name."""
    return ApartReader(name)


def installed_readers() -> list[PdfReader]:
    """The default reader, and PyMuPDF where it is installed: what the scoreboard compares."""
    return [ApartReader(), *([ApartReader("pymupdf")] if find_spec("pymupdf") else [])]


def page_ocr() -> Ocr:
    """Tesseract; it says itself when it is missing."""
    return TesseractOcr()
