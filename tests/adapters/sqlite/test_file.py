"""Files that are old, new, broken, full or not allowed; and names that cannot be files."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from freeform.adapters.sqlite.campaign.shelf import CampaignShelf
from freeform.adapters.sqlite.campaign.store import SqliteStore, SqliteTapes
from freeform.adapters.sqlite.db import migrate, scripts, statements
from freeform.core.chance import Chance
from freeform.core.clock import HandClock
from freeform.core.errors import BadFile, FreeformError, NotFound, UserError
from freeform.engine.world.model import StateDiff
from freeform.engine.world.state import Entity
from tests.story import begun, changed, narrated, resolved, turn


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[CampaignShelf]:
    shelf = CampaignShelf(tmp_path)
    yield shelf
    shelf.close()


@pytest.fixture
def store(shelf: CampaignShelf) -> SqliteStore:
    return SqliteStore(shelf, HandClock())


def path(home: Path, campaign: str = "c") -> Path:
    return home / "campaigns" / campaign / "table.db"


async def play(store: SqliteStore, turns: int) -> None:
    head = await store.create("c", begun())
    for number in range(1, turns + 1):
        head = await store.append("c", turn(number), after=head)


async def test_what_another_writes_is_seen_at_once_though_much_is_remembered(
    store: SqliteStore, tmp_path: Path
) -> None:
    await play(store, 2)
    shelf = CampaignShelf(tmp_path)
    other = SqliteStore(shelf, HandClock())
    for number in range(3, 8):
        writer, reader = (store, other) if number % 2 else (other, store)
        assert (await reader.head("c")).turn_no == number - 1, "read once, so that it is remembered"
        await writer.append("c", turn(number), after=await writer.head("c"))
        assert (await reader.head("c")).turn_no == number
        assert (await reader.get_state("c")).turn_no == number
        assert [told.turn_no for told in await reader.recent("c", 9)] == list(range(1, number + 1))
    position = await other.branch("c", "what-if", 2, after=await other.head("c"))
    assert await store.head("c") == position
    assert (await store.get_state("c")).turn_no == 2
    shelf.close()


NO_NAMES = ("nul", "Con.txt", "a b", "Ü")
LOG = "parent, turn_no, kind, at, state_diff, body"
SEED_COLUMNS = {
    "campaigns": "id name created_at updated_at calibration_json system_json genre_rules_json current_turn",
    "entities": "id campaign_id type name attrs_json tags origin pack_id pack_entity_id",
    "facts": "id campaign_id subject_id predicate object_json visibility confidence tags discovered_turn"
    " discovery_method origin pack_id",
    "scene": "id campaign_id location_id present_entity_ids_json time_json constraints_json"
    " visibility_conditions noise_level obscured_entities_json",
    "threads": "id campaign_id title status stakes_json related_entity_ids_json tags origin pack_id",
    "clocks": "id campaign_id name value max triggers_json tags origin pack_id",
    "inventory": "owner_id item_id campaign_id qty flags_json",
    "relationships": "a_id b_id campaign_id rel_type intensity notes_json origin pack_id",
    "events": "id campaign_id turn_no player_input context_packet_json pass_outputs_json engine_events_json"
    " state_diff_json final_text prompt_versions_json log_id branch take",
    "summaries": "id scope scope_id text turn_no_range",
    "sessions": "id campaign_id started_at ended_at turn_range_start turn_range_end session_lore_json summary"
    " world_events_pending",
    "content_packs": "id name version genre layer depends_on_json path license_json installed_at",
    "pack_chunks": "id pack_id file_path section_path chunk_text metadata_json embedding_id",
    "scene_lore": "id campaign_id scene_id session_id lore_json retrieved_at",
    "pack_chunks_fts": "chunk_text",
}


async def test_the_tables_of_the_design_are_there_with_its_columns(
    store: SqliteStore, shelf: CampaignShelf
) -> None:
    await play(store, 0)
    db = shelf.campaign("c").db
    there = {
        table: " ".join(
            name for (name,) in db.execute("select name from pragma_table_info(?)", (table,))
        )
        for table in SEED_COLUMNS
    }
    assert there == SEED_COLUMNS


async def test_a_turn_is_one_row_of_events(store: SqliteStore, shelf: CampaignShelf) -> None:
    head = await store.create("c", begun())
    head = await store.append("c", [resolved(1)], after=head)
    db = shelf.campaign("c").db
    assert db.execute("select turn_no, final_text from events").fetchall() == [(1, "")]
    lamp = StateDiff(entities_add=[Entity(id="key", type="item", name="key")])
    head = await store.append("c", [narrated(1, lamp, text="Light.")], after=head)
    row = db.execute(
        "select final_text, json_extract(pass_outputs_json, '$.narrator.final_text'),"
        " json_extract(state_diff_json, '$.entities_add[0].id', '$.facts_add[0].id'), prompt_versions_json,"
        " player_input, take, branch, id from events"
    ).fetchall()
    assert row == [
        (
            "Light.",
            "Light.",
            '["key","note_1"]',
            '{"engine/planner":"engine/planner@0#aa","engine/narrator":"engine/narrator@0#bb"}',
            "I do thing 1",
            1,
            "main",
            "turn_1#2",
        )
    ]
    await store.move("c", 1, after=head)
    held = "select count(*) from events where log_id in (select id from active_path)"
    assert db.execute(held).fetchone() == (0,)


@pytest.mark.parametrize(
    "sql",
    [
        "update log set body = '{}'",
        "delete from log",
        "insert or replace into log select * from log where id = 2",
        f"replace into log (id, {LOG}) values (2, 1, 0, 'changed', '', '{{}}', '{{}}')",
        f"insert into log ({LOG}) values (99, 0, 'changed', '', '{{}}', '{{}}')",
        f"insert into log ({LOG}) values (null, 0, 'begun', '', '{{}}', '{{}}')",
        "update tapes set text = ''",
    ],
)
async def test_the_log_can_only_be_added_to(
    store: SqliteStore, shelf: CampaignShelf, sql: str
) -> None:
    await play(store, 2)
    db = shelf.campaign("c").db
    tape = "'k','c','',0,'','','','','','','','','',0,0,0,0.0,1,0.0,'',0.0,''"
    db.execute(f"insert into tapes select null, {tape}")
    before = db.execute("select * from log").fetchall()
    with pytest.raises(sqlite3.IntegrityError):
        db.execute(sql)
    assert db.execute("select * from log").fetchall() == before


async def test_an_older_file_is_brought_up_to_date_and_keeps_everything(
    tmp_path: Path, shelf: CampaignShelf
) -> None:
    await play(SqliteStore(shelf, HandClock()), 3)
    expected = (await SqliteStore(shelf, HandClock()).get_state("c")).document()
    newest = path(tmp_path)
    older = path(tmp_path / "older")
    older.parent.mkdir(parents=True)
    db = sqlite3.connect(older, isolation_level=None)
    for script in scripts()[:3]:
        db.executescript(script)
    db.execute("pragma user_version = 3")
    db.execute("attach ? as new", (str(newest),))
    state_tables = [
        name for name in SEED_COLUMNS if not name.startswith(("pack", "content", "session"))
    ]
    for table in (
        "campaigns",
        "log",
        "branches",
        *(name for name in state_tables if name != "campaigns"),
    ):
        db.execute(f"insert into {table} select * from new.{table}")
    db.close()
    there = CampaignShelf(tmp_path / "older")
    state = await SqliteStore(there, HandClock()).get_state("c")
    assert state.document() == expected
    assert await SqliteTapes(there).of_turn("c") == []
    assert there.campaign("c").db.execute("pragma user_version").fetchone() == (len(scripts()),)
    there.close()


async def test_a_newer_file_is_left_alone(
    tmp_path: Path, store: SqliteStore, shelf: CampaignShelf
) -> None:
    await play(store, 1)
    shelf.campaign("c").db.execute("pragma user_version = 99")
    shelf.close()
    with pytest.raises(
        UserError, match=rf"format 99 .* up to {len(scripts())}; update Freeform RPG"
    ):
        await store.get_state("c")
    (row,) = await store.campaigns()
    assert "format 99" in row.problem


def test_a_migration_that_fails_leaves_nothing_of_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = "create table half (x);\ncreate table campaigns (x);\n"
    monkeypatch.setattr("freeform.adapters.sqlite.db.scripts", lambda *_: [*scripts(), broken])
    db = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
    with pytest.raises(sqlite3.OperationalError, match="campaigns already exists"):
        migrate(db, tmp_path / "x.db")
    assert db.execute("pragma user_version").fetchone() == (len(scripts()),)
    assert db.execute("select count(*) from sqlite_master where name = 'half'").fetchone() == (0,)
    db.close()


def test_scripts_are_taken_apart_at_statements_and_not_inside_triggers() -> None:
    trigger = "create trigger t before update on a\nbegin\n  select 1;\nend;\n"
    script = f"-- a; comment\ncreate table a (x);\n{trigger}"
    assert [s.split()[-1] for s in statements(script)] == ["(x);", "end;"]


async def test_random_bytes_are_no_campaign(tmp_path: Path, store: SqliteStore) -> None:
    path(tmp_path).parent.mkdir(parents=True)
    chance = Chance(3)
    path(tmp_path).write_bytes(bytes(chance.die(256) - 1 for _ in range(20_000)))
    with pytest.raises(BadFile, match=r"table\.db: is damaged or no database .* put back a copy"):
        await store.head("c")
    assert "damaged" in (await store.campaigns())[0].problem


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.95])
async def test_a_file_cut_short_is_reported_and_never_a_traceback(
    tmp_path: Path, store: SqliteStore, shelf: CampaignShelf, share: float
) -> None:
    await play(store, 40)
    shelf.close()
    whole = path(tmp_path).read_bytes()
    path(tmp_path).write_bytes(whole[: int(len(whole) * share)])
    said = []
    for ask in (store.get_state, store.read, store.rebuild):
        try:
            await ask("c")
        except BadFile as wrong:
            said.append(str(wrong))
    assert said
    assert all("put back a copy" in each for each in said)


async def test_a_row_that_does_not_read_names_its_table(
    store: SqliteStore, shelf: CampaignShelf
) -> None:
    await play(store, 1)
    shelf.campaign("c").db.execute("update facts set object_json = '{'")
    shelf.close()
    with pytest.raises(BadFile, match="a row of 'facts' does not read"):
        await store.get_state("c")
    assert "note_1" in (await store.rebuild("c")).facts
    shelf.close()
    assert "note_1" in (await store.get_state("c")).facts


async def test_a_database_of_another_program_is_not_touched(
    tmp_path: Path, store: SqliteStore
) -> None:
    path(tmp_path).parent.mkdir(parents=True)
    db = sqlite3.connect(path(tmp_path))
    db.execute("create table theirs (x)")
    db.close()
    with pytest.raises(BadFile, match="some other program"):
        await store.create("c", begun())
    db = sqlite3.connect(path(tmp_path))
    assert db.execute("select name from sqlite_master").fetchall() == [("theirs",)]
    db.close()


async def test_a_folder_that_was_renamed_by_hand_is_said_to_be_that(
    tmp_path: Path, store: SqliteStore, shelf: CampaignShelf
) -> None:
    await play(store, 1)
    shelf.close()
    path(tmp_path).parent.rename(path(tmp_path, "other").parent)
    for _ in range(2):
        with pytest.raises(BadFile, match="holds the campaign 'c'; call the folder so again"):
            await store.head("other")
    path(tmp_path, "other").parent.rename(path(tmp_path).parent)
    assert (await store.head("c")).turn_no == 1


async def test_a_full_disk_changes_nothing_and_play_goes_on_once_there_is_room(
    store: SqliteStore, shelf: CampaignShelf
) -> None:
    await play(store, 2)
    db = shelf.campaign("c").db
    (pages,) = db.execute("pragma page_count").fetchone()
    db.execute(f"pragma max_page_count = {pages}")
    head, before = await store.head("c"), (await store.get_state("c")).document()
    big = resolved(3).model_copy(update={"player_input": "x" * 200_000})
    with pytest.raises(UserError, match=r"no room is left .* free some space"):
        await store.append("c", [big], after=head)
    assert await store.head("c") == head
    assert (await store.get_state("c")).document() == before
    assert await store.find_turn("c", "turn_3") == []
    assert db.execute("select max(turn_no) from events").fetchone() == (2,)
    db.execute("pragma max_page_count = 1000000")
    head = await store.append("c", [big], after=head)
    assert head.turn_no == 3
    assert db.execute("pragma integrity_check").fetchone() == ("ok",)


async def test_a_disk_that_stops_taking_bytes_is_told_apart_from_a_conflict(
    tmp_path: Path, store: SqliteStore, shelf: CampaignShelf
) -> None:
    resource = pytest.importorskip("resource")
    await play(store, 2)
    head = await store.head("c")
    big = resolved(3).model_copy(update={"player_input": "x" * 200_000})
    wal = path(tmp_path).with_name("table.db-wal")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size + 4096, hard))
    try:
        with pytest.raises(FreeformError, match="try again"):
            await store.append("c", [big], after=head)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert await store.head("c") == head
    assert (await store.append("c", turn(3), after=head)).turn_no == 3


async def test_a_file_that_may_not_be_written_says_so(
    store: SqliteStore, shelf: CampaignShelf
) -> None:
    await play(store, 1)
    shelf.campaign("c").db.execute("pragma query_only = on")
    with pytest.raises(
        UserError, match=r"cannot be written .* allow writing there, or choose another --home"
    ):
        await store.append("c", [changed()], after=await store.head("c"))


async def test_a_home_that_is_a_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "campaigns").write_text("not a folder", encoding="utf-8")
    shelf = CampaignShelf(tmp_path)
    with pytest.raises(UserError, match="choose another --home"):
        await SqliteStore(shelf, HandClock()).create("c", begun())
    assert await SqliteStore(shelf, HandClock()).campaigns() == []


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../x",
        "a/b",
        "a\\b",
        "/x",
        "x" * 65,
        "a\x00b",
        "a\nb",
        "-x",
        ".hidden",
        "x.",
        *NO_NAMES,
    ],
)
async def test_a_name_that_is_no_safe_folder_is_refused_with_a_better_one(
    tmp_path: Path, store: SqliteStore, name: str
) -> None:
    for ask in (store.create(name, begun()), store.head(name)):
        with pytest.raises(
            UserError, match="cannot name a campaign: (use 1 to 64 letters|.* is a reserved word)"
        ) as refused:
            await ask
        assert "\x00" not in str(refused.value)
        assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "says"),
    [("com2", "'com2' is a reserved word"), ("Nul.story", "'Nul' is a reserved word")],
)
async def test_a_reserved_word_is_named_where_it_is_what_is_wrong(
    store: SqliteStore, name: str, says: str
) -> None:
    with pytest.raises(UserError, match=says) as refused:
        await store.create(name, begun())
    await store.create(str(refused.value).rsplit("'", 2)[1], begun())


@pytest.mark.parametrize("name", ["c", "Dead-Drop_2", "x" * 64, "a.b", "7"])
async def test_ordinary_names_are_taken(store: SqliteStore, name: str) -> None:
    await store.create(name, begun())
    assert (await store.campaigns())[0].id == name


async def test_a_campaign_deleted_by_someone_else_is_gone(
    tmp_path: Path, store: SqliteStore
) -> None:
    await play(store, 1)
    for file in path(tmp_path).parent.iterdir():
        file.unlink()
    with pytest.raises(NotFound, match="no campaign 'c'; there are none yet"):
        await store.get_state("c")
    await store.create("c", begun(seed=9))
    assert (await store.begun("c")).seed == 9
    assert (await store.get_state("c")).turn_no == 0


async def test_more_campaigns_than_files_held_open(tmp_path: Path) -> None:
    shelf = CampaignShelf(tmp_path, keep=2)
    store = SqliteStore(shelf, HandClock())
    for name in "abcde":
        await store.create(name, begun())
    assert [(await store.get_state(name)).campaign_id for name in "abcde"] == list("abcde")
    shelf.close()
