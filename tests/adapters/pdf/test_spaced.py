"""A blank that a file sets as space between letters, and does not write, is read all the same."""

from pathlib import Path

from freeform.adapters.pdf.here import HereReader
from freeform.evals.suites.ingest_books import write_pdf

LINES = (
    ("they a", "r", "et", "he miller's sons"),
    ("we a", "r", "eo", "ld and slow"),
    ("you we", "r", "eb", "orn by the weir"),
    ("he wo", "r", "ea", " coat of reeds"),
)
"""As groff writes `they are the miller's sons`: the blank is the space within `et`."""
WIDE = 6.0
"""Points to a letter of Courier in this size."""


def drawn(pieces: tuple[str, ...], y: int) -> str:
    head, letter, pair, rest = pieces
    before = WIDE * len(head + letter)
    return (
        f"BT /F1 10 Tf 0 Tc 1 0 0 1 60 {y} Tm ({head + letter}) Tj {WIDE} Tc {before} 0 Td ({pair}) Tj "
        f"0 Tc {3 * WIDE} 0 Td ({rest}) Tj ET"
    )


async def read(path: Path) -> list[str]:
    async with HereReader("pdf_oxide").open(path) as book:
        (page,) = await book.read([1])
    lines: dict[float, str] = {}
    for span in page.spans:
        lines[span.bbox[3]] = lines.get(span.bbox[3], "") + span.text
    return list(lines.values())


async def test_words_that_only_letter_spacing_parts_are_apart(tmp_path: Path) -> None:
    content = "\n".join(drawn(each, 700 - 20 * at) for at, each in enumerate(LINES))
    write_pdf([content], [(612.0, 792.0)], tmp_path / "book.pdf")
    assert await read(tmp_path / "book.pdf") == [
        "they are the miller's sons",
        "we are old and slow",
        "you were born by the weir",
        "he wore a coat of reeds",
    ]


async def test_a_title_set_wide_is_no_row_of_single_letters(tmp_path: Path) -> None:
    spaced = "BT /F1 20 Tf 1.5 Tc 1 0 0 1 60 700 Tm (THE WEIR) Tj ET"
    write_pdf([spaced], [(612.0, 792.0)], tmp_path / "book.pdf")
    assert await read(tmp_path / "book.pdf") == ["THE WEIR"]
