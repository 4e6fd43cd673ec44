"""The wheel: what a person installs holds no made world, no foreign game and no blind set, and says where their suites are."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a wheel that was built just now, in a folder of their own."""
    folder = tmp_path_factory.mktemp("wheel")
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(folder))
    with zipfile.ZipFile(built) as wheel:
        wheel.extractall(folder / "installed")
    return folder / "installed"


def test_what_only_a_checkout_needs_is_not_in_it(installed: Path) -> None:
    evals = installed / "freeform" / "evals"
    assert (evals / "suites" / "registry.py").is_file()
    assert not (evals / "wiki").exists()
    for suite in ("textworld", "hearing", "safety"):
        assert not (evals / "suites" / suite).exists()


@pytest.mark.parametrize("suite", ["textworld", "lore", "hearing", "safety"])
def test_a_suite_that_is_not_in_it_says_where_to_get_it(
    suite: str, installed: Path, tmp_path: Path
) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "freeform", "--home", str(tmp_path), "eval", suite],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode != 0
    assert f"the suite '{suite}' is not in the installed program" in ran.stderr
    assert "checkout" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_the_small_models_are_in_it_and_it_stays_small(installed: Path) -> None:
    models = installed / "freeform" / "models"
    for name in ("ear", "reader", "limits"):
        assert (models / f"{name}.onnx").is_file() and (models / f"{name}.md").is_file()
    (wheel,) = installed.parent.glob("*.whl")
    assert wheel.stat().st_size < 40_000_000
