"""What every PDF reader promises: the same words in the same order, boxes from the top left, bad files in one sentence."""

import io
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from freeform.adapters.pdf.here import HereReader
from freeform.adapters.pdf.libraries import NAMES
from freeform.core.errors import BadFile, NotFound
from freeform.ingest.page.order import order_page
from freeform.ingest.ports import PdfReader
from tests.ingest.paper import HEIGHT, LEFT, RIGHT, WIDTH, Ink, column, prose, save

READERS = [HereReader(name) for name in NAMES]


@pytest.fixture(params=READERS, ids=lambda reader: reader.name)
def reader(request: pytest.FixtureRequest) -> PdfReader:
    found: PdfReader = request.param
    return found


@pytest.fixture
def book(tmp_path: Path) -> Path:
    pages = [
        [
            Ink("Chapter One", LEFT, 60, 20, True, 100),
            *column(prose(20), LEFT),
            *column(prose(20, 200), RIGHT),
        ],
        [*column(prose(8, 400), LEFT)],
    ]
    return save(pages, tmp_path / "book.pdf")


async def text_of(reader: PdfReader, path: Path, number: int = 1) -> str:
    async with reader.open(path) as opened:
        return " ".join(line.text for line in order_page((await opened.read([number]))[0]).lines)


async def test_it_tells_pages_and_runs_in_the_order_they_are_drawn(
    reader: PdfReader, book: Path
) -> None:
    async with reader.open(book) as opened:
        assert opened.page_count == 2 and opened.title == "" and list(opened.outline) == []
        first, second = await opened.read([1, 2])
    assert (first.number, second.number) == (1, 2)
    assert (round(first.width), round(first.height)) == (WIDTH, HEIGHT)
    words = " ".join("".join(span.text for span in first.spans).split())
    assert words.replace(" ", "") == "".join(["Chapter One", *prose(20), *prose(20, 200)]).replace(
        " ", ""
    )
    assert not first.unmapped and first.image_share == 0


async def test_a_run_tells_its_look_and_its_place_from_the_top_left(
    reader: PdfReader, book: Path
) -> None:
    async with reader.open(book) as opened:
        (page,) = await opened.read([1])
    title = page.spans[0]
    assert title.bold and title.size == pytest.approx(20) and "Courier" in title.font
    x0, y0, x1, y1 = title.bbox
    assert (
        x0 == pytest.approx(LEFT, abs=2)
        and y0 == pytest.approx(60 - 16, abs=1)
        and y1 == pytest.approx(64, abs=1)
    )
    assert x1 == pytest.approx(LEFT + 11 * 20 * 0.6, abs=8)
    body = next(span for span in page.spans if span.text.strip())
    assert body.bbox[0] >= LEFT - 2


async def test_the_words_are_the_same_however_the_page_is_turned(
    reader: PdfReader, book: Path, tmp_path: Path
) -> None:
    straight = await text_of(reader, book)
    for turn in (90, 180, 270):
        with pikepdf.open(book) as pdf:
            pdf.pages[0].Rotate = turn
            pdf.save(tmp_path / f"turned{turn}.pdf")
        assert await text_of(reader, tmp_path / f"turned{turn}.pdf") == straight


@pytest.mark.parametrize(
    "matrix", ["0 1 -1 0 792 0", "0 -1 1 0 0 612"], ids=["climbing", "descending"]
)
async def test_text_that_runs_sideways_is_read_upright(
    reader: PdfReader, book: Path, tmp_path: Path, matrix: str
) -> None:
    with pikepdf.open(book) as pdf:
        page = pdf.pages[0]
        page.contents_add(f"q {matrix} cm\n".encode(), prepend=True)
        page.contents_add(b"\nQ")
        page.MediaBox = [0, 0, 792, 612]
        pdf.save(tmp_path / "sideways.pdf")
    words = (await text_of(reader, tmp_path / "sideways.pdf")).split()
    assert words == (await text_of(reader, book)).split()


async def test_bookmarks_have_levels_and_pages(
    reader: PdfReader, book: Path, tmp_path: Path
) -> None:
    with pikepdf.open(book) as pdf:
        with pdf.open_outline() as outline:
            chapter = pikepdf.OutlineItem("Chapter  One", 0)
            chapter.children.append(pikepdf.OutlineItem("The Weir", 1))
            outline.root.append(chapter)
        pdf.docinfo["/Title"] = "The Wall"
        pdf.save(tmp_path / "marked.pdf")
    async with reader.open(tmp_path / "marked.pdf") as opened:
        assert [(item.title, item.level, item.page) for item in opened.outline] == [
            ("Chapter One", 1, 1),
            ("The Weir", 2, 2),
        ]
        assert opened.title == "The Wall"


async def test_a_page_can_be_drawn_and_its_pictures_taken_out(
    reader: PdfReader, tmp_path: Path
) -> None:
    scan = Image.new("L", (800, 1000), 200)
    scan.save(tmp_path / "scan.pdf", resolution=100)
    async with reader.open(tmp_path / "scan.pdf") as opened:
        (page,) = await opened.read([1])
        assert page.spans == () and page.image_share > 0.9
        drawn = Image.open(io.BytesIO(await opened.render(1, dpi=50)))
        assert drawn.size == (400, 500)
        (picture,) = await opened.images(1)
        assert Image.open(io.BytesIO(picture)).size == (800, 1000)


async def test_a_book_that_only_forbids_printing_is_read(
    reader: PdfReader, book: Path, tmp_path: Path
) -> None:
    with pikepdf.open(book) as pdf:
        pdf.save(tmp_path / "owned.pdf", encryption=pikepdf.Encryption(user="", owner="secret"))
    assert await text_of(reader, tmp_path / "owned.pdf") == await text_of(reader, book)


async def refused(reader: PdfReader, path: Path) -> str:
    with pytest.raises((BadFile, NotFound)) as wrong:
        async with reader.open(path) as opened:
            await opened.read([1])
    assert str(path) in str(wrong.value) and str(wrong.value).endswith(".")
    return str(wrong.value)


async def test_a_bad_file_is_named_with_its_reason_and_what_to_do(
    reader: PdfReader, book: Path, tmp_path: Path
) -> None:
    whole = book.read_bytes()
    with pikepdf.open(book) as pdf:
        pdf.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(user="a", owner="b"))
    (tmp_path / "cut.pdf").write_bytes(whole[: len(whole) // 3])
    (tmp_path / "words.pdf").write_text("Dear reader, this is not a book.")
    (tmp_path / "empty.pdf").write_bytes(b"")
    save([], tmp_path / "none.pdf")
    assert "password" in await refused(reader, tmp_path / "locked.pdf")
    assert "cut short" in await refused(reader, tmp_path / "cut.pdf")
    assert "not a PDF" in await refused(reader, tmp_path / "words.pdf")
    assert "empty" in await refused(reader, tmp_path / "empty.pdf")
    assert "no pages" in await refused(reader, tmp_path / "none.pdf")
    assert "folder" in await refused(reader, tmp_path)
    assert "no file" in await refused(reader, tmp_path / "nowhere.pdf")


@pytest.mark.parametrize(
    ("operators", "times"),
    [(b"BT /F1 1 Tf (a) Tj ET\n", 60_000), (b"0 0 m 1 1 l S\n", 4_000_000)],
    ids=["pieces", "bytes"],
)
async def test_a_page_made_to_break_readers_is_refused_at_once(
    book: Path, tmp_path: Path, operators: bytes, times: int
) -> None:
    """The same look at the streams comes before every reader; one stands for all."""
    with pikepdf.open(book) as pdf:
        pdf.pages[0].Contents = pdf.make_stream(operators * times)
        pdf.save(tmp_path / "bomb.pdf", compress_streams=True, recompress_flate=True)
    assert "far more" in await refused(HereReader("pdfium"), tmp_path / "bomb.pdf")
