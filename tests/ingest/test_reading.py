"""Stages 1 to 3 on small books made here: running heads, tables, chapters, segments, and what is told when it fails."""

import json
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from freeform.adapters.pdf.here import HereReader
from freeform.adapters.pdf.tesseract import TesseractOcr
from freeform.core.errors import UserError
from freeform.evals.suites.ingest_books import write_scan
from freeform.ingest.model import ExtractionResult, ExtractOptions, SegmentOptions
from freeform.ingest.page.extract import extract, load_pages
from freeform.ingest.structure.segment import load_segments, segment
from freeform.ingest.structure.structure import find_structure
from tests.ingest.paper import LEFT, RIGHT, Ink, column, prose, save


def chapter(
    number: int, title: str, *, first: str = "The Weir", second: str = "The Mill"
) -> list[list[Ink]]:
    """Two pages in two columns with a running head and a page number that is not in the text."""
    start = number * 700
    page = 2 * number
    one = [
        Ink(f"THE OLD WALL - {title}", LEFT, 30, 8),
        Ink(title, LEFT, 70, 22, True),
        Ink(first, LEFT, 100, 14, True),
        *column(prose(40, start), LEFT, top=120),
        *column(prose(44, start + 250), RIGHT, top=80),
        Ink(str(page - 1), 300, 770, 9),
    ]
    two = [
        Ink(f"THE OLD WALL - {title}", LEFT, 30, 8),
        *column(prose(20, start + 450), LEFT, top=80),
        Ink(second, LEFT, 370, 14, True),
        *column(prose(20, start + 550), LEFT, top=390),
        *column(prose(30, start + 620), RIGHT, top=80),
        Ink(str(page), 300, 770, 9),
    ]
    return [one, two]


TITLES = ["The World of the Wall", "Monsters of the Marsh", "Combat Rules", "Guilds and Houses"]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    pages = [page for at, title in enumerate(TITLES, start=1) for page in chapter(at, title)]
    return save(pages, tmp_path / "wall.pdf")


async def read(path: Path, out: Path, **options: object) -> ExtractionResult:
    ocr = options.pop("ocr_by", None)
    async with HereReader("pdf_oxide").open(path) as opened:
        return await extract(opened, out, ExtractOptions.model_validate(options), ocr=ocr)  # type: ignore[arg-type]


async def test_pages_become_markdown_without_running_heads(book: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    async with HereReader("pdf_oxide").open(book) as opened:
        result = await extract(
            opened,
            tmp_path / "e",
            ExtractOptions(),
            progress=lambda done, total: seen.append((done, total)),
        )
    assert seen == [(at, 8) for at in range(1, 9)]
    assert (
        result.pages == result.pages_read == 8
        and result.columns == {2: 8}
        and result.by_geometry == 0
    )
    pages = list(load_pages(tmp_path / "e"))
    text = "\n".join(page.text for page in pages)
    assert "OLD WALL" not in text and "\n\n7\n" not in text
    assert " ".join(prose(44, 950)) in " ".join(text.split())
    rows = json.loads((tmp_path / "e" / "page_map.json").read_text())["pages"]
    assert [row["page_num"] for row in rows] == list(range(1, 9))
    assert (tmp_path / "e" / rows[0]["file"]).read_text().startswith(TITLES[0])


async def test_only_the_pages_asked_for_are_read(book: Path, tmp_path: Path) -> None:
    result = await read(book, tmp_path / "e", page_ranges=((2, 3), (7, 99)))
    assert [page.page_num for page in load_pages(tmp_path / "e")] == [
        2,
        3,
        7,
        8,
    ] and result.pages_read == 4
    with pytest.raises(UserError, match="has 8 pages"):
        await read(book, tmp_path / "x", page_ranges=((9, 12),))


async def test_chapters_sections_and_intents_are_found(book: Path, tmp_path: Path) -> None:
    await read(book, tmp_path / "e")
    structure = await find_structure(tmp_path / "e", tmp_path / "s", name="The Wall")
    assert structure.method == "fonts" and structure.title == "The Wall"
    assert [(found.title, found.intent.value) for found in structure.chapters] == [
        ("The World of the Wall", "SETTING"),
        ("Monsters of the Marsh", "BESTIARY"),
        ("Combat Rules", "MECHANICS"),
        ("Guilds and Houses", "FACTIONS"),
    ]
    assert [(found.page_start, found.page_end) for found in structure.chapters] == [
        (1, 2),
        (3, 4),
        (5, 6),
        (7, 8),
    ]
    assert [node.title for node in structure.chapters[0].children] == ["The Weir", "The Mill"]
    text = (tmp_path / "s" / structure.chapters[1].file).read_text()
    assert text.startswith("# Monsters of the Marsh\n\n## The Weir\n\n")


async def test_segments_keep_to_their_sizes_and_cite_their_pages(
    book: Path, tmp_path: Path
) -> None:
    await read(book, tmp_path / "e")
    await find_structure(tmp_path / "e", tmp_path / "s")
    options = SegmentOptions(min_words=60, target_words=150, max_words=300)
    manifest = await segment(tmp_path / "s", tmp_path / "g", options)
    found = load_segments(tmp_path / "g")
    assert len(found) == len(manifest.segments) > 6
    assert all(60 <= part.word_count <= 300 for part in found)
    words = " ".join(" ".join(part.text for part in found).split())
    for line in prose(44, 950):
        assert line.rstrip(".") in words
    assert found[0].page_start == 1 and found[-1].page_end == 8
    assert found[0].heading_path[0] == TITLES[0] and found[0].chapter_title == TITLES[0]


async def test_a_word_broken_by_a_column_is_whole(tmp_path: Path) -> None:
    left, right = prose(40), prose(40, 300)
    left[-1] = left[-1].rstrip(".") + " lan-"
    right[0] = "terns " + right[0]
    save([[*column(left, LEFT), *column(right, RIGHT)]], tmp_path / "b.pdf")
    await read(tmp_path / "b.pdf", tmp_path / "e")
    await find_structure(tmp_path / "e", tmp_path / "s")
    (text,) = [file.read_text() for file in (tmp_path / "s" / "chapters").iterdir()]
    assert " lanterns " in text


async def test_numbers_that_disagree_are_told_by_page(tmp_path: Path) -> None:
    good = [*prose(8), "It has 136 (16d8 + 64) hit points."]
    bad = [*prose(8, 90), "It has 137 (16d8 + 64) hit points."]
    save([column(good, LEFT), column(bad, LEFT)], tmp_path / "b.pdf")
    result = await read(tmp_path / "b.pdf", tmp_path / "e")
    assert list(result.doubts) == [2] and "137 (16d8 + 64)" in result.doubts[2][0]
    assert result.doubtful_pages == (2,)


async def test_a_scanned_book_says_what_to_install_when_nothing_can_read_it(tmp_path: Path) -> None:
    pages = [Image.new("L", (425, 550), 230) for _ in range(4)]
    pages[0].save(tmp_path / "scan.pdf", save_all=True, append_images=pages[1:])
    with pytest.raises(UserError, match="apt install tesseract-ocr"):
        await read(tmp_path / "scan.pdf", tmp_path / "e", ocr_by=TesseractOcr("no-such-tesseract"))
    with pytest.raises(UserError, match="--ocr auto"):
        await read(tmp_path / "scan.pdf", tmp_path / "e", ocr="never")


async def test_a_page_that_ocr_cannot_read_is_left_empty_and_told(tmp_path: Path) -> None:
    with pikepdf.open(
        save([column(prose(30, 90 * at), LEFT) for at in range(4)], tmp_path / "b.pdf")
    ) as pdf:
        Image.new("L", (425, 550), 230).save(tmp_path / "scan.pdf")
        with pikepdf.open(tmp_path / "scan.pdf") as scan:
            pdf.pages.extend(scan.pages)
        pdf.save(tmp_path / "mixed.pdf")
    result = await read(tmp_path / "mixed.pdf", tmp_path / "e", ocr_by=TesseractOcr("false"))
    assert result.image_only == (5,) and result.doubtful_pages == (5,)
    assert any(line.startswith("page 5 could not be read by OCR") for line in result.warnings)


async def test_a_scanned_page_is_read_in_columns(tmp_path: Path) -> None:
    if TesseractOcr().missing():
        pytest.skip("no tesseract: apt install tesseract-ocr to run this test")
    left, right = prose(9), prose(9, 220)
    save([[*column(left, LEFT, size=11), *column(right, RIGHT, size=11)]], tmp_path / "b.pdf")
    async with HereReader("pdf_oxide").open(tmp_path / "b.pdf") as opened:
        write_scan([await opened.render(1, dpi=150)], tmp_path / "scan.pdf", dpi=150)
    result = await read(tmp_path / "scan.pdf", tmp_path / "e", ocr_by=TesseractOcr())
    (page,) = load_pages(tmp_path / "e")
    assert result.by_ocr == 1 and page.ocr and (page.ocr_confidence or 0) > 0.6
    wanted = " ".join(left + right).split()
    words = page.text.split()
    assert len(set(wanted) & set(words)) > 0.85 * len(set(wanted))
    assert page.text.index("lantern") < page.text.index(right[0].split()[2])


async def test_fonts_that_do_not_say_their_letters_need_ocr(tmp_path: Path) -> None:
    code = str.maketrans("abcdefghijklmnopqrstuvwxyz", "&-4;'#)07>%,3:!(/6=$*+<^~@")
    pages = [
        column([line.translate(code) for line in prose(30, at * 400)], LEFT) for at in range(4)
    ]
    save(pages, tmp_path / "b.pdf")
    with pytest.raises(UserError, match="do not say their letters"):
        await read(tmp_path / "b.pdf", tmp_path / "e", ocr_by=TesseractOcr("no-such-tesseract"))


async def test_pictures_are_taken_out_when_asked_for(tmp_path: Path) -> None:
    Image.new("RGB", (200, 300), (9, 99, 9)).save(tmp_path / "p.pdf")
    with pytest.raises(UserError):
        await read(tmp_path / "p.pdf", tmp_path / "e", images=True, ocr="never")
