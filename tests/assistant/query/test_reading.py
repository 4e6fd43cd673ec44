"""What a reader finds is told in few words, the likeliest first; a written sheet is read as it is
written."""

from freeform.assistant.model import Asking, Piece
from freeform.assistant.notes.markdown import notes_of
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.query.desk import desk_for
from freeform.assistant.query.find import find
from freeform.assistant.query.model import FoundLine
from freeform.assistant.query.reading.answer import (
    MOST_UNSURE,
    SURE,
    UNSURE,
    ReadPiece,
    finding_of,
    within,
)
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.source import SheetSource
from freeform.language.meaning.reading import PassageRead
from freeform.wiring.ear import near_texts, near_words, reader

LONG = (
    "The ferry came late and wet, and while the others argued about the fare with the ferryman's "
    "wife I saw that the bell hung under a sailcloth in the boathouse behind the tall reeds "
    "where nobody had looked for it since the spring flood carried half of the jetty away."
)
SHEET = """# Tam Brook
Human Fighter 3

STR 16  DEX 12  CON 14  INT 10  WIS 11  CHA 9
AC 17
HP 24 of 28

## Kit
KNEE POUCH  two wax candles, a lump of sealing wax, flint
"""


def read(text: str, said: str, chance: float, title: str = "Session 1") -> ReadPiece:
    start = text.index(said)
    piece = Piece(
        id=f"notes:{said}", tool="session_notes", section="events", title=title, text=text
    )
    return ReadPiece(piece, PassageRead(0.0, chance, ((start, start + len(said)),)), chance)


def test_an_unsure_answer_says_so_and_shows_the_nearest_in_few_words() -> None:
    found = [
        read(LONG, "under a sailcloth in the boathouse", 0.3),
        read(LONG, "the ferryman's wife", 0.2),
        read("Osk sold the bell.", "Osk", 0.1),
    ]
    finding = finding_of(found)
    assert finding is not None and not finding.known
    told = [line.text for line in finding.lines]
    assert told[0] == UNSURE and "**under a sailcloth in the boathouse**" in told[1]
    assert sum(len(line.split()) for line in told[1:]) <= MOST_UNSURE
    for line in finding.lines[1:]:
        assert line.cites[0].quote in line.cites[0].piece.text


def test_a_sure_answer_comes_first_and_what_is_hardly_likely_not_at_all() -> None:
    found = [read(LONG, "in the boathouse", SURE + 0.3), read("Osk sold the bell.", "Osk", 0.01)]
    finding = finding_of(found)
    assert finding is not None and finding.known
    assert len(finding.lines) == 1 and finding.lines[0].text.startswith("**in the boathouse**")


def test_the_same_answer_is_told_once() -> None:
    twice = [read("Osk sold the bell.", "Osk", 0.3), read("Osk rang it.", "Osk", 0.2)]
    finding = finding_of(twice)
    assert finding is not None and len(finding.lines) == 2


def test_lines_are_kept_while_they_fit() -> None:
    lines = [FoundLine("one two three"), FoundLine("four five six seven"), FoundLine("eight")]
    assert [line.text for line in within(lines, 4)] == ["one two three", "eight"]


def test_a_line_of_a_written_sheet_is_read_though_nothing_in_it_was_understood() -> None:
    sheet = SheetSource(read_sheet(SHEET.encode(), "tam.md"))
    notes = NotesSource(notes_of("# Session 1\n- We rowed to the island at dusk.\n", "s1.md"))
    desk = desk_for([sheet, notes], {}, Asking(), near_words, near_texts, reader())
    findings = find("what do i have in my knee pouch", desk, [], [])
    told = " ".join(line.text for finding in findings for line in finding.lines)
    assert "sealing wax" in told
