"""Opens a PDF with pdfium: the border where bad files become sentences, and what every reader shares.

Page count, bookmarks, labels, rendering and pictures come from pdfium whichever library reads the text.
"""

import ctypes
import io
import mmap
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from freeform.adapters.pdf.rows import Mark
from freeform.core.errors import BadFile, NotFound, UserError

#: Bytes one stream may unpack to. A page of vector maps stays well below; pictures are not unpacked here.
MOST_UNPACKED = 48_000_000
#: Pieces of text one page may draw; a page that sets every letter alone has some thousand.
MOST_PIECES = 40_000
#: A stream that is longer than this, or packs better than this many times, is unpacked whole.
LONG, TIGHT, PROBE = 150_000, 25, 2048
_STREAM = re.compile(rb"<<((?:[^<>]|<<[^<>]*>>|<[^<>]*>){0,2000}?)>>\s*stream\r?\n")
_LENGTH = re.compile(rb"/Length\s+(\d+)(?!\s+\d+\s+R)")
_SHOW = re.compile(rb"T[jJ]\b")


def check_streams(path: Path) -> None:
    """Raises BadFile for a file with such a stream."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for found in _STREAM.finditer(data):
            head = found[1]
            if b"/Fl" not in head or b"/Image" in head:
                continue
            length = _LENGTH.search(head)
            size = int(length[1]) if length else data.find(b"endstream", found.end()) - found.end()
            packed = data[found.end() : found.end() + size]
            twice = len(re.findall(rb"/Fl(?:ateDecode)?\b", head)) > 1
            if (
                not twice
                and len(packed) < LONG
                and len(_unpack(packed[:PROBE])) < TIGHT * min(PROBE, len(packed))
            ):
                continue
            unpacked = _unpack(packed)
            if twice and len(unpacked) <= MOST_UNPACKED:
                unpacked = _unpack(unpacked)
            if len(unpacked) > MOST_UNPACKED or len(_SHOW.findall(unpacked)) > MOST_PIECES:
                raise BadFile(
                    str(path),
                    "holds a page with far more in it than any page of a book has, as files made to break readers do; "
                    "print the book to a new PDF and ingest that.",
                )


def _unpack(packed: bytes) -> bytes:
    """The data, at most a byte above the limit; nothing for what does not unpack."""
    try:
        return zlib.decompressobj().decompress(packed, MOST_UNPACKED + 1)
    except zlib.error:
        return b""


#: A sourcebook is some hundred pages; these are for files made to break a reader.
MOST_BYTES = 2_000_000_000
MOST_PAGES = 20_000
MOST_PIXELS = 40_000_000
NO_PAGES = "has no pages; export the book again."


def pdfium_library() -> Any:
    """The library, or one sentence that says how to get it."""
    try:
        import pypdfium2
    except ModuleNotFoundError:
        raise UserError(
            "reading PDFs needs the extra 'ingest': pip install 'freeform-rpg[ingest]'."
        ) from None
    return pypdfium2


def check_file(path: Path) -> None:
    """What can be known before any library looks: that it is there, a file, a PDF, and of a sane size."""
    if not path.exists():
        raise NotFound(f"there is no file {path}.")
    if path.is_dir():
        raise BadFile(str(path), "is a folder; name the PDF inside it.")
    size = path.stat().st_size
    if size == 0:
        raise BadFile(str(path), "is empty (0 bytes); fetch the file again.")
    if size > MOST_BYTES:
        raise BadFile(
            str(path),
            f"is larger than {MOST_BYTES // 1_000_000_000} GB; split it and ingest the parts.",
        )
    with path.open("rb") as file:
        if b"%PDF-" not in file.read(1024):
            raise BadFile(
                str(path), "is not a PDF (it does not begin with %PDF-); give the book as a PDF."
            )


class OpenBook:
    """A PDF that is open in pdfium."""

    def __init__(self, path: Path) -> None:
        check_file(path)
        check_streams(path)
        library = pdfium_library()
        self.path, self.raw = path, library.raw
        try:
            self.document: Any = library.PdfDocument(path)
            count = len(self.document)
        except library.PdfiumError as error:
            empty = b"/Count 0" in path.read_bytes()[:100_000]
            raise BadFile(str(path), NO_PAGES if empty else _reason(str(error))) from None
        if count == 0:
            raise BadFile(str(path), NO_PAGES)
        if count > MOST_PAGES:
            raise BadFile(
                str(path),
                f"has {count} pages, more than {MOST_PAGES}; split it and ingest the parts.",
            )
        self.page_count = count
        self._outline: list[Mark] | None = None

    def close(self) -> None:
        """Lets the file go."""
        self.document.close()

    @property
    def title(self) -> str:
        """The title in the file's metadata."""
        return str(self.document.get_metadata_value("Title") or "").strip()

    @property
    def outline(self) -> Sequence[Mark]:
        """The bookmarks that lead to a page."""
        if self._outline is None:
            self._outline = list(self._bookmarks())
        return self._outline

    def _bookmarks(self) -> Iterator[Mark]:
        for mark in self.document.get_toc(max_depth=8):
            where = mark.get_dest()
            index = where.get_index() if where else None
            title = " ".join(mark.get_title().split())
            if title and index is not None:
                yield Mark(title, mark.level + 1, index + 1)

    def label(self, number: int) -> str:
        """What is printed as the page's number, where the file says so."""
        return str(self.document.get_page_label(number - 1) or "")

    @contextmanager
    def page(self, number: int) -> Iterator[Any]:
        """A page of pdfium, closed afterwards so that memory stays flat."""
        library = pdfium_library()
        try:
            page = self.document[number - 1]
        except library.PdfiumError:
            raise BadFile(
                str(self.path), f"page {number} is damaged; leave it out with --pages."
            ) from None
        try:
            yield page
        finally:
            page.close()

    def image_share(self, number: int) -> float:
        """How much of the page pictures cover."""
        with self.page(number) as page:
            width, height = page.get_size()
            area = 0.0
            for item in page.get_objects(filter=[self.raw.FPDF_PAGEOBJ_IMAGE], max_depth=4):
                left, bottom, right, top = item.get_bounds()
                across = max(0.0, min(right, width) - max(left, 0.0))
                area += across * max(0.0, min(top, height) - max(bottom, 0.0))
            return float(min(1.0, area / max(1.0, width * height)))

    def render(self, number: int, dpi: int) -> bytes:
        """The page as a PNG."""
        with self.page(number) as page:
            width, height = page.get_size()
            scale = dpi / 72
            if width * height * scale * scale > MOST_PIXELS:
                scale = (MOST_PIXELS / (width * height)) ** 0.5
            bitmap = page.render(scale=scale)
            picture = io.BytesIO()
            bitmap.to_pil().save(picture, format="PNG")
            bitmap.close()
            return picture.getvalue()

    def images(self, number: int) -> Sequence[bytes]:
        """The pictures on the page, largest first; those smaller than an icon are left out."""
        library = pdfium_library()
        found: list[tuple[int, bytes]] = []
        with self.page(number) as page:
            for item in page.get_objects(filter=[self.raw.FPDF_PAGEOBJ_IMAGE], max_depth=4):
                # A picture in a format that pdfium does not draw is left out; the text is what matters.
                with suppress(library.PdfiumError, OSError, ValueError, ctypes.ArgumentError):
                    width, height = item.get_px_size()
                    if min(width, height) < 64 or width * height > MOST_PIXELS:
                        continue
                    picture = io.BytesIO()
                    item.get_bitmap().to_pil().convert("RGB").save(picture, format="PNG")
                    found.append((width * height, picture.getvalue()))
        found.sort(key=lambda pair: -pair[0])
        return [picture for _, picture in found]


def _reason(message: str) -> str:
    lower = message.lower()
    if "password" in lower:
        return "is locked with a password; save a copy without one and ingest that."
    if "security" in lower:
        return "is encrypted in a way that cannot be read; save a copy without protection and ingest that."
    return "is damaged or cut short and cannot be opened; fetch it again, or repair it with 'qpdf IN OUT'."
