"""A campaign as notes and as a sheet: what the player may know, from the real engine."""

from pathlib import Path

from freeform.assistant.model import Wanted
from freeform.assistant.notes.campaign import campaign_notes
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.sheet.campaign import campaign_sheet
from freeform.assistant.sheet.source import SheetSource
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin, first_state
from freeform.engine.rules.change import apply
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.state import GameState
from freeform.offline.model import OfflineModel
from tests.engine.cellar import scenario
from tests.engine.tables import table


async def seated(home: Path) -> Table:
    """A table with the campaign `c`, played by the offline model."""
    at = table(home, OfflineModel())
    await begin(scenario(), "c", 7, Answers(), at)
    return at


async def play(at: Table, *texts: str) -> None:
    for number, text in enumerate(texts, start=1):
        await take_turn(Say(campaign="c", text=text, turn_id=f"t{number}"), at)


async def test_turns_and_threads_become_notes_and_hidden_ones_are_marked(tmp_path: Path) -> None:
    at = await seated(tmp_path)
    await play(at, "I look around", "I take the lamp")
    state = await at.store.get_state("c")
    notes = await campaign_notes("c", at.store)
    titles = [note.title for note in notes if note.kind == "turn"]
    assert titles == [f"Turn {n}" for n in range(1, state.turn_no + 1)]
    hidden = {f.object.get("text") for f in state.facts.values() if f.visibility == "hidden"} - {
        None
    }
    marked = {note.text for note in notes if note.gm_only}
    assert hidden <= marked
    assert {t.title for t in state.threads.values() if t.status == "active"} <= {
        n.title for n in notes if not n.gm_only
    }


async def test_nothing_hidden_reaches_a_player_by_any_word(tmp_path: Path) -> None:
    at = await seated(tmp_path)
    await play(at, "I look around")
    state = await at.store.get_state("c")
    source = NotesSource(await campaign_notes("c", at.store))
    words = " ".join(
        str(f.object.get("text", "")) for f in state.facts.values() if f.visibility == "hidden"
    )
    wanted = Wanted(
        tool="session_notes", intention="event_recap", query=words[:2000] or "secret", limit=50
    )
    given = " ".join(piece.text for piece in await source.fetch(wanted))
    assert [
        f.id
        for f in state.facts.values()
        if f.visibility == "hidden" and str(f.object.get("text") or "\0") in given
    ] == []


async def test_the_hero_is_a_sheet_with_what_is_held(tmp_path: Path) -> None:
    at = await seated(tmp_path)
    state = await at.store.get_state("c")
    sheet = campaign_sheet(state)
    assert sheet.name == state.name("player")
    assert [item.name for item in sheet.inventory_info.items] == [
        state.name(h.item_id) for h in state.held("player")
    ]
    assert {name.name for name in await SheetSource(sheet).names()} >= {sheet.name}


def test_a_stranger_who_feels_something_about_the_hero_is_not_named() -> None:
    bell = load_scenario("drowned_bell", None)
    state = apply(GameState(campaign_id="c"), first_state(bell, bell.heroes[0]))
    feeling = {
        state.name(row.a_id)
        for row in state.relationships.values()
        if row.intensity and row.b_id == "player"
    }
    named = {one.who for one in campaign_sheet(state).social_info.relationships}
    assert "Brother Cade" in feeling and "Brother Cade" not in named
