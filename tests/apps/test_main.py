"""The outermost loop, called in this process: what a program reads when a command goes wrong."""

import json
from pathlib import Path

import pytest

from freeform.apps.cli.main import run


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["state", "nobody"], 1),
        (["turn", "nobody", "hello"], 1),
        (["roll", "banana"], 1),
        (["promote-draft", "x" * 300], 1),
        (["draft", "delete", "9" * 400], 1),
        (["state"], 2),
        (["no-such-verb"], 2),
    ],
)
def test_a_command_that_fails_under_json_still_prints_one_document(
    args: list[str], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*args, "--json", "--home", str(tmp_path)]) == code
    said = capsys.readouterr()
    told = json.loads(said.out)["error"]
    assert told["exit_code"] == code and "mistake in the program" not in told["message"]
    assert said.err.strip()


def test_without_json_a_failure_is_on_standard_error_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["state", "nobody", "--home", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert not said.out
    assert "nobody" in said.err
