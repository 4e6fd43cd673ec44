"""What was written into the fields of a form (a filled character sheet): text that no page stream
holds."""

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

from freeform.adapters.pdf.opening import OpenBook
from freeform.adapters.pdf.rows import Run

#: Fields of one page that are read, bytes of one value, and points a value is set in where its
#: box is higher.
MOST_FIELDS, MOST_BYTES, TALLEST = 2_000, 8_000, 10.0
LARGEST_BYTES = 2_000_000
"""Of a value that is looked at at all."""
_INVISIBLE, _HIDDEN, _NO_VIEW, _PASSWORD = 1 << 0, 1 << 1, 1 << 5, 1 << 13
"""Flags of the PDF standard: of annotations the first three, of text fields the last."""


def field_values(book: OpenBook, number: int, left: float, top: float) -> tuple[Run, ...]:
    """The values on a page as runs where their boxes stand; none where the file has no form."""
    if not book.document.get_formtype():
        return ()
    if book.document.formenv is None:
        book.document.init_forms()
    if book.document.formenv is None:
        return ()
    with book.page(number) as page:
        return tuple(_values(book.raw, book.document.formenv.raw, page.raw, (left, top)))


def beside(runs: Sequence[Run], values: Sequence[Run]) -> tuple[Run, ...]:
    """The page's runs with each value behind what stands left of it on its row: its label."""
    found = list(runs)
    for value in values:
        x0, y0, _, y1 = value.bbox
        middle, before = (y0 + y1) / 2, -1
        for at, run in enumerate(found):
            on_row = run.bbox[1] <= middle <= run.bbox[3] and run.bbox[0] <= x0
            if on_row and (before < 0 or run.bbox[0] >= found[before].bbox[0]):
                before = at
        found.insert(before + 1 if before >= 0 else len(found), value)
    return tuple(found)


def _values(raw: Any, form: Any, page: Any, corner: tuple[float, float]) -> Iterator[Run]:
    left, top = corner
    for at in range(min(MOST_FIELDS, raw.FPDFPage_GetAnnotCount(page))):
        annotation = raw.FPDFPage_GetAnnot(page, at)
        if not annotation:
            continue
        try:
            if not _is_written(raw, form, annotation):
                continue
            text, box = _value(raw, form, annotation), raw.FS_RECTF()
            if text and raw.FPDFAnnot_GetRect(annotation, box):
                size = min(TALLEST, max(4.0, 0.7 * abs(box.top - box.bottom)))
                base = top - min(box.top, box.bottom) - 0.2 * size
                x0, x1 = sorted((box.left - left, box.right - left))
                end = min(x1, x0 + 0.6 * size * len(text))
                place = (x0, base - 0.8 * size, end, base + 0.2 * size)
                yield Run(text, place, "form", round(size, 2), bold=False, italic=False)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)


def _is_written(raw: Any, form: Any, annotation: Any) -> bool:
    """Whether it is a field with words that a reader of the page sees: no button, nothing hidden,
    no password."""
    if raw.FPDFAnnot_GetSubtype(annotation) != raw.FPDF_ANNOT_WIDGET:
        return False
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind not in (
        raw.FPDF_FORMFIELD_TEXTFIELD,
        raw.FPDF_FORMFIELD_COMBOBOX,
        raw.FPDF_FORMFIELD_LISTBOX,
    ):
        return False
    if raw.FPDFAnnot_GetFlags(annotation) & (_INVISIBLE | _HIDDEN | _NO_VIEW):
        return False
    is_text = kind == raw.FPDF_FORMFIELD_TEXTFIELD
    return not (is_text and raw.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD)


def _value(raw: Any, form: Any, annotation: Any) -> str:
    """The field's value as text, cut where it is very long; '' for empty fields."""
    size = raw.FPDFAnnot_GetFormFieldValue(form, annotation, None, 0)
    if not 2 < size <= LARGEST_BYTES:
        return ""
    held = ctypes.create_string_buffer(size)
    wide = ctypes.cast(held, ctypes.POINTER(raw.FPDF_WCHAR))
    raw.FPDFAnnot_GetFormFieldValue(form, annotation, wide, size)
    told = held.raw[: min(size - 2, MOST_BYTES)].decode("utf-16-le", "ignore")
    return " ".join(told.split("\x00")[0].split())
