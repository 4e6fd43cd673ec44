"""A book read in a process of its own: hostile pages end that process, never ours."""

import io
import resource
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from freeform.adapters.pdf.here import HereReader
from freeform.adapters.pdf.subprocess_reader import ApartReader
from freeform.core.errors import BadFile, BadSettings, NotFound
from tests.adapters.pdf.hostile import book, damaged, inflating, laughing

LEAN = 150_000_000


# PyMuPDF takes seconds to start; the contract suite tries it in one process.
@pytest.mark.parametrize("name", ["pdf_oxide", "pdfium"])
async def test_pages_and_pictures_are_the_same_as_in_this_process(
    name: str, tmp_path: Path
) -> None:
    path = book(tmp_path / "book.pdf")
    async with ApartReader(name).open(path) as apart, HereReader(name).open(path) as here:
        assert (apart.page_count, apart.title, list(apart.outline)) == (
            here.page_count,
            here.title,
            here.outline,
        )
        drawn = await apart.render(1, dpi=40)
        assert list(await apart.read([3, 1])) == list(await here.read([3, 1]))
        assert Image.open(io.BytesIO(drawn)).size == (340, 440)
        assert await apart.images(1) == []


async def test_a_page_that_takes_for_ever_is_left_empty_and_a_second_one_is_one_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("freeform.adapters.pdf.subprocess_reader.MOST_ENDED", 1)
    with pikepdf.open(laughing(tmp_path / "one.pdf")) as pdf:
        pdf.pages.append(pdf.pages[1])
        pdf.save(tmp_path / "two.pdf")
    async with ApartReader("pdfium", seconds=0, memory=LEAN).open(tmp_path / "two.pdf") as opened:
        first, second, third = await opened.read([1, 2, 3])
        assert first.spans and third.spans and not (first.trouble or third.trouble), (
            "the rest is read"
        )
        assert not second.spans and second.trouble.startswith("could not be read: it ")
        with pytest.raises(BadFile, match=r"pages that no reader survives \(2, 4\)"):
            await opened.read([4])


async def test_a_page_that_inflates_does_not_take_the_memory(tmp_path: Path) -> None:
    path = inflating(tmp_path / "book.pdf", 220)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    async with ApartReader("pdfium", seconds=100, memory=LEAN).open(path) as opened:
        first, second, third = await opened.read([1, 2, 3])
        with pytest.raises(BadFile, match="page 2 cannot be drawn"):
            await opened.render(2, dpi=40)
        assert await opened.render(3, dpi=40), "after a page that cannot be drawn, others can"
    assert first.spans and third.spans
    assert not second.spans and "memory" in second.trouble
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    # A child begins as a copy of this process, which has grown with the tests before this one.
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert most < max(1_000_000, before + 1, own + 100_000), (
        "kB, of all children of this process: far below what the page unpacks to, with the addresses of the libraries"
    )


async def test_a_damaged_page_costs_itself(tmp_path: Path) -> None:
    async with ApartReader().open(damaged(tmp_path / "book.pdf")) as opened:
        pages = await opened.read(range(1, opened.page_count + 1))
    assert pages[0].spans and pages[1].spans
    assert not pages[2].spans and (pages[2].trouble or opened.page_count == 3)


async def test_what_is_wrong_with_a_file_is_told_as_in_this_process(tmp_path: Path) -> None:
    (tmp_path / "words.pdf").write_text("Dear reader, this is not a book.")
    with pytest.raises(BadFile, match="not a PDF"):
        async with ApartReader().open(tmp_path / "words.pdf"):
            pass
    with pytest.raises(NotFound, match="no file"):
        async with ApartReader().open(tmp_path / "nowhere.pdf"):
            pass
    with pytest.raises(BadSettings, match="no PDF reader"):
        ApartReader("paper")
