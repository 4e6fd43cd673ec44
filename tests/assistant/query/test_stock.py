"""What is gone and what is left: of hit points and hit dice, of what can be used so often, of the
purse; what a long note or a late one decides."""

from dataclasses import replace

import pytest

from freeform.assistant.model import Asking, Piece, Tool
from freeform.assistant.notes.markdown import notes_of
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.query.asked.money import number_in, sums_in
from freeform.assistant.query.asked.whether import with_yes_or_no
from freeform.assistant.query.clause import AskedClause, Link
from freeform.assistant.query.desk import QueryDesk, desk_for
from freeform.assistant.query.model import Cite, FoundLine, QueryFinding
from freeform.assistant.query.reading.answer import SURE, ReadPiece
from freeform.assistant.query.reading.candidates import WINDOW, windows_of
from freeform.assistant.query.reading.casting import casting_line
from freeform.assistant.query.reading.choice import chosen_findings
from freeform.assistant.query.reading.owed import owed_line
from freeform.assistant.query.reading.stock import stock_line, used_lead
from freeform.assistant.query.rule_query import NamedEntry
from freeform.assistant.rulebook.catalogue import RowPart, RulebookRow
from freeform.assistant.rulebook.source import RulebookSource
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.source import SheetSource
from freeform.language.meaning.reading import PassageRead
from freeform.retrieval.model import LoreRetrievalQuery, LoreRetrievalResult, Viewer
from freeform.wiring.ear import near_texts, near_words, reader

SHEET = """# Tam Brook
Human Fighter 5

STR 16  DEX 12  CON 14  INT 10  WIS 11  CHA 9
AC 17
HP 24 of 38
Hit dice: 1 of 5 left

## People
Wick owes me 15 gp from cards.

## Money
88 gp, 14 sp
"""
NOTES = """# Session 1
- I borrowed 50 gold from Madame Quill at 5 gold a month for the boat.

# Session 2
- Two months stand against me with Madame Quill, so I owe Madame Quill sixty gold now.
"""


def desk(notes: str = NOTES) -> QueryDesk:
    sources = [
        SheetSource(read_sheet(SHEET.encode(), "tam.md")),
        NotesSource(notes_of(notes, "n.md")),
    ]
    return desk_for(sources, {}, Asking(), near_words, near_texts, reader())


def read(text: str, said: str, chance: float, tool: Tool = "session_notes") -> ReadPiece:
    start = text.index(said)
    piece = Piece(id=f"{tool}:{said}", tool=tool, section="x", title="", text=text)
    return ReadPiece(piece, PassageRead(0.0, chance, ((start, start + len(said)),)), chance)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("how many points am i down from full", "**14** = 38 - 24"),
        ("how far below full health am I", "**14** = 38 - 24"),
        ("how many hit dice will I have after a full night's sleep", ""),
        ("how many hit points is Pell short of full", ""),
        ("how far below full health is the troll", ""),
        ("how much damage does my sword do", ""),
        ("what is my armor class", ""),
    ],
)
def test_what_is_missing_to_the_full_and_what_a_night_brings_back(asked: str, said: str) -> None:
    line = stock_line(AskedClause(asked), desk())
    assert (line.text if line else "").startswith(said) and bool(line) == bool(said)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("The character regains spent Hit Dice, up to half of all of them.", "**3** = 1 +2"),
        ("You regain all lost Hit Points and all spent Hit Point Dice.", "**5** = 1 +4"),
        ("At dawn a bell rings.", ""),
    ],
)
def test_hit_dice_come_back_as_the_rulebook_says_and_it_is_cited(rule: str, said: str) -> None:
    row = RulebookRow(
        "made:rest", "made", "Long Rest", "rule", "", "r.md", parts=[RowPart("Long Rest", rule)]
    )
    sources = [SheetSource(read_sheet(SHEET.encode(), "tam.md")), RulebookSource([row], nothing)]
    asked = AskedClause("how many hit dice will I have after a full night's sleep")
    line = stock_line(asked, desk_for(sources, {}, Asking(), near_words, near_texts))
    assert (line.text if line else "").startswith(said) and bool(line) == bool(said)
    assert line is None or line.cites[1].quote == rule


@pytest.mark.parametrize(
    ("asked", "line", "lead"),
    [
        ("can I still use my Second Wind?", "Second Wind: heals 1d10, used 1/1", "No"),
        ("can I still use Lucky, my feat?", "Lucky 3/3 used", "No"),
        ("can I still use Lucky, my feat?", "Lucky 2/3 used", "Yes"),
        ("can I still use my Second Wind?", "Second Wind, back 1/1 after a rest, USED", "No"),
        ("can I still use my wand?", "Wand of Webs, recharge 5/6, spent", "No"),
        ("can I still use my wand?", "Wand of Webs, recharge 5/6", None),
        ("did I already use my Second Wind?", "Second Wind 1 of 2", "Yes"),
        ("can I still use my Rage?", "Rage, 12/20 session, all used", "No"),
        ("can I still use my Second Wind?", "Second Wind, 1 per short rest, USED", "No"),
        ("did I already use my Second Wind?", "Second Wind, 1 per short rest, USED", "Yes"),
        ("can I still use my Second Wind?", "Second Wind (short rest) - still got it", "Yes"),
        ("can I still use my Second Wind?", "Second Wind 0/1", "No"),
        ("can I still use my Second Wind?", "Second Wind heals 1d10 and then some", None),
        ("do I have a red hat?", "Hat, red, USED", None),
    ],
)
def test_a_remark_on_the_sheet_says_whether_something_can_be_used(
    asked: str, line: str, lead: str | None
) -> None:
    found = used_lead(AskedClause(asked), desk(), [read(line, line, 0.4, "character_data")])
    assert (found[0] if found else None) == lead


def test_the_last_word_on_a_debt_holds_and_what_one_is_paid_is_added() -> None:
    asked = AskedClause("what is left of my gold in my purse if I pay Quill what I owe her?")
    line = owed_line(asked, desk(), [])
    assert line is not None and line.text.startswith("**28 gp** would be left")
    assert "sixty" in line.cites[0].quote
    paid = AskedClause("how much gold do I have in my purse if Wick pays what he owes me?")
    line = owed_line(paid, desk(), [])
    assert line is not None and line.text.startswith("**103 gp** = 88 gp + 15 gp")


@pytest.mark.parametrize(
    ("noted", "asked", "said"),
    [
        ("3 Jan. We met Odile Crake on day 3.", "If Odile pays me, how much gold do I have?", ""),
        ("I owe Sunniva 25 gp.\n- I paid Sunniva back 10 gp.",
         "How much gold is left if I pay Sunniva what I still owe her?", ""),
        ("I owe Sunniva 25 gp.", "Can I pay Sunniva 12.50 gp?",
         "Yes: you have 88 gp, and it comes to 12.5 gp"),
        ("We slept.", "How much gold will I have left if I pay 12 gp and 50 sp?",
         "**71 gp** would be left"),
        ("I owe Marrow 12.50 gp.", "how much gold is left if I pay Marrow what I owe?",
         "**75.5 gp** would be left"),
    ],
)  # fmt: skip
def test_a_price_is_what_is_said_to_be_owed_and_no_other_number(
    noted: str, asked: str, said: str
) -> None:
    line = owed_line(AskedClause(asked), desk(f"# Session 1\n- {noted}\n"), [])
    assert bool(line) == bool(said) and (line.text if line else "").startswith(said)


def test_sums_are_read_in_figures_and_in_words() -> None:
    for text, coppers in {
        "a hundred and twenty gold, 1,200 gp and thirty-five silver": [12_000, 120_350],
        "12.50 gp": [1250],
        "5 gp, 8 sp and 2 cp": [582],
        "3 golden rings, two silvered daggers and 20 gp": [2000],
        "5-10 gp, 5 to 10 gp, one two three gp": [],
    }.items():
        assert [each.copper for each in sums_in(text)] == coppers
    assert number_in("5-10") is None and number_in("12.5 now") == 12.5
    assert number_in("sixty now") == 60 and number_in("two of three") is None


def test_a_diary_that_runs_on_is_read_in_stretches_that_miss_nothing() -> None:
    told = " ".join(
        f"we went to place{at} and saw thing{at}, so that was day{at}." for at in range(30)
    )
    piece = Piece(id="n", tool="session_notes", section="x", title="", text=told)
    windows = windows_of([piece])
    assert len(windows) > 4 and all(len(each.text.split()) <= WINDOW for each in windows)
    assert all(each.text in told for each in windows)
    assert {word for each in windows for word in each.text.split()} == set(told.split())


def test_a_long_note_with_all_the_words_does_not_stand_before_what_is_read() -> None:
    long = "Osk said that the bell was sold. " * 8
    note = Piece(id="n", tool="session_notes", section="x", title="", text=long)
    found = QueryFinding("session_notes", [FoundLine(long, (Cite(note),))], 1.0)
    sure = [read("Marn sold the bell.", "Marn", SURE)]
    told = chosen_findings(AskedClause("who sold the bell"), desk(), [found], sure)
    assert told[0].lines[0].text.startswith("**Marn**")


@pytest.mark.parametrize(("session", "lead"), [(3, "No."), (1, "Yes.")])
def test_only_a_later_note_that_denies_outweighs_what_was_believed(session: int, lead: str) -> None:
    believed = read("We killed the baron at the old bridge.", "killed the baron", 0.4)
    denied = read("We did not kill the baron; he fled.", "did not kill the baron", 0.2)
    both = [in_session(2, believed), in_session(session, denied)]
    (found,) = chosen_findings(AskedClause("did we kill the baron"), desk(), [], both)
    assert found.lines[0].text.startswith(lead)


def in_session(number: int, read: ReadPiece) -> ReadPiece:
    return replace(read, piece=read.piece.model_copy(update={"data": {"session": number}}))


@pytest.mark.parametrize(
    ("asked", "lead"),
    [
        ("Did Pell kill Tam?", ""),
        ("Did Pell kill Iriz?", "Yes."),
        ("Was Iriz killed by Pell?", "Yes."),
        ("Did Iriz kill Pell?", ""),
    ],
)
def test_a_sentence_decides_only_of_those_whom_it_names_in_that_part(asked: str, lead: str) -> None:
    told = "Iriz was killed by Pell on the barge."
    note = Piece(id="n", tool="session_notes", section="x", title="", text=told)
    found = QueryFinding("session_notes", [FoundLine(told, (Cite(note),))], 1.0)
    text = with_yes_or_no(AskedClause(asked), found).lines[0].text
    assert text.startswith(lead or told)


def nothing(query: LoreRetrievalQuery, viewer: Viewer) -> LoreRetrievalResult:
    raise AssertionError("nothing is searched")


@pytest.mark.parametrize(("level", "lead"), [(3, "No:"), (0, "Yes:")])
def test_beside_a_spell_that_takes_a_bonus_action_only_a_cantrip_is_cast(
    level: int, lead: str
) -> None:
    said = {
        "Quick Mercy": ("spell", 1, "Quick Mercy. Casting time: 1 bonus action."),
        "Ember Rain": ("spell", level, "Ember Rain. Casting time: 1 action."),
        "Bonus Action Spells": (
            "rule",
            0,
            "After a spell cast as a bonus action the only other spell of that turn is a cantrip.",
        ),
    }
    rows = [
        RulebookRow(f"made:{name}", "made", name, kind, "", "s.md", data={"level": of},
            parts=[RowPart(name, text)])
        for name, (kind, of, text) in said.items()
    ]  # fmt: skip
    sheet = SheetSource(read_sheet(SHEET.encode(), "tam.md"))
    desk = desk_for([sheet, RulebookSource(rows, nothing)], {}, Asking(), near_words, near_texts)
    clause = AskedClause("can I cast Quick Mercy and Ember Rain in the same turn?")
    named = [NamedEntry(Link(3, 2), [rows[0]], True), NamedEntry(Link(6, 2), [rows[1]], True)]
    line = casting_line(clause, desk, named)
    assert line is not None and line.text.startswith(lead)
    assert "cantrip" in line.cites[0].quote
