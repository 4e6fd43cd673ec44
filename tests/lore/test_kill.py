"""Killed a hundred times over one run, the researcher does no step twice, loses no message, and ends the same."""

from pathlib import Path

from tests.lore.killing import run_killed, story, work

KILLS = 100


async def test_a_hundred_kills_change_nothing(tmp_path: Path) -> None:
    assert work(tmp_path / "calm.db") == 0
    calm = await story(tmp_path / "calm.db")
    kills = run_killed(tmp_path / "killed.db", KILLS, seed=9, reach=6_000)
    killed = await story(tmp_path / "killed.db")
    assert kills >= KILLS
    assert killed == calm
    assert len({key for *_, key in killed["steps"]}) == len(killed["steps"])
    assert killed["unsent"] == [0, 0, 0] and killed["waiting"] == [0, 0]
