"""Markdown notes: sessions by number and date, what a paragraph is about, what players must not read."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.assistant.model import Wanted
from freeform.assistant.notes.chat import chat_notes, is_chat
from freeform.assistant.notes.markdown import notes_of, read_notes
from freeform.assistant.notes.source import NotesSource
from freeform.core.errors import BadFile, UserError
from tests.assistant.sheet.examples import NOTES


@pytest.fixture(scope="module")
def source() -> NotesSource:
    return NotesSource(read_notes(NOTES))


def wanted(
    query: str, intention: str, *entities: str, viewer: str = "player", limit: int = 8
) -> Wanted:
    section = {"npc_history": "npc", "location_history": "location", "quest_status": "quest", "combat_recap": "combat",
               "decision_history": "decision", "character_development": "character"}.get(intention, "session")  # fmt: skip
    return Wanted(
        tool="session_notes",
        intention=intention,
        query=query,
        entities=list(entities),
        sections=[f"session_notes.{section}"],
        viewer=viewer,  # type: ignore[arg-type]
        limit=limit,
    )


@pytest.mark.parametrize(
    ("text", "file", "told"),
    [
        ("We met Ada.", "session-03.md", (3, "")),
        ("We met Ada.", "notes/2026-02-07 The inn.md", (0, "2026-02-07")),
        ("# Session 12: The inn\nWe met Ada.", "a.md", (12, "")),
        ("---\nsession: 4\ndate: 2026-03-01\n---\nWe met Ada.", "a.md", (4, "2026-03-01")),
        ("## 2026-01-05\nWe met Ada.", "log.md", (0, "2026-01-05")),
        ("We met Ada.", "a.md", (0, "")),
    ],
)
def test_a_session_is_told_by_head_heading_or_name(
    text: str, file: str, told: tuple[int, str]
) -> None:
    (note,) = notes_of(text, file)
    assert (note.session, note.date) == told


def test_several_sessions_may_stand_in_one_file() -> None:
    notes = notes_of(
        "# Session 1\nOne.\n## NPCs\n- **Ada**: a smith\n# Session 2\nTwo.\n", "all.md"
    )
    assert [(n.session, n.about, n.title) for n in notes] == [
        (1, "session", "Session 1"),
        (1, "npc", "Ada"),
        (2, "session", "Session 2"),
    ]


def test_each_note_knows_its_line() -> None:
    text = "---\nsession: 1\n---\n# Session 1\n\nWe met.\n\n## NPCs\n- **Ada**: a smith\n"
    lines = text.split("\n")
    for note in notes_of(text, "a.md"):
        assert note.text.split("\n")[0] in lines[note.line - 1]


@pytest.mark.parametrize(
    "text",
    [
        "# Session 1\n## GM notes\nThe smith is a spy.",
        "# Session 1\n## Secrets\nThe smith is a spy.",
        "# Session 1\n> [!secret] for me\n> The smith is a spy.",
        "---\ngm_only: true\n---\nThe smith is a spy.",
        "---\ngm_only: yes\nby: R&D\nby: twice\n---\nThe smith is a spy.",
        "# Session 1\n## Secrets (GM)\n### Smiths\n- **Ada**: The smith is a spy.",
    ],
)
async def test_what_is_for_the_game_master_reaches_no_player(text: str) -> None:
    source = NotesSource(notes_of(text, "a.md"))
    assert await source.fetch(wanted("smith spy Ada", "npc_history", "Ada", "spy")) == []
    assert await source.fetch(wanted("smith spy", "npc_history", "spy", viewer="gm"))
    assert all(name.gm_only for name in await source.names() if name.name == "Ada")


def test_comments_are_no_notes() -> None:
    assert notes_of("%% the smith lies %%\n<!-- and so\ndoes Ada -->\n", "a.md") == []


async def test_secret_notes_change_nothing_that_a_player_is_given(source: NotesSource) -> None:
    open_only = NotesSource([note for note in source.notes if not note.gm_only])
    for query, intention, names in (
        ("who is Brother Oswin", "npc_history", ("Brother Oswin",)),
        ("Maud Harrow smith dead smoke camp", "npc_history", ("Maud Harrow",)),
        ("what happened last session", "event_recap", ()),
    ):
        asked = wanted(query, intention, *names)
        assert await source.fetch(asked) == await open_only.fetch(asked)


async def test_the_example_answers_the_seven_intentions(source: NotesSource) -> None:
    async def first(query: str, intention: str, *names: str) -> str:
        return (await source.fetch(wanted(query, intention, *names)))[0].text

    assert "captain of the harbour watch" in await first(
        "who is Isolde Marr", "npc_history", "Isolde Marr"
    )
    assert "loose rock" in await first(
        "what about the Shale Hills", "location_history", "Shale Hills"
    )
    assert "snow on the third" in await first("what happened last session?", "event_recap")
    assert "(open)" in await first("which quests are open?", "quest_status")
    assert "griffon" in await first("what happened in the last fight?", "combat_recap")
    assert "kept the sword" in await first(
        "why did Brannoc keep the sword against advice", "decision_history"
    )
    assert "ask for mercy" in await first(
        "what would Brannoc say to the smith", "character_development"
    )


async def test_a_quest_done_later_is_told_before_its_older_state(source: NotesSource) -> None:
    found = await source.fetch(wanted("Who set the fire?", "quest_status", "Who set the fire?"))
    assert [p.facts[0].value for p in found if p.title == "Who set the fire?"] == ["done", "open"]


async def test_a_session_asked_for_by_number_is_the_one_told(source: NotesSource) -> None:
    found = await source.fetch(wanted("What happened in session 3?", "event_recap", limit=4))
    assert {piece.data["session"] for piece in found} == {3}


def test_a_place_without_notes_is_told_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"session-01\.md"):
        read_notes(tmp_path)
    with pytest.raises(BadFile, match="no such file"):
        read_notes(tmp_path / "gone")
    (tmp_path / "empty.md").write_text("")
    assert read_notes(tmp_path) == []


@given(st.text(max_size=400))
@settings(deadline=None, max_examples=80)
def test_any_text_reads(text: str) -> None:
    for note in notes_of(text, "a.md"):
        assert note.text.strip()


CHAT = b"""{"user_name":"Ann","character_name":"Sera","chat_metadata":{}}
{"name":"Sera","is_user":false,"send_date":"March 1, 2026 10:01am","mes":"Welcome, Ann."}
{"name":"Ann","is_user":true,"send_date":"2026-03-02T09:00","mes":"Where is Eldoria?"}
"""


def test_a_chat_becomes_notes_by_day() -> None:
    name, text, count = chat_notes(CHAT, "chat.jsonl")
    notes = notes_of(text, "chat.md")
    assert (is_chat(CHAT), name, count) == (True, "sera", 2)
    assert [(n.session, n.date) for n in notes] == [(1, "2026-03-01"), (2, "2026-03-02")]
    with pytest.raises(BadFile, match="no messages"):
        chat_notes(CHAT.split(b"\n")[0], "chat.jsonl")
    assert not is_chat(b'{"name": "A"}') and not is_chat(b"# Notes") and not is_chat(b"")


@pytest.mark.parametrize(
    ("intention", "session"),
    [("quest_status", 1), ("combat_recap", 2), ("decision_history", 3), ("location_history", 1)],
)
async def test_prose_without_headings_is_read_for_what_it_tells(
    tmp_path: Path, intention: str, session: int
) -> None:
    for number, text in enumerate(
        (
            "In Greywick Orla asked us to find her brother.",
            "Two wolves went down on the road.",
            "Mara chose the locket.",
        ),
        1,
    ):
        (tmp_path / f"s{number}.md").write_text(f"# Session {number}\n\n{text}\n", encoding="utf-8")
    source = NotesSource(read_notes(tmp_path), label="notes")
    about = {"quest_status": "quest", "combat_recap": "combat", "decision_history": "decision"}.get(
        intention, "location"
    )
    sections = [f"session_notes.{about}"]
    wanted = Wanted(
        tool="session_notes", intention=intention, query="what of it?", sections=sections
    )
    (piece, *_) = await source.fetch(wanted)
    assert piece.data["session"] == session


BY_THE_CLOCK = """--- Friday 6 March 2026 ---
[19:32] dm_ollie: the bell rings by itself
[19:33] theo: who rings it?
[19:35] dm_ollie: nobody you can see
[23:58] jo: nearly midnight
[00:10] theo: we stop here
--- Friday 20 March 2026 ---
[19:40] dm_ollie: an old woman in a hut
[19:41] jo: skadi knocks
"""


def test_a_chat_by_the_clock_is_read_message_by_message_and_evening_by_evening() -> None:
    notes = notes_of(BY_THE_CLOCK, "table-chat.txt")
    assert [(n.session, n.date, n.title) for n in notes[:3]] == [
        (1, "2026-03-06", "dm_ollie"), (1, "2026-03-06", "theo"), (1, "2026-03-06", "dm_ollie"),
    ]  # fmt: skip
    assert notes[4].session == 1 and notes[5].session == 2
    assert "who rings it?" in notes[2].heading
    assert "theo" not in notes[5].heading


def test_evenings_of_a_chat_are_told_by_its_clock_or_by_its_file() -> None:
    undated = "\n".join(line for line in BY_THE_CLOCK.splitlines() if not line.startswith("---"))
    assert [note.session for note in notes_of(undated, "chat.txt")] == [1, 1, 1, 1, 1, 2, 2]
    named = notes_of("\n".join(BY_THE_CLOCK.splitlines()[1:5]), "03_2025-01-31.txt")
    assert {note.date for note in named} == {"2025-01-31"}


def test_a_diary_that_tells_the_hours_is_no_chat() -> None:
    diary = "16:20 Arrived in Kessel: wet\n18:00 At the inn: soup\n19:30 A knock at the door: Odo\n"
    assert all(note.kind != "talk" for note in notes_of(diary, "diary.txt"))


def test_an_evening_by_a_twelve_hour_clock_goes_on_past_midnight() -> None:
    chat = """[11:50 PM] ollie: the bell rings
[11:58 PM] theo: who rings it?
[12:05 AM] ollie: nobody you can see
[12:20 AM] theo: we stop here
"""
    assert [note.session for note in notes_of(chat, "chat.txt")] == [1, 1, 1, 1]
