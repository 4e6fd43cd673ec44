"""Bad input: a sentence that says what to do, the right exit code, nothing lost, never a traceback."""

import json
from collections.abc import Iterator

import pytest

from tests.apps.program import Home, Ran
from tests.patience import PATIENCE

LONG = "x" * 100_000


def is_told(ran: Ran, code: int, says: str) -> None:
    assert ran.code == code, ran.err
    assert says in ran.err
    assert "Traceback" not in ran.err + ran.out
    assert ran.out == ""


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("turn", "a", ""), 1, "say what your character does"),
        (("turn", "a", " \t "), 1, "say what your character does"),
        (("turn", "a", "\x1b\x07\x08"), 1, "say what your character does"),
        (("turn", "a", LONG), 1, "100,000 characters"),
        (("turn", "ab", "hello"), 1, "no campaign 'ab'; there are: a"),
        (("turn", "../a", "hello"), 1, "cannot name a campaign"),
        (("turn", "a"), 2, "Missing argument"),
        (("state", "a", "--turn", "99"), 1, "no turn 99"),
        (("state", "a", "--turn", "x"), 2, "Invalid value"),
        (("show-event", "a", "--turn", "5"), 1, "no turn 5"),
        (("undo", "a"), 1, "nothing to undo"),
        (("undo", "a", "0"), 2, "Invalid value"),
        (("redo", "a"), 1, "nothing to redo"),
        (("retry", "a"), 1, "nothing to retry"),
        (("switch", "a", "nowhere"), 1, "nowhere"),
        (("branch", "a", "--turn", "7"), 1, "no turn 7"),
        (("branch", "a", "--name", "main"), 1, "main"),
        (("why", "a", "zzzz"), 1, "no fact 'zzzz'"),
        (("new-game", "--scenario", "celar"), 1, "did you mean 'cellar'?"),
        (("new-game", "--scenario", "missing.yaml"), 1, "no scenario 'missing.yaml'"),
        (("new-game", "--scenario", "cellar", "--campaign", "a"), 1, "a"),
        (("new-game", "--scenario", "cellar", "--campaign", "../x"), 1, "cannot name a campaign"),
        (("new-game", "--scenario", "cellar", "--answers", "missing.yaml"), 1, "missing.yaml"),
        (("new-game",), 2, "--scenario"),
        (("import", "missing.zip"), 1, "missing.zip"),
        (("import", "notes.yaml"), 1, "nothing we read"),
        (("roll", "2d"), 1, "does not read as dice"),
        (("roll", "1000000000d6"), 1, "more than 1000 dice"),
        (("prompts", "show", "engine/narator"), 1, "no prompt"),
        (("prompts", "show", "engine/narrator", "--version", "99"), 1, "no version 99"),
        (("prompts", "pin", "a", "engine/narrator", "99"), 1, "no version 99"),
        (("tapes", "nobody"), 1, "no campaign 'nobody'"),
        (("frobnicate",), 2, "No such command"),
        (("roll", "1d6", "--seed", "many"), 2, "Invalid value"),
        (("--model", "nonsense", "turn", "a", "hello"), 1, "nonsense"),
        (("--model", "anthropic:x", "turn", "a", "hello"), 1, "anthropic_api_key"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_bad_input_is_told_what_to_do(
    played: Home, args: tuple[str, ...], code: int, says: str
) -> None:
    is_told(played.run(*args), code, says)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """One home for all the bad input of this file; nothing in it may change."""
    home = Home(tmp_path_factory.mktemp("bad") / "home")
    home.begin()
    (home.path / "notes.yaml").write_text("- milk\n- eggs\n", encoding="utf-8")
    before = [home.run("--json", verb).out for verb in ("campaigns", "scenarios")] + [
        home.json("state", "a")
    ]
    yield home
    assert before == [home.run("--json", verb).out for verb in ("campaigns", "scenarios")] + [
        home.json("state", "a")
    ]


def test_bad_input_under_json_is_a_document_too(home: Home) -> None:
    ran = home.run("turn", "nobody", "hello", "--json")
    assert "no campaign 'nobody'" in json.loads(ran.out)["error"]["message"]
    assert (ran.code, "no campaign 'nobody'" in ran.err) == (1, True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("modle = 'x'", "did you mean `model`?"),
        ("model = ", "does not read as TOML"),
        ("retries = -1", "`retries`"),
    ],
)
def test_a_broken_settings_file_is_named(home: Home, text: str, says: str) -> None:
    (home.path / "freeform.toml").write_text(text)
    ran = home.run("settings")
    is_told(ran, 1, says)
    assert "freeform.toml" in ran.err


def test_a_broken_scenario_is_named_with_its_line(home: Home) -> None:
    (home.path / "scenarios" / "bad.yaml").write_text("id: bad\nname: Bad\nstart: [nowhere\n")
    is_told(home.run("new-game", "--scenario", "bad"), 1, "bad.yaml:")


def test_broken_answers_are_named_with_their_line(home: Home) -> None:
    (home.path / "zero.yaml").write_text("tone: dry\nhero: nobody\nlins: [spiders]\n")
    is_told(
        home.run("new-game", "--scenario", "cellar", "--answers", "zero.yaml"),
        1,
        "zero.yaml:3: lins",
    )


def test_a_home_that_cannot_be_written_is_named(home: Home) -> None:
    (home.path / "file").write_text("")
    ran = home.run("new-game", "--scenario", "dead_drop", "--home", str(home.path / "file"))
    assert ran.code == 1
    assert "Traceback" not in ran.err


def test_a_reader_that_leaves_early_is_no_trouble(home: Home) -> None:
    import subprocess
    import sys

    home.begin()
    command = f"{sys.executable} -m freeform --model offline state a --json | head -c 5"
    done = subprocess.run(
        ["sh", "-c", command],
        env=home.environ,
        cwd=home.path,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_escape_sequences_in_what_is_typed_never_reach_the_terminal(home: Home) -> None:
    home.begin()
    ran = home.run("turn", "a", "I say \x1b]0;pwned\x07 to Orla")
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "\x07" not in ran.out
