"""The order in which the shelf answers."""

from freeform.engine.shelf.pack_install import cited_first
from freeform.retrieval.model import Passage


def passage(id: str, name: str, book: str = "") -> Passage:
    about = {"section_path": name, "book": book, "page": 95 if book else 0}
    return Passage(
        chunk_id=id, text="", relevance_score=1.0, source="authored", pack_id="p", metadata=about
    )


def test_of_one_name_the_passage_with_a_page_behind_it_comes_first_and_nothing_else_moves() -> None:
    found = [passage("a", "Grappling"), passage("b", "Grappling", "A Book"), passage("c", "Grappled"),
             passage("d", "Grappling hook", "A Book")]  # fmt: skip
    assert [each.chunk_id for each in cited_first(found)] == ["b", "a", "c", "d"]
