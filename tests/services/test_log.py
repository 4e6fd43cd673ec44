"""The log: one line for each event, with the request that the tape has, and nobody's words in it."""

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.core.clock import HandClock
from freeform.core.errors import Unavailable
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.retry import Patience, RetryPolicy
from freeform.core.llm.tape import MemoryTapes
from freeform.core.log import is_request_id, read_line, request, tell
from freeform.services.faults import MOST_FAULTS, last_faults, log_problem
from freeform.services.logs import LARGEST_FILE, OLD_FILES, end_logs, log_file, set_up_logs
from freeform.settings import Settings
from freeform.wiring import make_gateway
from tests.core.scripted import TELL, Asked, HandSleep, Scripted, prompts
from tests.core.test_asking import CALL
from tests.retrieval.shelf import SHELF, fill

SECRET_WORDS = "the password of the vault is swordfish"
KEY = "sk-planted-key-0123456789"
LOG = logging.getLogger("freeform.test")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    """Lets go of the file after each test."""
    yield
    end_logs()


def lines(settings: Settings) -> list[dict[str, object]]:
    """The events of the log."""
    text = log_file(settings).read_text(encoding="utf-8") if log_file(settings).exists() else ""
    read = [read_line(line) for line in text.splitlines()]
    assert None not in read, text
    return [line for line in read if line is not None]


def gateway(folder: Path, model: Scripted, tapes: MemoryTapes, tries: int = 1) -> LiveGateway:
    """A gateway with one model, which answers or fails as its script has it."""
    clock = HandClock()
    return LiveGateway(
        ModelsByRole(model, Scripted("offline", "The lamp is lit.")),
        prompts=prompts(folder),
        tapes=tapes,
        clock=clock,
        patience=Patience(RetryPolicy(tries=tries), HandSleep(clock)),
    )


@pytest.mark.parametrize("form", ["text", "json"])
async def test_a_degraded_call_leaves_one_line_with_the_request_of_its_tape(
    form: str, tmp_path: Path
) -> None:
    settings = Settings(home=tmp_path, log_format=form)  # type: ignore[arg-type]
    set_up_logs(settings, on_screen=False)
    tapes = MemoryTapes()
    wrong = Unavailable(f"{SECRET_WORDS} {KEY}", passing=False)
    with request("req_one"):
        asked = Asked(text=SECRET_WORDS)
        await gateway(tmp_path / "p", Scripted("m", wrong), tapes).ask(TELL, asked, CALL)
    (line,) = lines(settings)
    assert line["event"] == "degraded" and line["level"] == "warning"
    assert (line["logger"], line["model"], line["part"]) == ("freeform.model", "m", "test/tell")
    assert {tape.request for tape in await tapes.of_turn("c1")} == {line["request"]} == {"req_one"}
    text = log_file(settings).read_text()
    assert "swordfish" not in text and KEY not in text


async def test_a_further_try_is_told_too(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    set_up_logs(settings, on_screen=False)
    model = Scripted("m", Unavailable(SECRET_WORDS), "At last.")
    asking = gateway(tmp_path / "p", model, MemoryTapes(), tries=3)
    await asking.ask(TELL, Asked(text="x"), CALL)
    (line,) = lines(settings)
    assert (line["event"], line["level"], line["kind"]) == ("retry", "info", "Unavailable")


def test_a_real_model_that_is_not_there_degrades_with_one_line(tmp_path: Path) -> None:
    settings = Settings(
        home=tmp_path, model="url:http://127.0.0.1:1/v1#m", retries=0, openai_api_key=SecretStr(KEY)
    )
    set_up_logs(settings, on_screen=False)

    async def play() -> None:
        from freeform.engine.campaign.sessions import SUMMARIZE, SessionInput

        asked = SessionInput(
            campaign="A", highlights=[], last_words=SECRET_WORDS, open_threads=["Why?"]
        )
        asking = await make_gateway(settings, MemoryTapes(), HandClock())
        await asking.ask(SUMMARIZE, asked, CALL)

    asyncio.run(play())
    (line,) = [line for line in lines(settings) if line["level"] == "warning"]
    assert line["event"] == "degraded"
    text = log_file(settings).read_text()
    assert "swordfish" not in text and KEY not in text


async def test_an_index_that_is_rebuilt_or_set_aside_is_told(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    set_up_logs(settings, on_screen=False)
    (tmp_path / "index.db").write_bytes(b"no database at all" * 100)
    await fill(SqlitePassages(tmp_path / "index.db"), SHELF)
    aside, rebuilt = lines(settings)
    assert (aside["event"], aside["level"]) == ("index_set_aside", "warning")
    assert (rebuilt["event"], str(rebuilt["changed"])) == ("index_rebuilt", str(len(SHELF)))


def test_a_key_in_a_field_is_blotted_out(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, anthropic_api_key=SecretStr(KEY))
    set_up_logs(settings, on_screen=False)
    tell(LOG, logging.ERROR, "odd", note=f"it said {KEY}")
    assert KEY not in log_file(settings).read_text()


def test_standard_error_has_warnings_and_the_file_has_more(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(home=tmp_path)
    set_up_logs(settings)
    tell(LOG, logging.INFO, "small")
    tell(LOG, logging.WARNING, "large", note='two words and a "quote"')
    shown = capfd.readouterr()
    assert shown.out == "" and "large" in shown.err and "small" not in shown.err
    assert [line["event"] for line in lines(settings)] == ["small", "large"]
    assert lines(settings)[1]["note"] == 'two words and a "quote"'


def test_the_level_is_a_setting(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, log_level="error")
    set_up_logs(settings, on_screen=False)
    tell(LOG, logging.WARNING, "large")
    assert not log_file(settings).exists()


def test_the_log_stays_small(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    set_up_logs(settings, on_screen=False)
    for _ in range(LARGEST_FILE // 200 * (OLD_FILES + 3)):
        tell(LOG, logging.ERROR, "odd", note="x" * 190)
    files = list((tmp_path / "logs").iterdir())
    assert len(files) == OLD_FILES + 1
    assert all(file.stat().st_size <= LARGEST_FILE for file in files)


@pytest.mark.parametrize("place", ["a file where the folder should be", "a full disk"])
async def test_a_log_that_cannot_be_written_breaks_nothing(
    place: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if place == "a full disk":
        settings = Settings(home=tmp_path, log_file=Path("/dev/full"))
    else:
        (tmp_path / "logs").write_text("in the way")
        settings = Settings(home=tmp_path)
    set_up_logs(settings, on_screen=False)
    model = Scripted("m", Unavailable("it is down", passing=False))
    answer = await gateway(tmp_path / "p", model, MemoryTapes()).ask(TELL, Asked(text="x"), CALL)
    end_logs()
    assert answer.model == "offline"
    assert capfd.readouterr().err == ""


def test_the_doctor_is_told_where_no_log_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("in the way")
    assert "cannot be written" in log_problem(Settings(home=tmp_path))
    assert log_problem(Settings(home=tmp_path / "new")) == ""


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_last_faults_are_read_back_with_what_to_do(form: str, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, log_format=form)  # type: ignore[arg-type]
    assert last_faults(settings) == []
    set_up_logs(settings, on_screen=False)
    for number in range(MOST_FAULTS + 3):
        tell(LOG, logging.INFO, "index_rebuilt", changed=number)
        with request(f"req_{number}"):
            tell(LOG, logging.WARNING, "degraded", model="m", part="a/b")
    faults = last_faults(settings)
    assert len(faults) == MOST_FAULTS
    assert faults[-1].request == f"req_{MOST_FAULTS + 2}"
    assert faults[-1].details == "model m, part a/b"
    assert "freeform-rpg models" in faults[-1].do and faults[-1].at.endswith("Z")


def test_lines_of_others_in_the_file_are_passed_over(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    log_file(settings).parent.mkdir()
    log_file(settings).write_bytes(b"\xff\xfe nonsense\n{broken\n[1]\n{}\nWARNING hello\n")
    assert last_faults(settings) == []


@pytest.mark.parametrize(
    ("text", "fits"),
    [("req_1", True), ("", False), ("a b", False), ("x" * 65, False), ("a\n", False)],
)
def test_a_strangers_request_id_is_taken_only_if_it_is_plain(text: str, fits: bool) -> None:
    assert is_request_id(text) is fits


def test_json_lines_are_one_object_each(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, log_format="json")
    set_up_logs(settings, on_screen=False)
    tell(LOG, logging.ERROR, "odd", note="a\nb")
    (line,) = log_file(settings).read_text().splitlines()
    assert json.loads(line)["note"] == "a b"
