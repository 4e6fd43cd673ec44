"""Chroma beside the file of an index: behind it, lost, damaged, or not installed."""

import shutil
import sys
from pathlib import Path

import pytest

from freeform import wiring
from freeform.adapters.chroma.passages import ChromaPassages
from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.core.errors import BadSettings, Unavailable
from freeform.retrieval.model import GM, PLAYER, Viewer
from freeform.retrieval.ports import PassageIndex, Where
from freeform.settings.sources import load
from tests.retrieval.shelf import CHEN, GUILD, SHELF, VIKTOR, HashedWords, document, fill

VIEWERS = (GM, PLAYER, Viewer(kind="npc", id="neo:viktor"))
MANY = [
    document(f"d{n}", f"Place {n}", "location", [], f"House {n} by canal {n * 7}.")
    for n in range(1200)
]


@pytest.fixture(autouse=True)
def _installed() -> None:
    pytest.importorskip("chromadb", reason="the extra `chroma` is not installed")


def over(folder: Path) -> ChromaPassages:
    return ChromaPassages(SqlitePassages(folder / "a.db"), folder / "chroma", "a")


async def agrees(
    index: PassageIndex, with_file: Path, embedder: HashedWords, question: str = "dock night bar"
) -> bool:
    """Whether it gives every viewer what the plain index gives from the same file."""
    (vector,) = await embedder.embed([question])
    plain = SqlitePassages(with_file)
    for viewer in VIEWERS:
        mine, theirs = [
            await i.near(vector, embedder.name, Where(viewer=viewer), 8) for i in (index, plain)
        ]
        if mine != theirs or not mine:
            return False
    return True


async def test_an_index_made_without_chroma_is_taken_over(tmp_path: Path) -> None:
    embedder = HashedWords()
    await fill(SqlitePassages(tmp_path / "a.db"), SHELF, embedder)
    assert await agrees(over(tmp_path), tmp_path / "a.db", embedder)


async def test_what_was_written_past_chroma_is_caught_up_with(tmp_path: Path) -> None:
    index, embedder = over(tmp_path), HashedWords()
    await fill(index, SHELF[:3], embedder)
    await fill(SqlitePassages(tmp_path / "a.db"), [CHEN, GUILD, VIKTOR], embedder)
    assert await agrees(index, tmp_path / "a.db", embedder)
    await index.close()
    await fill(SqlitePassages(tmp_path / "a.db"), SHELF, embedder)
    assert await agrees(over(tmp_path), tmp_path / "a.db", embedder)


async def test_more_passages_than_one_batch_are_all_found(tmp_path: Path) -> None:
    index, embedder = over(tmp_path), HashedWords()
    await fill(index, MANY, embedder)
    for number in (0, 899, 900, 1199):
        (vector,) = await embedder.embed([f"Place {number} House {number} by canal {number * 7}."])
        where = Where(viewer=GM, documents=(f"neo:d{number}",))
        assert [hit.id for hit in await index.near(vector, embedder.name, where, 3)] == [
            f"neo:d{number}:overview"
        ]


async def test_two_indexes_in_one_folder_are_kept_apart(tmp_path: Path) -> None:
    embedder = HashedWords()
    one, two = (
        ChromaPassages(SqlitePassages(tmp_path / f"{n}.db"), tmp_path / "chroma", n)
        for n in ("one", "two")
    )
    await fill(one, [VIKTOR], embedder)
    await fill(two, [GUILD], embedder)
    (vector,) = await embedder.embed(["market"])
    found = [
        {h.id.rpartition(":")[0] for h in await i.near(vector, embedder.name, Where(viewer=GM), 20)}
        for i in (one, two)
    ]
    assert found == [{"neo:viktor"}, {"neo:guild"}]


async def test_a_vector_of_another_width_finds_nothing(tmp_path: Path) -> None:
    index, embedder = over(tmp_path), HashedWords()
    await fill(index, SHELF, embedder)
    assert await index.near(b"\0\0\x80\x3f", embedder.name, Where(viewer=GM), 5) == []


async def test_a_folder_that_was_deleted_is_made_anew(tmp_path: Path) -> None:
    index, embedder = over(tmp_path), HashedWords()
    await fill(index, SHELF, embedder)
    await index.close()
    shutil.rmtree(tmp_path / "chroma")
    assert await agrees(over(tmp_path), tmp_path / "a.db", embedder)


async def test_a_damaged_folder_is_named_with_what_to_do(tmp_path: Path) -> None:
    embedder = HashedWords()
    await fill(SqlitePassages(tmp_path / "a.db"), SHELF, embedder)
    (tmp_path / "chroma").mkdir()
    (tmp_path / "chroma" / "chroma.sqlite3").write_bytes(b"a shopping list, not a database" * 100)
    (vector,) = await embedder.embed(["market"])
    with pytest.raises(Unavailable, match="delete that folder"):
        await over(tmp_path).near(vector, embedder.name, Where(viewer=GM), 5)


def test_the_setting_chooses_the_index(tmp_path: Path) -> None:
    opened = {
        name: wiring.books(
            load({"home": tmp_path, "index": name}, {}, tmp_path).settings
        ).open_index("a")
        for name in ("sqlite", "chroma")
    }
    assert isinstance(opened["sqlite"], SqlitePassages) and isinstance(
        opened["chroma"], ChromaPassages
    )


def test_without_the_extra_the_setting_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        sys.modules, "chromadb", None
    )  # As Python itself sees a package that is not there.
    books = wiring.books(load({"home": tmp_path, "index": "chroma"}, {}, tmp_path).settings)
    with pytest.raises(BadSettings, match=r"pip install freeform-rpg\[chroma\]"):
        books.open_index("a")
