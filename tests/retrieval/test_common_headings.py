"""Headings that any book may use: no secret, no broken index, and nothing another pack has to pay for."""

from pathlib import Path

import pytest

from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.core.clock import HandClock
from freeform.core.errors import UserError
from freeform.engine.shelf.books import Books
from freeform.packs.folder.load import load_pack
from freeform.packs.shelf import PackShelf
from freeform.retrieval.chunking import chunk_document
from freeform.retrieval.documents import document_of
from freeform.retrieval.model import PLAYER, LoreRetrievalQuery
from freeform.retrieval.ports import Fresh
from tests.packs.pack_folders import manifest, write
from tests.retrieval.shelf import GUILD, HARBOUR, HashedWords, fill, searching

COMMON = ("Hidden", "Secrets", "Clues", "Hooks", "Searching", "Knowledge", "Threads")


def rules_pack(folder: Path, title: str) -> Path:
    """A pack with one page of rules that has this title, and one that has it as a section."""
    page = f"---\nid: page\ntype: culture\n---\n\n# {title}\n\nRoll two dice in the open.\n"
    part = f"---\nid: part\ntype: culture\n---\n\n# Play\n\nTake turns.\n\n## {title}\n\nCount to ten.\n"
    write(
        folder, {"pack.yaml": manifest("rules"), "culture/page.md": page, "culture/part.md": part}
    )
    return folder


@pytest.mark.parametrize("title", COMMON)
async def test_a_pack_with_a_common_title_is_indexed_and_players_find_it(
    title: str, tmp_path: Path
) -> None:
    pack = load_pack(rules_pack(tmp_path / "rules", title))
    documents = [document_of(entry) for entry in pack.entries]
    for document in documents:
        names = [chunk.id for chunk in chunk_document(document)]
        assert len(set(names)) == len(names)
    index = SqlitePassages(tmp_path / "index.db")
    assert (await fill(index, documents)).notes == []
    for words, page in (("two dice open", "page"), ("count to ten", "part")):
        seen = await searching(index).search(LoreRetrievalQuery(keywords=words), PLAYER)
        assert [c.chunk_id.split(":")[1] for c in seen.chunks][:1] == [page]
    assert not (tmp_path / "index.db.damaged").exists()


@pytest.mark.parametrize("title", ["Secrets", "Hidden", "Withholds", "Discoverable"])
def test_a_printed_books_headings_are_no_marks(title: str, tmp_path: Path) -> None:
    text = (
        "---\nid: x\ntype: npc\nsource: The Big Book\npage: 12\n---\n\n"
        f"# Someone\n\nA person.\n\n## {title}\n\nOrdinary print.\n\n## GM: Plot\n\nA plot.\n"
    )
    write(tmp_path / "book", {"pack.yaml": manifest("book"), "npcs/x.md": text})
    (entry,) = load_pack(tmp_path / "book").entries
    assert [s.heading for s in entry.sections if s.gm_only] == ["GM: Plot"]
    chunks = {chunk.heading: chunk.audience for chunk in chunk_document(document_of(entry))}
    assert chunks["GM: Plot"] == "gm"
    assert "gm" not in {audience for heading, audience in chunks.items() if heading != "GM: Plot"}


@pytest.mark.parametrize("type", ["location", "npc", "faction", "item", "event", "history"])
def test_in_an_entry_of_the_world_the_form_of_the_guide_still_hides(
    type: str, tmp_path: Path
) -> None:
    parts = "".join(
        f"## {heading}\n\nText of {heading}.\n\n"
        for heading in ("Secrets", "Withholds", "Discoverable", "Knows", "Threads", "Past")
    )
    text = f"---\nid: x\ntype: {type}\n---\n\n# X\n\nOpen words.\n\n{parts}"
    write(tmp_path / "w", {"pack.yaml": manifest("w"), "a/x.md": text})
    (entry,) = load_pack(tmp_path / "w").entries
    seen = [c.chunk_text for c in chunk_document(document_of(entry)) if c.audience != "gm"]
    assert seen == ["Open words.", "Text of Past."]


def test_a_title_that_is_marked_hides_all_below_it_and_keeps_the_name_open(tmp_path: Path) -> None:
    text = (
        "---\nid: x\ntype: event\n---\n\n# GM: The plot\n\nThe king did it.\n\n## How\n\nPoison.\n"
    )
    write(tmp_path / "w", {"pack.yaml": manifest("w"), "a/x.md": text})
    (entry,) = load_pack(tmp_path / "w").entries
    chunks = chunk_document(document_of(entry))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert [chunk.chunk_text for chunk in chunks if chunk.audience != "gm"] == ["GM: The plot"]


async def test_what_does_not_fit_is_refused_and_the_index_stays(tmp_path: Path) -> None:
    file = tmp_path / "index.db"
    index = SqlitePassages(file)
    await fill(index, [HARBOUR])
    twice = chunk_document(GUILD)[:1] * 2
    with pytest.raises(UserError, match="does not take it"):
        await index.write([Fresh(key=GUILD.key, source="s", digest="d", chunks=twice)], [], {}, "")
    assert not (tmp_path / "index.db.damaged").exists()
    assert (await index.stats()).documents == 1


async def test_one_bad_entry_costs_no_other_pack_its_place(tmp_path: Path) -> None:
    index = SqlitePassages(tmp_path / "index.db")
    # Another document already has passages of these names.
    taken = Fresh(key="other:guild", source="old", digest="d", chunks=chunk_document(GUILD))
    await index.write([taken], [], {}, "")
    done = await fill(index, [GUILD, HARBOUR], HashedWords())
    (note,) = done.notes
    assert note.startswith("the pack neo: its entry neo:guild cannot be searched")
    assert done.documents == 1
    seen = await searching(index).search(LoreRetrievalQuery(keywords="smugglers"), PLAYER)
    assert seen.chunks[0].chunk_id == "coast:harbour:overview"
    assert (await index.stats("shelf", HashedWords().name)).without_vector == 0
    assert not (tmp_path / "index.db.damaged").exists()


async def test_packs_that_share_an_index_are_all_searched(tmp_path: Path) -> None:
    home = tmp_path / "home"
    shelf = PackShelf(home)
    for title in ("Hidden", "Threads"):
        folder = rules_pack(tmp_path / title, title)
        write(folder, {"pack.yaml": manifest(title.lower())})
        shelf.install(folder)
    index = SqlitePassages(tmp_path / "index.db")
    books = Books(shelf, lambda name: index, HandClock())
    reader = await books.retriever(books.newest())
    assert reader is not None
    assert (await index.stats()).documents == 4
