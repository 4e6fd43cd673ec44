"""What a reader finds is told in few words, the likeliest first; a written sheet is read as it is
written."""

import pytest

from freeform.assistant.model import Asking, Piece, Tool
from freeform.assistant.notes.markdown import notes_of
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.query.asked.whether import rule_says
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.desk import desk_for
from freeform.assistant.query.find import find
from freeform.assistant.query.model import Cite, FoundLine, QueryFinding, ThingQuery
from freeform.assistant.query.reading.answer import (
    MOST_UNSURE,
    SURE,
    UNSURE,
    ReadPiece,
    finding_of,
    place_of,
)
from freeform.assistant.query.reading.answer_lines import in_few_words, within
from freeform.assistant.query.reading.candidates import candidates
from freeform.assistant.query.reading.choice import ROWS, chosen_findings
from freeform.assistant.query.reading.formula import formula_line
from freeform.assistant.query.reading.owed import owed_line, shared_line
from freeform.assistant.query.reading.reach import hit_line, reach_line
from freeform.assistant.query.reading.worked import worked_line
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
        read(LONG, "in the boathouse", 0.3),
        read(LONG, "the ferryman's wife", 0.2),
        read("Osk sold the bell.", "Osk", 0.1),
    ]
    finding = finding_of(found)
    assert finding is not None and not finding.known
    told = [line.text for line in finding.lines]
    assert told[0] == UNSURE and told[1].startswith("**in the boathouse**")
    assert sum(len(line.split()) for line in told[1:]) <= MOST_UNSURE
    assert len(told) == 3  # The same passage stands there once.
    for line in finding.lines[1:]:
        assert line.cites[0].quote in line.cites[0].piece.text


def test_a_sure_answer_comes_first_and_what_is_hardly_likely_not_at_all() -> None:
    found = [read(LONG, "in the boathouse", SURE + 0.3), read("Osk sold the bell.", "Osk", 0.01)]
    finding = finding_of(found)
    assert finding is not None and finding.known
    assert len(finding.lines) == 1 and finding.lines[0].text.startswith("**in the boathouse**")


def test_what_a_sheet_says_in_two_ways_is_told_once() -> None:
    twice = [
        read("Hand crossbow: range 30/120 ft, light", "30/120 ft", 0.3),
        read("Hand crossbow, range 30/120 ft.", "30/120 ft", 0.2),
        read("Speed 30 ft", "30 ft", 0.1),
    ]
    finding = finding_of(twice)
    assert finding is not None and len(finding.lines) == 3


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


ASKED = AskedClause("who sold the bell")
NO_DESK = desk_for([], {}, Asking())


def found(text: str, coverage: float, *, tool: Tool = "session_notes", rows: bool) -> QueryFinding:
    piece = Piece(id=f"found:{text}", tool=tool, section="events", title="Session 9", text=text)
    query = ThingQuery(tool=tool) if rows else None
    return QueryFinding(tool, [FoundLine(text, (Cite(piece),))], coverage, query=query)


def told(findings: list[QueryFinding]) -> list[str]:
    return [line.text for finding in findings for line in finding.lines]


def test_what_rows_say_comes_first_and_what_else_was_read_beside_it() -> None:
    sure = [read("Osk sold the bell.", "Osk", SURE)]
    lines = told(chosen_findings(ASKED, NO_DESK, [found("The bell: sold", ROWS, rows=True)], sure))
    assert lines[0] == "The bell: sold" and "Osk" in lines[-1]


def test_a_long_passage_that_shares_words_does_not_stand_before_what_is_read() -> None:
    sure = [read("Osk sold the bell.", "Osk", SURE)]
    for tool in ("session_notes", "rulebook"):
        findings = chosen_findings(
            ASKED, NO_DESK, [found("Bells are sold.", 0.9, tool=tool, rows=False)], sure
        )
        assert told(findings) == ["**Osk** (Osk sold the bell.)"]


def test_what_only_shares_words_settles_nothing_however_many() -> None:
    unsure = [read("Osk sold the bell.", "Osk", 0.2)]
    (finding,) = chosen_findings(
        ASKED, NO_DESK, [found("The bell: who sold it?", 1.0, rows=False)], unsure
    )
    assert not finding.known and told([finding])[0] == UNSURE


@pytest.mark.parametrize(
    ("asked", "text", "said", "first"),
    [
        ("did Osk sell the bell", "Marn has no bell to sell.", "no bell to sell", "No."),
        ("can a hound be duelled", "A hound cannot be challenged.", "cannot be challenged", "No."),
        ("did Osk sell the bell", "Osk was seen at the quay.", "Osk was seen", "Osk"),
        ("is it true that Osk never sold it", "Osk did not sell it.", "did not sell it", "Osk"),
    ],
)
def test_no_is_told_where_the_very_words_that_answer_deny(
    asked: str, text: str, said: str, first: str
) -> None:
    lines = told(chosen_findings(AskedClause(asked), NO_DESK, [], [read(text, said, SURE)]))
    assert lines[0].replace("*", "").startswith(first)


def test_what_explains_much_is_shown_among_the_nearest_where_nothing_is_sure() -> None:
    unsure = [read("Osk sold the bell.", "Osk", 0.2)]
    (finding,) = chosen_findings(
        ASKED, NO_DESK, [found("Bells are sold.", 0.7, rows=False)], unsure
    )
    assert not finding.known
    assert told([finding])[:2] == [UNSURE, "Bells are sold."]


FALL = "A creature takes 1d6 bludgeoning damage for every 10 feet it fell, to a maximum of 20d6."
HOLD = "Make a Constitution save against DC 10 or half the damage, whichever is higher."


@pytest.mark.parametrize(
    ("asked", "rule", "said"),
    [
        ("fell off a wall 30 feet, what damage", FALL, "3d6"),
        ("someone drops 45 ft off a tower", FALL, "4d6"),
        ("what if I fall 900 feet", FALL, "20d6"),
        ("took 26 damage while holding a spell, what dc", HOLD, "13"),
        ("I got hit for 30, what do I roll", HOLD, "15"),
        ("an arrow for 8 damage, what dc", HOLD, "10"),
        ("how much does a fall hurt", FALL, ""),
        ("I fell onto 3 goblins", FALL, ""),
        ("2 goblins hit me for 30, what dc", HOLD, "15"),
        ("what does a nat 20 on a death save do", HOLD, ""),
    ],
)
def test_a_rule_is_worked_out_with_the_number_of_the_question(
    asked: str, rule: str, said: str
) -> None:
    piece = Piece(id="rule:x", tool="rulebook", section="rulebook", title="Rule", text=rule)
    line = worked_line(AskedClause(asked), [piece])
    if not said:
        assert line is None
    else:
        assert line is not None and line.text.startswith(f"**{said}**")
        assert line.cites[0].quote in rule


PURSE = """# Tam Brook
Human Fighter 3

STR 16  DEX 12  CON 14  INT 10  WIS 11  CHA 9
AC 17
HP 24 of 28

## Money
2 pp, 46 gp, 13 sp
"""


@pytest.mark.parametrize(
    ("asked", "owed", "said"),
    [
        ("can I pay the debt to the smith out of my own purse?", "we owe the smith 7 gp", "Yes:"),
        ("can I pay the debt to the smith out of my own purse?", "we owe the smith 300 gp", "No:"),
        (
            "how much gold is left in my purse if I pay the smith what I owe her?",
            "we owe the smith 12 gold pieces",
            "**34 gp** would be left",
        ),
        ("can I pay the debt to the smith out of my own purse?", "we owe the smith a song", ""),
        ("what did the smith say about the gate?", "we owe the smith 7 gp", ""),
    ],
)
def test_the_purse_is_held_against_what_the_notes_say_is_owed(
    asked: str, owed: str, said: str
) -> None:
    sheet = SheetSource(read_sheet(PURSE.encode(), "tam.md"))
    desk = desk_for([sheet], {}, Asking(), near_words, near_texts)
    line = owed_line(AskedClause(asked), desk, [read(owed, "owe", 0.5)])
    if not said:
        assert line is None
    else:
        assert line is not None and line.text.startswith(said)
        assert [cite.piece.tool for cite in line.cites] == ["session_notes", "character_data"]


def test_what_a_pony_carries_is_listed_by_a_word_of_its_bags() -> None:
    bags = "## Gear\n\nSaddlebags (on Crumpet my pony):\n- tent\n- jar of black honey\n"
    sheet = SheetSource(read_sheet(f"{PURSE}\n{bags}".encode(), "tam.md"))
    desk = desk_for([sheet], {}, Asking(), near_words, near_texts)
    lines = told(find("what is the pony lugging about for me", desk, [], []))
    assert any("tent" in line for line in lines) and any("honey" in line for line in lines)


def test_a_number_is_read_by_what_it_is_in_everyday_words() -> None:
    sheet = SheetSource(read_sheet(SHEET.encode(), "tam.md"))
    desk = desk_for([sheet], {}, Asking(), near_words, near_texts, reader())
    asked = AskedClause("what do i add for sneaking about")
    glossed = {each.piece.title: each for each in candidates(asked, desk, set(), [], [])}
    assert "Stealth" in glossed and "sneaking" in place_of(glossed["Stealth"])


ARCHER = """# Tam Brook
Human Ranger 5

STR 16  DEX 17  CON 14  INT 10  WIS 11  CHA 9
AC 15
HP 24 of 28

## Attacks
Longbow +8, 1d8+3 piercing, 150/600

## Debts
I owe: Dunstan the fletcher 9 gp for arrows. Bram owes me 15 gp.

## Money
63 gp 18 sp 4 cp
"""


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("can I shoot somebody at 200 feet with my longbow?", "Yes, with **disadvantage**"),
        ("can I shoot somebody at 700 feet with my longbow?", "No:"),
        ("can I shoot somebody at 90 feet with my longbow?", "Yes:"),
        ("is my longbow at disadvantage at 90 feet?", "No:"),
        ("how many longbows do I have?", ""),
        ("how much damage does my longbow do at 60 feet?", ""),
        ("did I drop my longbow 60 feet back?", ""),
    ],
)
def test_a_distance_is_held_against_the_range(asked: str, said: str) -> None:
    sheet = SheetSource(read_sheet(ARCHER.encode(), "tam.md"))
    desk = desk_for([sheet], {}, Asking(), near_words, near_texts)
    line = reach_line(AskedClause(asked), desk, [])
    assert (line.text if line else "").startswith(said) and bool(line) == bool(said)


@pytest.mark.parametrize(("told", "said"), [("1,000/2,000", "Yes:"), ("1 mile", "")])
def test_a_range_is_read_with_its_comma_and_in_feet_alone(told: str, said: str) -> None:
    made = read_sheet(ARCHER.encode(), "tam.md")
    desk = desk_for([SheetSource(made)], {}, Asking(), near_words, near_texts)
    bow = next(row for row in desk.sheet_rows if "weapon" in row.kinds)
    bow.fields["range told"] = told
    line = reach_line(AskedClause("can I shoot somebody at 900 feet with my longbow?"), desk, [])
    assert (line.text if line else "").startswith(said) and bool(line) == bool(said)


def test_money_is_owed_to_whom_the_question_names() -> None:
    sheet = SheetSource(read_sheet(ARCHER.encode(), "tam.md"))
    desk = desk_for([sheet], {}, Asking(), near_words, near_texts)
    line = owed_line(AskedClause("can I pay Dunstan what I owe him out of my purse?"), desk, [])
    assert line is not None and line.text == "Yes: you have 63 gp, and it comes to 9 gp"
    assert "Dunstan" in line.cites[0].quote
    nobody = AskedClause("can I pay Wilhelmina what I owe her out of my purse?")
    assert owed_line(nobody, desk, []) is None


def test_a_roll_is_held_against_the_armor_class_and_a_sum_is_shared() -> None:
    sheet = SheetSource(read_sheet(ARCHER.encode(), "tam.md"))
    desk = desk_for([sheet], {}, Asking(), near_words, near_texts)
    for roll, said in (("14", "No:"), ("15", "Yes:")):
        line = hit_line(AskedClause(f"does a {roll} hit me?"), desk)
        assert line is not None and line.text.startswith(said)
    for other in ("did I hit him with a 17?", "does my 17 hit the ogre?", "does a 14 miss me?"):
        assert hit_line(AskedClause(other), desk) is None
    pay = read("The guild pays 300 gp for the three of us.", "300 gp", 0.7)
    line = shared_line(AskedClause("how much does each of us get?"), desk, [pay])
    assert line is not None and line.text.startswith("**100 gp** each")
    for other in ("where is the guild?", "how much is the reward?"):
        assert shared_line(AskedClause(other), desk, [pay]) is None
    much = read("The king pays 1234567 gp for the two of us.", "gp", 0.7)
    line = shared_line(AskedClause("how much does each of us get?"), desk, [much])
    assert line is not None and line.text.startswith("**617283.5 gp** each")


def test_a_rule_is_worked_out_with_a_number_of_the_sheet() -> None:
    desk = desk_for([SheetSource(read_sheet(ARCHER.encode(), "tam.md"))], {}, Asking())
    rule = "A creature can hold its breath for a number of minutes equal to 1 + its Constitution modifier."
    piece = Piece(id="rule:x", tool="rulebook", section="rulebook", title="Breath", text=rule)
    line = formula_line(AskedClause("how long can I hold my breath"), desk, [piece])
    assert line is not None and line.text.startswith("**3** minutes = 1 +2")
    assert formula_line(AskedClause("how long can an owl hold its breath"), desk, [piece]) is None


def test_what_says_nothing_is_left_out_beside_what_does_and_a_list_stays_whole() -> None:
    known = QueryFinding("rulebook", [FoundLine("word " * 60), FoundLine("more " * 80)])
    unknown = QueryFinding("rulebook", [FoundLine("Not known.")], known=False)
    assert [len(each.lines) for each in in_few_words([known, unknown])] == [1]
    listed = QueryFinding("character_data", [FoundLine(f"- {'thing ' * 40}")] * 5)
    assert len(in_few_words([listed])[0].lines) == 5


def test_a_sheet_that_has_the_word_nowhere_lists_no_such_thing() -> None:
    sheet = SheetSource(read_sheet(ARCHER.encode(), "tam.md"))
    desk = desk_for([sheet], {}, Asking(), near_words, near_texts)
    lines = told(find("Do I carry a grappling hook?", desk, [], []))
    assert lines[0].startswith("No grappling hook by that name")
    assert not told(find("Do I have a longbow?", desk, [], []))[0].startswith("No")
    assert not told(find("Do I have a bow?", desk, [], []))[0].startswith("No bow")


def test_what_the_notes_know_is_not_said_to_be_missing() -> None:
    notes = NotesSource(notes_of("# Session 1\nI adopted a mongoose called Pip.\n", "log.md"))
    sheet = SheetSource(read_sheet(ARCHER.encode(), "tam.md"))
    desk = desk_for([sheet, notes], {}, Asking(), near_words, near_texts)
    lines = told(find("do I have a mongoose?", desk, [], []))
    assert "Pip" in lines[0]


@pytest.mark.parametrize(
    ("asked", "rule", "said"),
    [
        ("can I swim in plate?", "You can swim in plate.", "Yes"),
        ("can I swim in plate?", "You can't swim in plate.", "No"),
        ("can I swim in plate?", "You can swim in plate only with help.", ""),
        ("can I swim in plate?", "You can swim as a part of your move.", ""),
        ("can I cast two spells in one turn?", "You cast a spell on your turn.", ""),
    ],
)
def test_a_rule_is_a_yes_or_no_only_to_all_that_is_asked(asked: str, rule: str, said: str) -> None:
    assert rule_says(AskedClause(asked), rule, "") == said
