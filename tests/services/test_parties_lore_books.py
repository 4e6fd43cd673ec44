"""What the services of parties, lore and books do that no door shows by itself."""

from pathlib import Path

import pytest

from freeform.core.errors import Conflict, NotFound, UserError
from freeform.players.model import RoundRecord, Waiting
from freeform.services.house import opened_house
from freeform.services.ingest.jobs import further_wishes, outcome_of
from freeform.services.lore.desk import decide, list_decisions
from freeform.services.party.parties import (
    PartyRequest,
    RunRequest,
    check_quiet,
    end_night,
    new_party,
    play_party,
)
from freeform.settings import Settings
from freeform.wiring.lore import opened_store
from tests.contracts.lore_cases import commit, decision


def offline(home: Path) -> Settings:
    return Settings.model_validate({"home": home, "model": "offline"})


async def test_a_party_is_played_by_one_door_at_a_time(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        request = PartyRequest(scenario="dead_drop", players="1", seed=7)
        name = (await new_party(house, request)).party
        refused: list[str] = []

        def hear(came: RoundRecord | Waiting) -> None:
            with pytest.raises(Conflict) as wrong:
                check_quiet(house, name)
            refused.append(str(wrong.value))

        await play_party(house, name, RunRequest(rounds=1), hear)
        assert refused == [f"'{name}' is playing; wait for its round to end"]
        assert (await end_night(house, name)).session == 2, "and is free again"


async def test_a_decision_is_named_by_a_beginning_that_fits_one(tmp_path: Path) -> None:
    settings = offline(tmp_path)
    async with opened_store(settings) as store:
        await store.commit_step(commit("k1", decisions=[decision("abc"), decision("abd")]))
    with pytest.raises(UserError, match="'ab' fits 2 decisions"):
        await decide(settings, "ab", "1", by="test")
    with pytest.raises(NotFound):
        await decide(settings, "", "1", by="test")
    done = await decide(settings, "abc", "1", by="test")
    assert (done.decision_id, done.already) == ("abc", False)
    assert (await decide(settings, "abc", "1", by="test")).already
    assert [one.decision_id for one in await list_decisions(settings)] == ["abd"]


def test_a_jobs_options_are_wishes_again() -> None:
    options = ["--pages=1-40,55", "--system-hint=d20", "--attribution=-- A=B", "--no-systems"]
    assert further_wishes(options) == {
        "pages": "1-40,55",
        "system_hint": "d20",
        "attribution": "-- A=B",
        "systems": False,
    }


@pytest.mark.parametrize(
    ("answer", "last_line", "error"),
    [
        (b'{"error": "book.pdf: is cut short."}', "", "book.pdf: is cut short."),
        (b"", "KeyError: 'x'", "this is a mistake in the program (KeyError: 'x')"),
        (b"", "", "without a word"),
    ],
)
def test_a_book_that_failed_says_why_in_one_sentence(
    answer: bytes, last_line: str, error: str
) -> None:
    outcome = outcome_of(answer, last_line)
    assert outcome["state"] == "failed" and error in outcome["error"]


def test_a_book_that_was_read_has_its_report() -> None:
    assert outcome_of(b'{"pack": "coast"}', "") == {"state": "done", "report": {"pack": "coast"}}
