"""The commit that a first run is kept with."""

import subprocess
from pathlib import Path

import pytest

from freeform.core.errors import UserError
from freeform.evals.suites.first_runs import FILE
from freeform.services.measure.checkout import measured_commit


def git(folder: Path, *words: str) -> str:
    person = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    ran = subprocess.run(
        ["git", *person, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return ran.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a program and the figures of first runs in a folder below."""
    below = tmp_path / "src" / "blind"
    below.mkdir(parents=True)
    (tmp_path / "src" / "ear.py").write_text("1", encoding="utf-8")
    (below / FILE).write_text("sets: {}", encoding="utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "all of it")
    return tmp_path


def test_the_commit_is_named_from_any_folder(checkout: Path) -> None:
    commit = git(checkout, "rev-parse", "HEAD")[:12]
    assert measured_commit(checkout) == commit
    assert measured_commit(checkout / "src" / "blind") == commit


def test_the_figures_of_another_first_run_are_no_change_of_the_program(checkout: Path) -> None:
    below = checkout / "src" / "blind"
    (below / FILE).write_text("sets: {a: 1}", encoding="utf-8")
    assert "changes" not in measured_commit(below)
    (checkout / "src" / "ear.py").write_text("2", encoding="utf-8")
    assert measured_commit(below).endswith(", with changes")


def test_without_a_checkout_there_is_no_first_run(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="from a checkout made with git"):
        measured_commit(tmp_path)
