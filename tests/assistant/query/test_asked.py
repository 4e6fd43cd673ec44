"""What a clause asks for: kinds of answers, sums, slips, lists of notes, yes and no; over a page and
notes made here."""

import json
from pathlib import Path

import pytest

from freeform.assistant.entities.table import NameTable
from freeform.assistant.follow_up import split_clauses, whole_question, with_what_it_leans_on
from freeform.assistant.model import Asking, Name, Tool
from freeform.assistant.notes.markdown import read_notes
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.query.asked.kind import is_told
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.desk import QueryDesk, desk_for
from freeform.assistant.query.find import find
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.source import SheetSource
from freeform.language.slips import mended
from freeform.wiring.ear import near_texts, near_words

PAGE = """# Wilmo Harrow
**Race:** Halfling · **Class:** Rogue 3 · **XP:** 1,000
**STR** 10 **DEX** 16 **CON** 12 **INT** 12 **WIS** 10 **CHA** 14
**HP:** 20 max, 13 now · **AC:** 14 (leather 11 + dex 3)

## Gear
**Satchel**
- 2 flasks of lamp oil
- Tin of 20 fishhooks
**On the donkey**
- 3 flasks of lamp oil

**Coins:** 2 pp, 5 gp, 30 sp

## Backstory
My sister runs the mill in Addle. My brother Tobin went to sea.
"""
NOTES = """# Session 1 - The cold mill
We came to Addle on the 3rd. The miller, Gert Sorrow, hired us.

loot
- copper ring -> Wilmo
- a short cloak -> Brenna

**Loose ends**
- Who broke the wheel?

We went to bed.

# Session 2 - Rats
- the cellar was full of rats
- loot
  - a silver spoon (Wilmo), two candles (Brenna)
- She gave the spoon to Gert Sorrow in the end

We climbed into the hayloft and stopped there for the night.
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> QueryDesk:
    file = tmp_path_factory.mktemp("notes") / "notes.md"
    file.write_text(NOTES, encoding="utf-8")
    sheet = SheetSource(read_sheet(PAGE.encode(), "wilmo.md"))
    sources = [sheet, NotesSource(read_notes(file))]
    return desk_for(sources, {}, Asking(), near_words, near_texts)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what is all my money worth in gold?", "28 gp"),
        ("how many flasks of lamp oil do I have?", "5 (2 in the Satchel, 3 in the Donkey)"),
        ("how many flsks of lamp oil do i have", "**flasks of lamp oil**: 5"),
        ("what is my brother called?", "Tobin"),
        ("how much life have I got left?", "13 of 20 left, 7 gone"),
        ("What is my armor class?", "leather 11 + dex 3"),
        ("where did we stop last time?", "hayloft"),
        ("what treasure went to Brenna?", "two candles (Brenna)"),
        ("Winter was long. How many flasks of lamp oil do I have?", "**flasks of lamp oil**: 5"),
    ],
)
def test_an_answer_tells_what_is_asked_for(question: str, said: str, desk: QueryDesk) -> None:
    lines = [line.text for finding in find(question, desk, [], []) for line in finding.lines]
    assert said in "\n".join(lines)


@pytest.mark.parametrize(
    "question", ["what is my sister called?", "how old am I?", "what does my sister say?"]
)
def test_a_sentence_without_what_is_asked_for_is_no_answer(question: str, desk: QueryDesk) -> None:
    (finding,) = find(question, desk, [], [])
    assert not finding.known


def test_what_went_to_one_does_not_list_what_went_to_another(desk: QueryDesk) -> None:
    (finding,) = find("list the loot that went to Wilmo", desk, [], [])
    text = "\n".join(line.text for line in finding.lines)
    assert "copper ring" in text and "silver spoon" in text
    assert "cloak" not in text and "candles" not in text


def test_loose_ends_are_open_and_prose_after_a_list_is_no_part_of_it(tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text(NOTES, encoding="utf-8")
    notes = {note.text: note for note in read_notes(file)}
    assert notes["Who broke the wheel?"].status == "open"
    assert notes["We went to bed."].kind == "session"
    assert notes["She gave the spoon to Gert Sorrow in the end"].kind == "session"


@pytest.mark.parametrize(
    ("question", "past"),
    [
        ("who took the ledger", True),
        ("where did we leave the boat", True),
        ("who is the miller", False),
        ("what does a torch cost", False),
    ],
)
def test_what_happened_is_told_from_what_is_so(question: str, past: bool) -> None:
    assert is_told(AskedClause(question)) is past


def test_a_favour_is_no_yes_or_no() -> None:
    assert not AskedClause("list my spells will you").asks_whether
    assert AskedClause("if I walk up to him do I get advantage").asks_whether


def test_a_sentence_before_the_question_is_not_asked() -> None:
    (part,) = split_clauses("All pies have been eaten. How many rations do I own?")
    assert part.alone == "How many rations do I own?" and "pies" in part.whole


def test_a_slip_is_mended_only_where_one_word_fits() -> None:
    known = ["shield", "shields", "arrow", "marrow"]
    assert mended("sheild", known) == "shield"
    assert mended("arow", known) == "arrow"
    assert mended("shiels", known) == ""


def test_a_follow_up_stands_in_the_place_of_what_it_is_like() -> None:
    assert whole_question("and a long one", ["how long is a short rest"], {}) == (
        "how long is a long rest"
    )
    after = whole_question("and by day?", ["how many guards are there at night?"], {}, near_words)
    assert after == "how many guards are there at day?"


def test_data_of_no_known_make_keeps_places_and_uses() -> None:
    document = {
        "name": "Ossa",
        "class": "Cleric",
        "level": 2,
        "abilities": dict.fromkeys(("str", "dex", "con", "int", "wis", "cha"), 12),
        "ac": {
            "total": 15,
            "parts": [{"from": "Mail", "value": 13}, {"from": "Buckler", "value": 2}],
        },
        "hp": {"max": 16, "current": 9},
        "features": [{"name": "Holy Sign", "uses": {"max": 3, "used": 1, "per": "long rest"}}],
        "inventory": [
            {"name": "Rope", "qty": 1, "where": "sack"},
            {"name": "Candle", "qty": 4, "where": "sack"},
            {"name": "Candle", "qty": 2, "where": "pocket"},
        ],
    }
    sheet = SheetSource(read_sheet(json.dumps(document).encode(), "ossa.json"))
    made = desk_for([sheet], {}, Asking(), near_words, near_texts)

    def told(question: str) -> str:
        return "\n".join(line.text for each in find(question, made, [], []) for line in each.lines)

    assert "6 (4 in the Sack, 2 in the Pocket)" in told("How many candles do I have?")
    assert "2 of 3 left" in told("How many uses of Holy Sign are left?")
    assert "Mail 13, Buckler 2" in told("What is my armor class?")


@pytest.mark.parametrize(
    ("line", "name", "shown"),
    [
        ("Longbow 150/600", "Longbow", "150/600"),
        ("Crossbow bolts 20, 80/320", "Crossbow bolts", "20, 80/320"),
        ("- **Nerve:** -3, 5 by day", "Nerve", "-3, 5 by day"),
        ("Luck points 2 of 3", "Luck points", 2),
        ("Sanity 44", "Sanity", "44"),
    ],
)
def test_two_numbers_are_so_many_of_so_many_only_where_the_page_says_so(
    line: str, name: str, shown: str | int
) -> None:
    page = f"# Wilmo\nRogue 3\nSTR 10 DEX 16 CON 12 INT 12 WIS 10 CHA 14\nHP: 20\n\n{line}\n"
    made = desk_for([SheetSource(read_sheet(page.encode(), "wilmo.md"))], {}, Asking())
    rows = {row.name: row.fields for row in made.sheet_rows}
    assert rows[name]["value"] == shown
    assert rows[name].get("max") == (3 if shown == 2 else None)


def test_a_reader_hears_what_a_follow_up_leans_on() -> None:
    before = ["who lives in Thorn Hollow?", "what did I say I would bring her"]
    assert with_what_it_leans_on("and when by", before, {}) == (
        "who lives in Thorn Hollow? what did I say I would bring her? when by"
    )
    assert with_what_it_leans_on("how far is Ulm", before, {}) == ""
    assert with_what_it_leans_on("and when by", [], {}) == ""


def test_it_stands_for_the_thing_and_not_for_what_was_asked_of_it() -> None:
    ghost = Name(name="Ghost", tool="rulebook", section="rulebook.monsters", kind="monster")
    armor = Name(name="Armor Class", tool="character_data", section="combat_stats", kind="stat")
    tables: dict[Tool, NameTable] = {
        "rulebook": NameTable([ghost]),
        "character_data": NameTable([armor]),
    }
    before = ["What is the armor class of a ghost?"]
    whole = whole_question("Which conditions can never affect it?", before, tables)
    assert whole == "Which conditions can never affect ghost?"
