"""Every example runs as a person would run it, in a home of its own, and has something to say."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
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


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """What an example prints, by its name; each is run once for all tests that only read it."""

    @cache
    def once(name: str) -> str:
        return run(ROOT / "examples" / name, tmp_path_factory.mktemp("home"))

    return once


def test_there_is_a_check_for_each_example() -> None:
    assert [example.name for example in EXAMPLES] == list(SAYS)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.name)
def test_an_example_says_what_it_promises(example: Path, told: Callable[[str], str]) -> None:
    assert SAYS[example.name] in told(example.name)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.name)
def test_an_example_is_short(example: Path) -> None:
    assert example.read_text(encoding="utf-8").count("\n") <= 60


def test_what_is_for_the_game_master_is_not_in_what_a_player_finds(
    told: Callable[[str], str],
) -> None:
    player = told("04_search_a_pack.py").partition("Seen by player")[2].partition("Seen by npc")[0]
    assert "Agent Chen" in player and "Agent Chen > Knows" not in player


def test_an_example_prints_the_same_story_twice(told: Callable[[str], str], tmp_path: Path) -> None:
    name = "02_play_three_turns.py"
    assert told(name) == run(ROOT / "examples" / name, tmp_path)
