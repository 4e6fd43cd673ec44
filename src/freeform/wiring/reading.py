"""Reading books, wired: which library opens PDFs, and who reads pictures of text."""

from importlib.util import find_spec

from freeform.adapters.pdf.mupdf import MupdfReader
from freeform.adapters.pdf.oxide import OxideReader
from freeform.adapters.pdf.pdfium import PdfiumReader
from freeform.adapters.pdf.tesseract import TesseractOcr
from freeform.core.errors import BadSettings
from freeform.ingest.ports import Ocr, PdfReader

READERS: dict[str, type[PdfReader]] = {
    "pdf_oxide": OxideReader,
    "pdfium": PdfiumReader,
    "pymupdf": MupdfReader,
}


def pdf_reader(name: str = "pdf_oxide") -> PdfReader:
    """The reader of that name."""
    if name not in READERS:
        raise BadSettings(f"there is no PDF reader '{name}'; there are: {', '.join(READERS)}")
    return READERS[name]()


def installed_readers() -> list[PdfReader]:
    """The default reader, and PyMuPDF where it is installed: what the scoreboard compares."""
    return [OxideReader(), *([MupdfReader()] if find_spec("pymupdf") else [])]


def page_ocr() -> Ocr:
    """Tesseract; it says itself when it is missing."""
    return TesseractOcr()
