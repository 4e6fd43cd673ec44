"""The SRD as people have it becomes a rulebook: counts against the JSON itself, texts against each other."""

import json
from collections import Counter
from pathlib import Path

import pytest

from freeform.assistant.rulebook.blocks import blocks_of_html, blocks_of_markdown
from freeform.assistant.rulebook.bring import (
    kind_of_rulebook,
    manifest_of,
    read_rulebook,
    write_rulebook,
)
from freeform.assistant.rulebook.model import ATTRIBUTION, Book, RuleEntry
from freeform.assistant.rulebook.text_book import entries_of
from freeform.core.errors import BadFile
from freeform.core.text import slug
from freeform.packs.folder.load import load_pack


@pytest.fixture(scope="module")
def from_json(data: Path) -> Book:
    return read_rulebook(data / "srd" / "json")


@pytest.fixture(scope="module")
def from_html(data: Path) -> Book:
    return read_rulebook(data / "srd" / "srd-5.1.html")


@pytest.fixture(scope="module")
def from_markdown(data: Path) -> Book:
    return read_rulebook(data / "pdf" / "srd51" / "twin")


def named(book: Book, *kinds: str) -> dict[str, RuleEntry]:
    return {slug(entry.name): entry for entry in book.entries if entry.kind in kinds}


def test_every_row_of_the_json_is_an_entry(from_json: Book, data: Path) -> None:
    def rows(name: str) -> int:
        return len(json.loads((data / "srd" / "json" / f"5e-SRD-{name}.json").read_bytes()))

    counts = Counter(entry.kind for entry in from_json.entries)
    assert counts["spell"] == rows("Spells")
    assert counts["monster"] == rows("Monsters")
    assert counts["magic_item"] == rows("Magic-Items")
    assert sum(counts[kind] for kind in ("weapon", "armor", "gear", "tool")) == rows("Equipment")
    assert counts["condition"] == rows("Conditions")
    assert counts["class"] == rows("Classes") and counts["subclass"] == rows("Subclasses")
    assert counts["race"] == rows("Races") + rows("Subraces") and counts["trait"] == rows("Traits")
    assert counts["skill"] == rows("Skills") and counts["ability"] == rows("Ability-Scores")
    assert from_json.notes == []


def test_a_class_has_its_twenty_levels(from_json: Book, data: Path) -> None:
    levels = json.loads((data / "srd" / "json" / "5e-SRD-Levels.json").read_bytes())
    plain = Counter(row["class"]["index"] for row in levels if "subclass" not in row)
    for entry in from_json.entries:
        if entry.kind == "class":
            assert len(entry.data["levels"]) == plain[slug(entry.name)]
            assert entry.body.count("\n## Level ") - 1 == plain[slug(entry.name)], (
                "the table, and one for each level"
            )


def test_the_html_has_what_the_json_has(from_json: Book, from_html: Book) -> None:
    for kind, most in (("spell", 0), ("weapon", 0), ("condition", 0), ("class", 0)):
        assert len(named(from_json, kind).keys() - named(from_html, kind).keys()) <= most, kind
    # Shapechangers have one block in the book and three in the JSON; some namesakes are turned round.
    assert len(named(from_json, "monster").keys() - named(from_html, "monster").keys()) <= 30
    assert len(named(from_html, "magic_item")) >= 235


def test_the_html_says_of_spells_and_monsters_what_the_json_says(
    from_json: Book, from_html: Book
) -> None:
    spells, told = named(from_json, "spell"), named(from_html, "spell")
    assert [n for n, e in spells.items() if e.data["level"] != told[n].data["level"]] == []
    # In the school of three spells the JSON and the book really differ.
    assert len([n for n, e in spells.items() if e.data["school"] != told[n].data["school"]]) <= 3
    # The HTML leaves names out of its lists by class; what it has is right.
    wrong = [
        n
        for n, e in told.items()
        if not set(e.data.get("classes", [])) <= set(spells[n].data["classes"])
    ]
    assert len(wrong) <= 8, wrong
    monsters, theirs = named(from_json, "monster"), named(from_html, "monster")
    same = monsters.keys() & theirs.keys()
    wrong = [
        n
        for n in same
        if any(monsters[n].data.get(k) != theirs[n].data.get(k) for k in ("ac", "hp", "cr"))
    ]
    assert len(wrong) <= 5, wrong


def test_the_markdown_has_the_spell_lists_of_the_classes(
    from_json: Book, from_markdown: Book
) -> None:
    ours, theirs = named(from_json, "spell"), named(from_markdown, "spell")
    same = ours.keys() & theirs.keys()
    wrong = [
        n for n in same if set(ours[n].data["classes"]) != set(theirs[n].data.get("classes", []))
    ]
    assert len(wrong) <= 8, wrong


def test_markdown_reads_as_the_html_does(from_html: Book, from_markdown: Book) -> None:
    for kind in ("condition", "class", "weapon", "armor"):
        assert named(from_markdown, kind).keys() == named(from_html, kind).keys(), kind
    assert len(named(from_markdown, "spell")) >= 300 and len(named(from_markdown, "monster")) >= 310
    assert from_markdown.license == "ogl", "that copy came under the older licence, and says so"


def test_the_pack_carries_edition_and_attribution_on_every_page(
    from_json: Book, tmp_path: Path
) -> None:
    few = Book(name="SRD 5.1", edition="5.1", entries=from_json.entries[::40], source="x")
    pack = load_pack(write_rulebook(few, tmp_path))
    assert (pack.errors, pack.warnings) == ([], [])
    assert pack.manifest.license and pack.manifest.license.attribution == ATTRIBUTION["5.1"]
    assert {entry.extra["edition"] for entry in pack.entries} == {"5.1"}
    assert len(pack.entries) == len(few.entries)
    assert all("5.1" in entry.tags for entry in pack.entries)


def test_the_same_book_written_twice_is_the_same_pack(from_html: Book, tmp_path: Path) -> None:
    few = Book(name="SRD 5.1", edition="5.1", entries=from_html.entries[::60], source="x")
    one, two = write_rulebook(few, tmp_path / "a"), write_rulebook(few, tmp_path / "b")
    assert load_pack(one).digest == load_pack(two).digest


NEWER = """# System Reference Document 5.2
## Spells
### Ember
*Level 2 Evocation (Sorcerer, Wizard)*

**Casting Time:** Action

**Range:** 60 feet

**Duration:** Instantaneous

Each creature makes a Dexterity Saving Throw. It takes 3d6 Fire damage.

## Rules Glossary
### Prone
You crawl. Armor Class and Hit Points stay as they are.
"""


def test_the_newer_edition_is_told_by_the_text(tmp_path: Path) -> None:
    file = tmp_path / "srd.md"
    file.write_text(NEWER)
    book = read_rulebook(file)
    spell = named(book, "spell")["ember"]
    assert (book.edition, manifest_of(book).id) == ("5.2", "srd_5_2")
    assert (spell.data["level"], spell.data["school"], spell.data["classes"]) == (
        2,
        "evocation",
        ["sorcerer", "wizard"],
    )
    assert spell.data["damage"] == ["fire"]
    assert "prone" in named(book, "condition")


def test_what_is_no_rulebook_is_none(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Session 1\nWe met.")
    (tmp_path / "page.html").write_text("<p>hello</p>")
    (tmp_path / "list.json").write_text('[{"name": "x"}]')
    (tmp_path / "half.json").write_text('[{"index": "x", "na')
    for name in ("notes.md", "page.html", "list.json", ""):
        assert kind_of_rulebook(tmp_path / name) == ""
    with pytest.raises(BadFile, match="no rulebook we know"):
        read_rulebook(tmp_path / "notes.md")
    with pytest.raises(BadFile, match="JSON"):
        read_rulebook(tmp_path / "half.json")


def test_a_row_of_an_unknown_shape_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    rows = [
        {"index": "a", "name": "A", "url": "/api/2014/spells/a", "level": "what"},
        {"index": "b", "name": "B", "url": "/api/2014/spells/b", "level": 1, "school": {"name": "Evocation"},
         "casting_time": "1 action", "range": "60 feet", "duration": "1 minute", "desc": ["It burns."]},
    ]  # fmt: skip
    (tmp_path / "spells.json").write_text(json.dumps(rows))
    book = read_rulebook(tmp_path / "spells.json")
    assert ([e.name for e in book.entries], len(book.notes)) == (["B"], 1)


def test_html_and_markdown_of_the_same_text_give_the_same_blocks() -> None:
    html = "<h1>One</h1><p>A <b>bold</b> word.</p><ul><li>x</li><li>y</li></ul><h2>Two</h2><p><em>thin </em>end</p>"
    text = "# One\n\nA **bold** word.\n\n- x\n\n- y\n\n## Two\n\n*thin* end\n"
    ours = [(b.level, b.heading, b.text) for b in blocks_of_html(html)]
    assert ours == [(b.level, b.heading, b.text) for b in blocks_of_markdown(text)]


def test_prices_in_tables_become_things_even_when_the_table_is_broken_in_two() -> None:
    text = (
        "## Weapons\n\n| Name | Cost | Damage |\n|---|---|---|\n| *Simple* | | |\n| Club | 1 sp | 1d4 bludgeoning |\n\n"
        "| Dagger | 2 gp | 1d4 piercing |\n|---|---|---|\n"
    )
    things = {e.name: e for e in entries_of(blocks_of_markdown(text)) if e.kind == "weapon"}
    assert {name: e.data["cost_gp"] for name, e in things.items()} == {"Club": 0.1, "Dagger": 2.0}
