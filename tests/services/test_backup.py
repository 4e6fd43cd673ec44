"""A home in one file: made while others write, put back event by event, refused when it is not whole."""

import json
import sqlite3
import stat
import threading
import zipfile
from pathlib import Path

import pytest

from freeform import wiring
from freeform.core.errors import BadFile, Conflict, FreeformError, UserError
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.turn import Say, take_turn
from freeform.services.operate.backup import MANIFEST, back_up
from freeform.services.operate.restore import check_backup, restore
from freeform.settings import Settings

KEY = "sk-not-to-be-kept"
TOML = f"""model = "offline"
[serve]
key = "{KEY}"
upload_mb = 12
[players]
redis = "redis://me:{KEY}@127.0.0.1:6379/0"
"""
CHOSEN = {
    "model": f"url:http://me:{KEY}@127.0.0.1:9/v1#m",
    "ollama_url": "http://127.0.0.1:11434",
    "openai_api_key": {"in": "file", "key": KEY},
    "anthropic_api_key": {"in": "keyring"},
}


async def played(home: Path, turns: int = 3) -> Settings:
    settings = Settings(home=home, model="offline")
    async with wiring.opened(settings) as table:
        await begin(load_scenario("dead_drop"), "a", 7, Answers(), table)
        for number in range(turns):
            await take_turn(Say(campaign="a", text="I wait", turn_id=f"t{number}"), table)
    (home / "freeform.toml").write_text(TOML)
    (home / "model.json").write_text(json.dumps(CHOSEN))
    (home / "scenarios").mkdir()
    (home / "scenarios" / "mine.yaml").write_text("title: Mine\n")
    (home / "index" / "x.db").parent.mkdir(exist_ok=True)
    (home / "index" / "x.db").write_bytes(b"made again")
    return settings


async def log_of(home: Path) -> list[str]:
    async with wiring.opened(Settings(home=home, model="offline")) as table:
        return [logged.entry.model_dump_json() for logged in await table.store.read("a")]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A home that was played in and its backup; tests only look at them."""
    import asyncio

    home = tmp_path_factory.mktemp("kept") / "home"
    settings = asyncio.run(played(home))
    file = home.parent / "home.backup"
    seen: list[tuple[int, int]] = []
    done = back_up(settings, file, progress=lambda now, all: seen.append((now, all)))
    assert (done.campaigns, done.events) == (1, 7) and seen[-1] == (done.files, done.files)
    return home, file


async def test_what_comes_back_is_the_same_story_event_by_event(
    made: tuple[Path, Path], tmp_path: Path
) -> None:
    home, file = made
    done = restore(file, tmp_path / "again")
    assert (done.campaigns, done.events) == (1, 7)
    assert await log_of(tmp_path / "again") == await log_of(home)
    assert (tmp_path / "again" / "scenarios" / "mine.yaml").read_text() == "title: Mine\n"
    assert not (tmp_path / "again" / "index").exists()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["again"], "nothing is left beside"


def test_secrets_stay_behind_unless_they_are_asked_for(
    made: tuple[Path, Path], tmp_path: Path
) -> None:
    home, file = made
    with zipfile.ZipFile(file) as zip:
        kept = zip.read("home/freeform.toml").decode()
        everything = b"".join(zip.read(name) for name in zip.namelist())
    assert KEY.encode() not in everything and "upload_mb = 12" in kept and "serve_key" in kept
    assert {"model.json: model", "model.json: openai_api_key"} <= set(check_backup(file).left_out)
    restore(file, tmp_path / "without")
    left = json.loads((tmp_path / "without" / "model.json").read_text())
    assert left == {each: CHOSEN[each] for each in ("ollama_url", "anthropic_api_key")}
    with_them = tmp_path / "whole.backup"
    back_up(Settings(home=home), with_them, secrets=True)
    restore(with_them, tmp_path / "again")
    assert (tmp_path / "again" / "freeform.toml").read_text() == TOML
    assert json.loads((tmp_path / "again" / "model.json").read_text()) == CHOSEN
    for with_keys in (
        with_them,
        *(tmp_path / "again" / name for name in ("freeform.toml", "model.json")),
    ):
        assert stat.S_IMODE(with_keys.stat().st_mode) == 0o600, with_keys


def test_a_backup_says_that_campaigns_in_postgres_are_not_in_it(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    elsewhere = Settings.model_validate(
        {"home": tmp_path / "home", "store_url": f"postgresql://me:{KEY}@127.0.0.1/x"}
    )
    left_out = back_up(elsewhere, tmp_path / "x.backup").left_out
    assert any("pg_dump" in each for each in left_out) and KEY not in str(left_out)


def test_a_backup_while_others_write_holds_one_moment_of_each_database(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    db = sqlite3.connect(home / "lore.db", check_same_thread=False, isolation_level=None)
    db.execute("pragma journal_mode = wal")
    db.execute("create table pairs (a integer, b integer)")
    stop, wrote = threading.Event(), threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            with_both = [(number, number)] * 40
            db.execute("begin immediate")
            db.executemany("insert into pairs values (?, ?)", with_both)
            db.execute("commit")
            number += 1
            wrote.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        wrote.wait()
        for number in range(5):
            back_up(Settings(home=home), tmp_path / f"{number}.backup")
    finally:
        stop.set()
        writer.join()
        db.close()
    for number in range(5):
        restore(tmp_path / f"{number}.backup", tmp_path / f"again{number}")
        with sqlite3.connect(tmp_path / f"again{number}" / "lore.db") as copy:
            counts = copy.execute("select count(*) from pairs group by a").fetchall()
        assert counts and set(counts) == {(40,)}, "whole transactions, no halves"


def changed(file: Path, to: Path, name: str, content: bytes) -> Path:
    """The same backup with one entry replaced."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(to, "w") as new:
        for entry in old.namelist():
            new.writestr(entry, content if entry == name else old.read(entry))
    return to


def manifest_with(file: Path, **fields: object) -> bytes:
    with zipfile.ZipFile(file) as zip:
        return json.dumps({**json.loads(zip.read(MANIFEST)), **fields}).encode()


def test_a_damaged_or_newer_backup_is_refused_in_a_sentence_and_touches_nothing(
    made: tuple[Path, Path], tmp_path: Path
) -> None:
    _, file = made
    whole = file.read_bytes()
    (tmp_path / "short.backup").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.backup").write_bytes(b"not one")
    flipped = bytearray(whole)
    for at in range(400, len(whole) // 2, 997):
        flipped[at] ^= 0xFF
    (tmp_path / "flipped.backup").write_bytes(flipped)
    newer, other, out = (tmp_path / f"{name}.backup" for name in ("newer", "other", "out"))
    changed(file, newer, MANIFEST, manifest_with(file, format=2, surprise=True))
    changed(file, other, "home/scenarios/mine.yaml", b"title: Yours\n")
    changed(file, out, MANIFEST, manifest_with(file, files=[]))
    refusals = {
        "short": "damaged or no backup", "text": "damaged or no backup", "flipped": "damaged",
        "newer": "newer Freeform RPG", "other": "'scenarios/mine.yaml' is not what was put in",
        "out": "does not hold what its list says", "missing": "no such file",
    }  # fmt: skip
    for name, says in refusals.items():
        with pytest.raises(UserError) as told:
            restore(tmp_path / f"{name}.backup", tmp_path / "again")
        assert says in str(told.value), name
        assert not (tmp_path / "again").exists()
    assert not list(tmp_path.glob(".*")), "nothing is left beside"


def test_a_database_of_a_newer_program_is_refused(made: tuple[Path, Path], tmp_path: Path) -> None:
    home = tmp_path / "home"
    restore(made[1], home)
    with sqlite3.connect(home / "campaigns" / "a" / "table.db") as db:
        db.execute("pragma user_version = 999")
    back_up(Settings(home=home), tmp_path / "newer.backup")
    with pytest.raises(UserError, match="newer Freeform RPG"):
        check_backup(tmp_path / "newer.backup")


def test_a_home_with_something_in_it_is_never_written_over(
    made: tuple[Path, Path], tmp_path: Path
) -> None:
    home, file = made
    with pytest.raises(Conflict, match="already"):
        restore(file, home)
    with pytest.raises(Conflict, match="--force"):
        back_up(Settings(home=home), file)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "freeform.toml").write_text("seed = 9\n")
    assert restore(file, tmp_path / "own").kept == ["freeform.toml"]
    assert (tmp_path / "own" / "freeform.toml").read_text() == "seed = 9\n"


def test_a_place_that_cannot_be_written_is_said(made: tuple[Path, Path], tmp_path: Path) -> None:
    home, file = made
    (tmp_path / "file").write_text("")
    with pytest.raises(FreeformError):
        restore(file, tmp_path / "file" / "home")
    with pytest.raises(BadFile, match="choose another name"):
        back_up(Settings(home=home), tmp_path / ("é" * 300))
    with pytest.raises(BadFile, match="choose another place"):
        back_up(Settings(home=home), tmp_path / "file" / "x.backup")
