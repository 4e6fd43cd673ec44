"""The commit that is being measured."""

import subprocess
from pathlib import Path

from freeform.core.errors import UserError
from freeform.evals.suites.first_runs import FILE


def measured_commit(folder: Path = Path(__file__).parent) -> str:
    """The commit of the checkout that holds a folder, with a mark when files differ from it;
    UserError outside of one. The figures of other first runs make no difference."""
    commit = _git(folder, "rev-parse", "--short=12", "HEAD")
    besides = f":(top,exclude,glob)**/{FILE}"
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no", "--", ":/", besides)
    return f"{commit}, with changes" if changed else commit


def _git(folder: Path, *words: str) -> str:
    command = ["git", *words]
    try:
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise UserError(
            "a first run is kept with its commit; run it from a checkout made with git"
        ) from None
    return ran.stdout.strip()
