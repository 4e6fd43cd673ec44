"""How documents are cut."""

from hypothesis import given
from hypothesis import strategies as st

from freeform.core.text import count_tokens
from freeform.retrieval.chunking import FULL, LONG, SHORT, chunk_document
from freeform.retrieval.model import Document, DocumentSection
from tests.retrieval.shelf import DRAGON, VIKTOR, document

PARAGRAPH = (
    "The tide turns slowly here and nobody on the quay remembers why the bell was taken down. " * 4
)


def test_the_overview_and_each_section_become_a_chunk_with_its_path() -> None:
    chunks = chunk_document(DRAGON)
    assert [(chunk.id, chunk.section_path) for chunk in chunks] == [
        ("neo:neon_dragon:overview", "The Neon Dragon"),
        ("neo:neon_dragon:atmosphere", "The Neon Dragon > Atmosphere"),
        ("neo:neon_dragon:history", "The Neon Dragon > History"),
        ("neo:neon_dragon:discoverable", "The Neon Dragon > Discoverable"),
        ("neo:neon_dragon:threads", "The Neon Dragon > Threads"),
    ]
    assert "Couriers" in chunks[2].chunk_text, "the short History and Regulars stand together"


def test_deeper_headings_stay_inside_their_section() -> None:
    sections = [
        DocumentSection(path="Inn", heading="Inn", level=1, text="An inn."),
        DocumentSection(path="Inn > Rooms", heading="Rooms", level=2, text="Four rooms."),
        DocumentSection(path="Inn > Rooms > Attic", heading="Attic", level=3, text="Cold."),
        DocumentSection(
            path="Inn > Rooms > Attic > Chest", heading="Chest", level=4, text="Locked."
        ),
    ]
    inn = Document(pack_id="p", id="inn", type="location", name="Inn", sections=sections)
    chunks = chunk_document(inn)
    assert [chunk.id for chunk in chunks] == ["p:inn:overview", "p:inn:rooms"]
    assert chunks[1].chunk_text == "Four rooms.\n\n### Attic\nCold.\n\n#### Chest\nLocked."


def test_a_secret_below_an_open_section_is_cut_out_of_it() -> None:
    sections = [
        DocumentSection(path="Inn > Rooms", heading="Rooms", level=2, text="Four rooms."),
        DocumentSection(
            path="Inn > Rooms > Trapdoor",
            heading="Trapdoor",
            level=3,
            text="Under the rug.",
            gm_only=True,
        ),
        DocumentSection(path="Inn > Rooms > Below", heading="Below", level=4, text="A ladder."),
        DocumentSection(path="Inn > Rooms > Attic", heading="Attic", level=3, text="Cold."),
    ]
    chunks = chunk_document(
        Document(pack_id="p", id="inn", type="location", name="Inn", sections=sections)
    )
    assert {chunk.id: (chunk.audience, chunk.chunk_text) for chunk in chunks} == {
        "p:inn:rooms": ("all", "Four rooms.\n\n### Attic\nCold."),
        "p:inn:trapdoor": ("gm", "Under the rug.\n\n#### Below\nA ladder."),
    }


def test_a_long_section_is_split_at_paragraphs() -> None:
    long = document("quay", "Quay", "location", [("Story", "\n\n".join([PARAGRAPH.strip()] * 10))])
    chunks = chunk_document(long)
    assert [chunk.id for chunk in chunks][:2] == ["neo:quay:story", "neo:quay:story.2"]
    assert all(200 <= chunk.metadata.token_count <= LONG for chunk in chunks)
    assert all(chunk.chunk_text.endswith("down.") for chunk in chunks)


def test_a_paragraph_without_end_is_split_too() -> None:
    wall = document("wall", "Wall", "location", [("Text", "word " * 5000)])
    chunks = chunk_document(wall)
    assert all(chunk.metadata.token_count <= LONG for chunk in chunks)
    assert " ".join(chunk.chunk_text for chunk in chunks).split() == ["word"] * 5000


def test_sections_of_one_name_get_numbers() -> None:
    text = PARAGRAPH
    twice = document(
        "a", "A", "npc", [("Rumours", text), ("Overview", text), ("Rumours", text)], overview="Who?"
    )
    assert [chunk.id for chunk in chunk_document(twice)] == [
        "neo:a:overview",
        "neo:a:rumours",
        "neo:a:overview_2",
        "neo:a:rumours_2",
    ]


def test_an_entry_without_text_can_still_be_looked_up_by_name() -> None:
    (chunk,) = chunk_document(document("x", "The Nameless Pier", "location", []))
    assert chunk.chunk_text == "The Nameless Pier"


def test_what_an_npc_knows_is_its_own() -> None:
    own = {chunk.heading: (chunk.audience, chunk.known_by) for chunk in chunk_document(VIKTOR)}
    assert own["Knows"] == own["Withholds"] == ("gm", ["neo:viktor"])
    assert own["Disposition"] == ("all", [])


PROSE = st.lists(
    st.sampled_from(["rain", "falls", "on", "iron", "roofs.", "\n\n", "Nobody", "sleeps."]),
    max_size=700,
)
SECTIONS = st.lists(
    st.tuples(st.sampled_from(["Mood", "Past", "Rooms", "Staff"]), PROSE.map(" ".join)), max_size=5
)


@given(SECTIONS)
def test_no_word_is_lost_and_none_stands_twice(sections: list[tuple[str, str]]) -> None:
    chunks = chunk_document(document("d", "D", "location", sections, overview="Start."))
    headings = {"Mood:", "Past:", "Rooms:", "Staff:"}
    cut = [word for chunk in chunks for word in chunk.chunk_text.split() if word not in headings]
    assert cut == ["Start.", *(word for _, text in sections for word in text.split())]
    assert all(count_tokens(chunk.chunk_text) <= LONG + FULL for chunk in chunks)
    assert len({chunk.id for chunk in chunks}) == len(chunks)


@given(st.lists(st.sampled_from([0, 1, 5]), min_size=3, max_size=6), st.data())
def test_growing_a_full_section_moves_no_other_chunk(sizes: list[int], data: st.DataObject) -> None:
    texts = [PARAGRAPH * size if size else "A short line." for size in sizes]
    full = [n for n, size in enumerate(sizes) if size]
    if not full:
        return
    grown = data.draw(st.sampled_from(full))

    def others(change: str) -> dict[str, str]:
        sections = [
            (f"Part {n}", text + (change if n == grown else "")) for n, text in enumerate(texts)
        ]
        chunks = chunk_document(document("d", "D", "location", sections))
        return {c.id: c.chunk_text for c in chunks if not c.id.startswith(f"neo:d:part_{grown}")}

    assert others("") == others("\n\nA new ending. " + PARAGRAPH * 3)


def tokens(count: int) -> str:
    return " ".join(["tide"] * count)


def test_a_section_is_split_above_its_limit_and_not_at_it() -> None:
    def parts(count: int) -> list[int]:
        text = "\n\n".join(tokens(n) for n in (count // 2, count - count // 2))
        chunks = chunk_document(document("quay", "Quay", "location", [("Story", text)]))
        return [chunk.metadata.token_count for chunk in chunks]

    assert parts(LONG) == [LONG]
    assert parts(LONG + 2) == [LONG // 2 + 1] * 2


def test_short_neighbours_are_joined_and_those_of_a_fair_length_are_not() -> None:
    def ids(*counts: int) -> list[str]:
        sections = [(f"Part {n}", tokens(count)) for n, count in enumerate(counts)]
        chunks = chunk_document(document("quay", "Quay", "location", sections))
        return [chunk.id.rpartition(":")[2] for chunk in chunks]

    assert ids(SHORT - 1, SHORT - 1) == ["part_0"]
    assert ids(SHORT, SHORT - 1) == ids(SHORT - 1, SHORT) == ["part_0", "part_1"]
    many = [SHORT - 1] * 10
    assert len(ids(*many)) == 2, "a run is no longer than a chunk should be"


def test_two_sections_of_one_name_are_numbered_and_a_sentence_too_long_is_cut_at_words() -> None:
    twice = [("Story", tokens(60)), ("Story", tokens(60)), ("…", tokens(60))]
    chunks = chunk_document(document("quay", "Quay", "location", twice))
    assert [chunk.id for chunk in chunks] == [
        "neo:quay:story",
        "neo:quay:story_2",
        "neo:quay:section",
    ]
    endless = chunk_document(document("quay", "Quay", "location", [("Story", tokens(900))]))
    assert sum(chunk.metadata.token_count for chunk in endless) == 900
    assert all(FULL / 2 < chunk.metadata.token_count <= LONG for chunk in endless)
