"""Books with one page made to break readers, between pages that are well."""

import zlib
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name

from tests.ingest.paper import LEFT, column, prose, save


def book(path: Path, pages: int = 3) -> Path:
    return save([column(prose(20, 100 * at), LEFT) for at in range(pages)], path)


def laughing(path: Path) -> Path:
    """Page 2 draws ten drawings of ten drawings of … ten times over: it would take for ever."""
    with pikepdf.open(book(path), allow_overwriting_input=True) as pdf:
        fonts = pdf.pages[0].Resources
        inner = _drawing(pdf, b"BT /F1 8 Tf 60 300 Td (ha) Tj ET\n", fonts)
        for _ in range(9):
            inner = _drawing(pdf, b"/X Do\n" * 10, Dictionary(XObject=Dictionary(X=inner)))
        pdf.pages[1].Resources = Dictionary(XObject=Dictionary(X=inner))
        pdf.pages[1].Contents = pdf.make_stream(b"/X Do\n")
        pdf.save(path)
    return path


def inflating(path: Path, megabytes: int) -> Path:
    """Page 2 unpacks to that much. Its filter is named elsewhere in the file, where a look at streams does not see it."""
    with pikepdf.open(book(path), allow_overwriting_input=True) as pdf:
        packer, piece = zlib.compressobj(9), b"0 0 m 1 1 l S\n" * 75_000
        packed = b"".join(packer.compress(piece) for _ in range(megabytes)) + packer.flush()
        stream = pdf.make_stream(b"")
        stream.write(packed, filter=pdf.make_indirect(Name.FlateDecode))
        pdf.pages[1].Contents = stream
        pdf.save(path)
    return path


def damaged(path: Path) -> Path:
    """The third of three pages is not where the file says."""
    pikepdf.open(book(path), allow_overwriting_input=True).save(
        path, object_stream_mode=pikepdf.ObjectStreamMode.disable
    )
    raw = path.read_bytes()
    kids = raw.index(b"/Kids [")
    last = raw.index(b" ]", kids)
    third = raw[:last].rsplit(b" ", 3)[1:]
    assert third[-1] == b"R"
    path.write_bytes(
        raw[: last - len(b" ".join(third))] + b"9" * len(third[0]) + b" 0 R" + raw[last:]
    )
    return path


def _drawing(pdf: pikepdf.Pdf, content: bytes, resources: pikepdf.Object) -> pikepdf.Object:
    form = pdf.make_stream(content)
    form.Type, form.Subtype, form.BBox, form.Resources = (
        Name.XObject,
        Name.Form,
        Array([0, 0, 612, 792]),
        resources,
    )
    return form
