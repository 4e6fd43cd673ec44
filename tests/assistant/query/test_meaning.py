"""Rules and notes in other words than their own: found by meaning, told when likely, compared."""

from pathlib import Path

import pytest

import freeform.evals.suites.answers as answers
from freeform.assistant.model import Asking
from freeform.assistant.notes.markdown import notes_of
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.notes.timeline import sessions_of
from freeform.assistant.query.clause import AskedClause, Link
from freeform.assistant.query.desk import desk_for
from freeform.assistant.query.find import find
from freeform.assistant.query.passage import Passages
from freeform.assistant.query.prose import told_rules
from freeform.assistant.query.reading.casting import casting_line
from freeform.assistant.query.rule_query import NamedEntry, RuleBook
from freeform.assistant.rulebook.catalogue import RowPart, RulebookRow
from freeform.assistant.rulebook.semantic_match import AskedRule, RuleMeaning, sureness
from freeform.assistant.rulebook.source import RulebookSource
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.source import SheetSource
from freeform.language.ear import no_text_near, nothing_near
from freeform.language.inflection import lemma
from freeform.retrieval.model import LoreRetrievalQuery, LoreRetrievalResult, Viewer
from freeform.wiring.ear import near_texts, near_words

PROSE = {
    "Leaping": "A leap over a ditch carries you as many feet as you have strength.",
    "Drowning": "Without air you hold your breath a minute, then you choke and fall.",
    "Resting": "Sleep for eight hours and wounds close; a watch of two hours does not spoil it.",
    "Haggling": "A merchant lowers the price by a tenth if you win a contest of words.",
}
PLACE = Path(answers.__file__).parent


def rows() -> list[RulebookRow]:
    return [
        RulebookRow(
            f"made:{name.lower()}", "made", name, "rule", "", f"rules/{name.lower()}.md",
            parts=[RowPart(name, text)], path=f"Rules > {name}",
        )
        for name, text in PROSE.items()
    ]  # fmt: skip


async def nothing(query: LoreRetrievalQuery, viewer: Viewer) -> LoreRetrievalResult:
    return LoreRetrievalResult(chunks=[])


def ranked(question: str) -> list[str]:
    asked = AskedRule(question, [(lemma(word), word) for word in question.lower().split()])
    meant = RuleMeaning(rows()).ranked(asked, near_words, near_texts)
    return [each.place.row.name for each in meant]


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("how far can I jump", "Leaping"),
        ("what if I cannot breathe in the lake", "Drowning"),
        ("can I talk the shopkeeper down", "Haggling"),
    ],
)
def test_a_rule_is_found_that_shares_no_word_with_the_question(question: str, meant: str) -> None:
    assert ranked(question)[0] == meant


def test_what_no_rule_says_is_less_sure_than_what_one_does() -> None:
    book = RuleMeaning(rows())

    def sure(question: str) -> float:
        asked = AskedRule(question, [(lemma(word), word) for word in question.lower().split()])
        return sureness(book.ranked(asked, near_words, near_texts))

    assert sure("how many feet does a leap carry me") > 0.5 > sure("who is the queen's cousin")


def test_where_nothing_knows_meaning_no_rule_is_guessed() -> None:
    asked = AskedRule("how far can I jump", [("jump", "jump")])
    assert RuleMeaning(rows()).ranked(asked, nothing_near, no_text_near) == []
    assert sureness([]) == 0.0


@pytest.mark.parametrize(
    ("sure", "begins", "known"),
    [
        (0.1, "Not known", False),
        (0.3, "No rule says this outright. The nearest:", False),
        (0.6, "**Leaping**", True),
    ],
)
def test_how_a_rule_is_told_follows_how_likely_it_answers(
    sure: float, begins: str, known: bool
) -> None:
    book = RuleBook(RulebookSource(rows(), nothing), "player", "")
    pieces = [piece for row in rows() if (piece := book.piece(row))]
    finding = told_rules(AskedClause("how far can I jump"), Passages(pieces, near_words), sure)
    assert finding.lines[0].text.startswith(begins) and finding.known is known
    assert all(line.cites for line in finding.lines[1:])


def test_sessions_are_told_by_whatever_word_a_file_counts_with() -> None:
    text = "our game\n\nABEND 1 - 3.10.2026\n- met Voss\n\nABEND 2 - 17.10.2026\n- the dog bit us\n"
    marks = sessions_of(notes_of(text, "memo.md"))
    assert [(mark.number, mark.date) for mark in marks] == [(1, "2026-10-03"), (2, "2026-10-17")]


def test_numbers_that_neither_rise_nor_fall_count_nothing() -> None:
    text = "Room 4 is wet\n\nRoom 2 is dry\n\nRoom 4 again\n"
    assert sessions_of(notes_of(text, "memo.md")) == []


@pytest.mark.parametrize(
    ("note", "differs"),
    [
        ("my AC is now 13, the strap broke", True),
        ("AC 18 as ever", False),
        ("Brunhild has AC 21 in her new plate", False),
    ],
)
def test_notes_that_state_another_value_of_the_same_thing_are_told_beside_it(
    note: str, differs: bool
) -> None:
    notes = NotesSource(notes_of(f"# Session 2\n- {note}\n", "s2.md"))
    sheet = SheetSource(read_sheet((PLACE / "sheets" / "ilva.json").read_bytes(), "ilva.json"))
    desk = desk_for([sheet, notes], {}, Asking())
    (finding,) = find("What's my armor class?", desk, [], [])
    told = [line.text for line in finding.lines]
    assert any("18" in line for line in told)
    assert any("Your notes differ" in line and "13" in line for line in told) is differs


CASTER = """# Ilse Fenn
Cleric 5

STR 8 DEX 12 CON 14 INT 10 WIS 16 CHA 9
HP 20
AC 15

## Spells
Slots: 1st level 4 (3 used), 2nd level 3 (1 used)
1st level: Healing Word, Bless
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("can I still cast Healing Word?", "Yes"),
        ("can I still cast Fog Cloud?", "Fog Cloud is not among the spells on your sheet"),
        ("can I still cast mass Healing Word?", None),
        ("can I still cast Healing Word of Orrin?", None),
    ],
)
def test_a_spell_can_be_cast_that_the_sheet_has(question: str, said: str | None) -> None:
    spells = [
        RulebookRow(
            f"made:{name}", "made", name, "spell", "", "spells.md", data={"level": 1},
            parts=[RowPart(name, f"{name}. Level 1 spell.")],
        )
        for name in ("Healing Word", "Fog Cloud")
    ]  # fmt: skip
    sheet = SheetSource(read_sheet(CASTER.encode(), "ilse.md"))
    book = RulebookSource(spells, nothing)
    desk = desk_for([sheet, book], {}, Asking(), near_words, near_texts)
    clause, named = AskedClause(question), []
    for row in spells:
        first = clause.text.find(row.name)
        at = next((at for at, token in enumerate(clause.tokens) if token.start == first), None)
        named += [NamedEntry(Link(at, 2), [row], exact=True)] if at is not None else []
    line = casting_line(clause, desk, named)
    assert line is None if said is None else line is not None and line.text.startswith(said)
