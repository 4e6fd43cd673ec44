"""Clauses as queries: over a made sheet, made notes and the digest of the rules, with the lines and
the sources they give."""

from pathlib import Path

import pytest

import freeform.evals.suites.answers as answers
from freeform.assistant.entities.table import NameTable
from freeform.assistant.follow_up import whole_question
from freeform.assistant.model import Asking
from freeform.assistant.notes.markdown import read_notes
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.notes.timeline import sessions_of, span_of
from freeform.assistant.query.desk import QueryDesk, desk_for
from freeform.assistant.query.find import find
from freeform.assistant.query.model import QueryFinding
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.source import SheetSource

PLACE = Path(answers.__file__).parent


@pytest.fixture(scope="module")
def sheet() -> SheetSource:
    return SheetSource(read_sheet((PLACE / "sheets" / "ilva.json").read_bytes(), "ilva.json"))


def asked(question: str, desk: QueryDesk) -> QueryFinding:
    (finding,) = find(question, desk, [], [])
    return finding


def told(finding: QueryFinding) -> str:
    return "\n".join(line.text for line in finding.lines)


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("What is in the Bag of Holding?", "Crowbar", "Bedroll"),
        ("Which level 3 spells do I have prepared?", "Counterspell", "Fly"),
        ("Which of my prepared spells need concentration?", "Haste", "Fireball"),
        ("What am I attuned to?", "Cloak of Protection", "Wand"),
        ("How many charges has my wand left?", "5 of 7 left", "7 of 7"),
        ("What's my AC with the shield on?", "Armor Class 20", "18"),
        ("AC without the breastplate?", "Armor Class 14", "armor 14"),
        ("What is my best skill?", "+7", "Athletics"),
        ("How many spells have I got prepared?", "**7**", "Fire Bolt"),
    ],
)
def test_a_clause_about_the_sheet_is_a_query(
    question: str, said: str, unsaid: str, sheet: SheetSource
) -> None:
    text = told(asked(question, desk_for([sheet], {}, Asking())))
    assert said in text and unsaid not in text


@pytest.mark.parametrize(
    ("sheet_file", "question", "said"),
    [
        ("tam.json", "whats my ac rn", "Armor Class 16"),
        ("tam.json", "which 2nd lvl spells did I prep today", "Moonbeam"),
        ("tam.json", "how many wild shapes do i have left", "1 of 2 left"),
        ("tam.json", "which of my weapons hits hardest?", "Scimitar"),
        ("gerta.md", "how many HP am I missing?", "24 gone"),
        ("gerta.md", "is Stone's Endurance still available?", "No. "),
        ("gerta.md", "what are the garnets worth altogether", "150 gp in all"),
    ],
)
def test_a_sheet_is_asked_as_people_type(sheet_file: str, question: str, said: str) -> None:
    file = PLACE / "sheets" / sheet_file
    own = SheetSource(read_sheet(file.read_bytes(), file.name))
    assert said in told(asked(question, desk_for([own], {}, Asking())))


def test_every_line_of_a_list_cites_the_thing_it_names(sheet: SheetSource) -> None:
    finding = asked("What is in the Bag of Holding?", desk_for([sheet], {}, Asking()))
    for line in finding.lines[1:]:
        (cite,) = line.cites
        assert cite.piece.title in line.text


def test_what_no_source_says_is_said_to_be_unknown(sheet: SheetSource) -> None:
    finding = asked("What is the name of my horse?", desk_for([sheet], {}, Asking()))
    assert not finding.known and finding.lines[0].cites == ()


def notes_desk(folder: str) -> QueryDesk:
    return desk_for([NotesSource(read_notes(PLACE / "notes" / folder))], {}, Asking())


@pytest.mark.parametrize(
    ("folder", "question", "said", "unsaid"),
    [
        ("fen", "What happened in the most recent session?", "chapel", "wolves followed"),
        ("fen", "What happened in the session before session 41?", "wolves followed", "Market"),
        ("fen", "What did we get in session 42?", "silver censer", "wolf pelts"),
        ("fen", "How many sessions are in our notes?", "**4** sessions", "**5**"),
        ("vault", "Which quests are still open?", "Find Maren", "Salt for"),
        ("vault", "What happened on 14 February?", "dinner", "harpies"),
        ("diary", "When was session 7?", "2026-02-07", "2026-02-21"),
        ("chat", "What date was session 3?", "2026-03-06", "2026-02-20"),
        ("tidewatch", "What happened on the 29th of March?", "quicksilver", "barge"),
        ("tidewatch", "Who did we meet last session?", "Dov Kessler", "Saint Odd"),
        ("tidewatch", "What threads are still open?", "anchor", "black stuff"),
        ("quarry", "What did we loot last time?", "silver mask", "lamp"),
        ("quarry", "Which day was session 2?", "2026-03-28", "2026-04-11"),
        ("reisebuch", "When did we arrive in Grauport?", "2026-03-14", "2026-03-28"),
        ("reisebuch", "Who is the woman in grey?", "Luise Reuss", "Sister Agnes"),
    ],
)
def test_notes_of_any_make_are_a_timeline(
    folder: str, question: str, said: str, unsaid: str
) -> None:
    text = told(asked(question, notes_desk(folder)))
    assert said in text and unsaid not in text


def test_a_session_that_is_not_there_is_said_not_to_be() -> None:
    assert "no session 99" in told(asked("What happened in session 99?", notes_desk("fen")))


def test_sessions_stand_in_their_order_however_the_file_has_them() -> None:
    marks = sessions_of(read_notes(PLACE / "notes" / "fen"))
    assert [mark.number for mark in marks] == [39, 40, 41, 42]
    assert [mark.date for mark in marks] == ["2026-03-14", "2026-03-28", "2026-04-11", "2026-04-25"]
    span = span_of("What is new since session 40?", marks)
    assert span and [mark.number for mark in span.marks] == [41, 42]


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        ("What's my AC?", "And without the shield?", "What's my AC without the shield?"),
        ("Which level 3 spells do I have?", "And level 2?", "Which level 2 spells do I have?"),
        (
            "What happened in session 7?",
            "And in the one before?",
            "What happened in the session before session 7?",
        ),
        ("What's my AC?", "Who is Marta?", "Who is Marta?"),
    ],
)
def test_a_follow_up_becomes_a_whole_question(before: str, question: str, whole: str) -> None:
    assert whole_question(question, [before], {"character_data": NameTable([])}) == whole


def test_a_follow_up_to_nothing_stays_as_it_is() -> None:
    assert whole_question("And without the shield?", [], {}) == "And without the shield?"
