"""Wikis that are not MediaWiki, and pages that are no wiki's at all: their facts are read all the same."""

import pytest

from freeform.adapters.web.main_content import main_content
from freeform.lore.ports import WebPage
from freeform.lore.read.page_reader import kind_of, read_page
from freeform.lore.read.values import Names

URL = "https://fens.example/Blackfen"
REED, SALT = '<a href="/Reedwater">Reedwater</a>', '<a href="/Salt_Coast">Salt Coast</a>'
FOOT = "<footer>Content is available under CC-BY-SA 4.0.</footer>"
BOXES = {
    "definitions": f"<dl><dt>Kind</dt><dd>Region</dd><dt>Borders</dt><dd>{REED}</dd><dd>{SALT}</dd><dt>Inhabitants</dt>"
    "<dd>about 3,000</dd></dl>",
    "table": f"<table><tr><th colspan=2>Blackfen</th></tr><tr><th>Region type</th><td>Region</td></tr><tr><th>Adjacent "
    f"regions</th><td>{REED}<br>{SALT}</td></tr><tr><th>Inhabitants</th><td>about 3,000</td></tr></table>",
    "aside": f"<aside class='portable-infobox'><div class='pi-item'><h3 class='pi-data-label'>Type</h3><div class='pi-data-"
    f"value'>Region</div></div><div class='pi-item'><h3 class='pi-data-label'>Neighbours</h3><div class='pi-data-value'>{REED},"
    f" {SALT}</div></div><div class='pi-item'><h3 class='pi-data-label'>Inhabitants</h3><div class='pi-data-value'>about 3,000"
    "</div></div></aside>",
}  # fmt: skip


def page(box: str, words: str = "Blackfen is a marsh where nothing burns twice.") -> WebPage:
    body = f"<nav><a href='/Forum'>Forum</a></nav><main><h1>Blackfen</h1>{box}<p>{words}</p></main>{FOOT}"
    return main_content(
        f"<html><head><title>Blackfen - Fens</title></head><body>{body}</body></html>", URL
    )


@pytest.mark.parametrize("layout", BOXES)
def test_a_list_or_table_that_a_page_begins_with_is_its_infobox(layout: str) -> None:
    read = page(BOXES[layout])
    assert kind_of(read).kind == "zone" and read.licence == "CC-BY-SA 4.0"
    said = {(claim.predicate, claim.value) for claim in read_page(read, Names())}
    assert {
        ("connects_to", "Reedwater"),
        ("connects_to", "Salt Coast"),
        ("population", "about 3,000"),
    } <= said
    assert not [value for predicate, value in said if predicate == "npc"], "a count names nobody"


def test_prose_under_a_telling_heading_names_what_it_links_to() -> None:
    tower = "<h2>Landmarks</h2><p>Travellers visit <a href='/Gull_Tower'>Gull Tower</a>.</p>"
    read = page(BOXES["definitions"] + tower)
    assert ("place", "Gull Tower") in {
        (claim.predicate, claim.value) for claim in read_page(read, Names())
    }


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Blackfen is a guild of ferrymen and river traders.", "faction"),
        ("Blackfen is a mining town in the hills.", "lore"),
        ("Blackfen is the harbourmaster of Reedwater. She wants to end the fog.", "npc"),
    ],
)
def test_without_any_structure_the_first_words_say_what_a_page_is_about(
    words: str, kind: str
) -> None:
    long = (
        " The reeds stand higher than a man on horseback, and the wind never leaves them alone for an hour."
        * 3
    )
    found = kind_of(page("", words + long + f" From here one sees {REED}."))
    assert (found.kind, found.sure) == (kind, False)


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        (
            "<div class='mw-parser-output'><table><tr><td><table><tr><td>Fen</td></tr></table></td></tr><tr><td><table>"
            "<tr><td><b>Depth</b></td><td>5</td></tr><tr><td><b>Way in</b></td><td>Mere</td></tr></table></td></tr>"
            "</table><p>Words.</p></div>",
            [("Depth", "5"), ("Way in", "Mere")],
        ),
        (
            "<main id='dokuwiki__content'><div id='dw__toc'><h3>Table of Contents</h3></div><h1>Fen</h1><table><tr>"
            "<th>Held by</th><td><a href='/doku.php?id=reed_folk' title='reed_folk'>Reed Folk</a></td></tr></table>"
            "<h2>Towns</h2><ul><li>Mere town by the water</li></ul></main>",
            [("Held by", "Reed Folk")],
        ),
        (
            "<article><h1>Fen</h1><dl><dt>Floors</dt><dd>2</dd><dt>Ways on</dt><dd>Mere</dd></dl><p>Words.</p></article>"
            "<aside><table><tr><th>Other</th><td>not the page</td></tr></table></aside>",
            [("Floors", "2"), ("Ways on", "Mere")],
        ),
    ],
    ids=["a table in a table", "one row of a DokuWiki", "definitions of an article"],
)  # fmt: skip
def test_facts_are_found_without_any_class_that_names_them(
    html: str, rows: list[tuple[str, str]]
) -> None:
    found = main_content(f"<html><head><title>Fen</title></head><body>{html}</body></html>", URL)
    assert found.infobox and [(row.label, row.value) for row in found.infobox.rows] == rows
    assert [link.title for link in found.links if "doku" in link.url] in ([], ["Reed Folk"])
    assert "Table of Contents" not in found.text and "not the page" not in found.text


def test_lines_of_a_cell_are_separate_values_and_a_notice_is_kept_apart() -> None:
    html = (
        "<main><div class='hatnote'>This page describes the fen before the flood.</div><h1>Who fights whom</h1>"
        "<table><tr><th>Faction</th><th>Foes</th></tr><tr><td>Reed Folk</td><td>Court<br>Salt League</td></tr></table>"
        "</main>"
    )  # fmt: skip
    found = main_content(f"<html><body>{html}</body></html>", URL)
    said = read_page(found, Names())
    assert [(c.subject, c.predicate, c.value) for c in said] == [
        ("Reed Folk", "hostile", "Court"),
        ("Reed Folk", "hostile", "Salt League"),
    ]
    assert {c.era for c in said} == {"before the flood"}
