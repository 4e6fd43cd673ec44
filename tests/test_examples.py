"""Every example runs as a person would run it, in a home of its own, and has something to say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("[0-9]*.py"))
SAYS = {
    "01_roll_dice.py": "The same seed, the same throw? Yes.",
    "02_play_three_turns.py": "not possible (inventory, because of player): You have no gun;",
    "03_branch_and_undo.py": "Back on main: nothing has changed here.",
    "04_search_a_pack.py": "Agent Chen > Knows",
    "05_write_a_scenario.py": "— A light on the water",
    "06_your_own_model.py": "'narrator': 'example:whisper'",
    "07_a_player_of_your_own.py": "I ask Obed Crake about the drowned bell.",
}


def run(example: Path, home: Path) -> str:
    """What an example prints."""
    kept = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith("FREEFORM_") and not k.endswith("_API_KEY")
    }
    env = {**kept, "FREEFORM_HOME": str(home), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, str(example)],
        cwd=home,
        env=env,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_there_is_a_check_for_each_example() -> None:
    assert [example.name for example in EXAMPLES] == list(SAYS)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.name)
def test_an_example_says_what_it_promises(example: Path, tmp_path: Path) -> None:
    assert SAYS[example.name] in run(example, tmp_path)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.name)
def test_an_example_is_short(example: Path) -> None:
    assert example.read_text(encoding="utf-8").count("\n") <= 60


def test_what_is_for_the_game_master_is_not_in_what_a_player_finds(tmp_path: Path) -> None:
    told = run(ROOT / "examples" / "04_search_a_pack.py", tmp_path)
    player = told.partition("Seen by player")[2].partition("Seen by npc")[0]
    assert "Agent Chen" in player and "Agent Chen > Knows" not in player


def test_an_example_prints_the_same_story_twice(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    example = ROOT / "examples" / "02_play_three_turns.py"
    assert run(example, tmp_path / "a") == run(example, tmp_path / "b")
