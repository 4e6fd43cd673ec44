"""Makes the hard copies the ingest suite reads: pages whose text stream is row by row, and scans
with noise."""

import hashlib
import io
from collections.abc import Sequence
from pathlib import Path

from freeform.core.errors import UserError
from freeform.ingest.model import RawPage, Span
from freeform.ingest.page.glyphs import mend

#: All letters of Courier are as wide as this share of its size, so a run can be stretched to any width exactly.
COURIER = 0.6


def write_row_by_row(pages: Sequence[RawPage], path: Path) -> None:
    """A PDF with the same words at the same places, drawn strictly from top to bottom across all
    columns."""
    contents = []
    for page in pages:
        rows = sorted(page.spans, key=lambda span: (round(span.bbox[3] / 3), span.bbox[0]))
        contents.append("\n".join(_draw(span, page.height) for span in rows if span.text.strip()))
    write_pdf(contents, [(page.width, page.height) for page in pages], path)


def _draw(span: Span, height: float) -> str:
    text = mend(span.text)
    lead = len(text) - len(text.lstrip())
    words = text.strip()
    x0, _, x1, y1 = span.bbox
    step = (x1 - x0) / max(1, len(text))
    stretch = 100 * step / (COURIER * max(span.size, 1.0))
    raw = words.encode("cp1252", "replace").decode("latin-1")
    for mark in "\\()":
        raw = raw.replace(mark, "\\" + mark)
    font = "F2" if span.bold else "F1"
    base = height - (y1 - 0.2 * span.size)
    return f"BT /{font} {span.size:.2f} Tf {stretch:.2f} Tz {x0 + lead * step:.2f} {base:.2f} Td ({raw}) Tj ET"


def write_pdf(contents: Sequence[str], sizes: Sequence[tuple[float, float]], path: Path) -> None:
    """A plain PDF of text pages in Courier."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    for name in ("Courier", "Courier-Bold"):
        font = f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
        objects.append(font.encode())
    kids = []
    for content, (width, height) in zip(contents, sizes, strict=True):
        stream = content.encode("latin-1", "replace")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        number = len(objects)
        fonts = "<< /Font << /F1 3 0 R /F2 4 0 R >> >>"
        page = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.2f} {height:.2f}] "
            f"/Resources {fonts} /Contents {number} 0 R >>"
        )
        objects.append(page.encode())
        kids.append(f"{number + 1} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    out = io.BytesIO(b"")
    out.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(
        b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    )
    path.write_bytes(out.getvalue())


def write_scan(pictures: Sequence[bytes], path: Path, *, dpi: int, seed: int = 7) -> None:
    """A PDF of pictures alone: each page grey, blurred a little and speckled, as a cheap scanner
    leaves it."""
    try:
        from PIL import Image, ImageFilter
    except ModuleNotFoundError:
        raise UserError(
            "making scans needs the extra 'ingest': pip install 'freeform-rpg[ingest]'."
        ) from None
    pages = []
    for at, png in enumerate(pictures):
        page = Image.open(io.BytesIO(png)).convert("L").filter(ImageFilter.GaussianBlur(0.6))
        count = page.width * page.height
        noise = Image.frombytes(
            "L", page.size, hashlib.shake_128(f"{seed}:{at}".encode()).digest(count)
        )
        pages.append(Image.blend(page, noise, 0.18))
    pages[0].save(path, save_all=True, append_images=pages[1:], resolution=dpi)
