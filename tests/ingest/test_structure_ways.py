"""Structure where fonts say nothing: the outline, the printed contents, plain text habits, and the pass."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pikepdf

from freeform.adapters.pdf.here import HereReader
from freeform.ingest.model import DocumentStructure, ExtractOptions
from freeform.ingest.page.extract import extract
from freeform.ingest.structure.structure import Guess, find_structure
from tests.ingest.paper import LEFT, Ink, column, prose, save

NAMES = ["The Weir", "The Mill", "The Gate", "The Ferry", "The Tower", "The Marsh"]


def flat_page(title: str, start: int) -> list[Ink]:
    """A page in one size and weight: its title looks like any other short line."""
    return [Ink(title, LEFT, 80), *column(prose(30, start, width=90), LEFT, top=110)]


async def structure_of(path: Path, out: Path, guess: Guess | None = None) -> DocumentStructure:
    async with HereReader("pdf_oxide").open(path) as opened:
        await extract(opened, out / "e", ExtractOptions())
    return await find_structure(out / "e", out / "s", guess=guess)


async def test_the_outline_names_the_chapters(tmp_path: Path) -> None:
    plain = save(
        [flat_page(name, at * 500) for at, name in enumerate(NAMES)], tmp_path / "plain.pdf"
    )
    with pikepdf.open(plain) as pdf:
        with pdf.open_outline() as outline:
            outline.root.extend(pikepdf.OutlineItem(name, at) for at, name in enumerate(NAMES))
        pdf.save(tmp_path / "marked.pdf")
    found = await structure_of(tmp_path / "marked.pdf", tmp_path)
    assert found.method == "outline" and [chapter.title for chapter in found.chapters] == NAMES


async def test_the_printed_contents_name_the_chapters_and_are_no_chapter(tmp_path: Path) -> None:
    contents = [
        Ink("Contents", LEFT, 80),
        *column([f"{name} ........ {at + 2}" for at, name in enumerate(NAMES)], LEFT),
    ]
    path = save(
        [contents, *(flat_page(name, at * 500) for at, name in enumerate(NAMES))],
        tmp_path / "b.pdf",
    )
    found = await structure_of(path, tmp_path)
    assert found.method == "contents" and [chapter.title for chapter in found.chapters] == NAMES
    assert found.contents == tuple((name, at + 2) for at, name in enumerate(NAMES))


async def test_capitals_and_numbers_make_headings(tmp_path: Path) -> None:
    names = [f"CHAPTER {at}: {name.upper()}" for at, name in enumerate(NAMES, start=1)]
    path = save([flat_page(name, at * 500) for at, name in enumerate(names)], tmp_path / "b.pdf")
    found = await structure_of(path, tmp_path)
    assert (
        found.method in ("fonts", "heuristics")
        and [chapter.title for chapter in found.chapters] == names
    )


async def test_the_pass_is_asked_last_and_believed_only_about_lines_of_the_book(
    tmp_path: Path,
) -> None:
    path = save([flat_page(name, at * 500) for at, name in enumerate(NAMES)], tmp_path / "b.pdf")
    asked: list[Sequence[str]] = []

    async def guess(lines: Sequence[str]) -> Mapping[str, int]:
        asked.append(lines)
        return {**dict.fromkeys(NAMES, 1), "A chapter that is not there": 1}

    found = await structure_of(path, tmp_path, guess)
    assert found.method == "pass" and [chapter.title for chapter in found.chapters] == NAMES
    assert len(asked) == 1 and set(NAMES) <= set(asked[0])


async def test_a_book_without_any_heading_is_one_chapter(tmp_path: Path) -> None:
    path = save(
        [column(prose(30, at * 500, width=90), LEFT) for at in range(3)], tmp_path / "b.pdf"
    )
    found = await structure_of(path, tmp_path)
    assert len(found.chapters) == 1 and found.confidence < 0.5
