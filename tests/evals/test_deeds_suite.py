"""The suite `deeds`: what it counts as an effect, as agreement, as a wrong refusal."""

from pathlib import Path

from freeform.evals.suites.deeds.gold import GoldDeed, read_deeds
from freeform.evals.suites.deeds.suite import SETS, deed_sets, figures, play_deeds, run_deeds
from freeform.evals.suites.first_runs import FILE, SetWish
from tests.engine.cellar import scenario
from tests.evals.played import memory_table


def deed(id: str, say: str, *becomes: str, **more: object) -> GoldDeed:
    """A case at the inn."""
    told = {"id": id, "scenario": "cellar", "say": say, "becomes": list(becomes), **more}
    return GoldDeed.model_validate(told)


CASES = [
    deed("a", "I drape a cloth over the hearth.", "is covered", about=["hearth"]),
    deed("b", "I drape a cloth over the hearth.", "is burning", about=["hearth"]),
    deed("c", "I attack Finn.", "is hurt", about=["Finn"]),
    deed("d", "I take the throne.", about=["throne"], impossible=True),
    deed("e", "I toss the lamp to Orla.", "held by Orla", about=["lamp"]),
    deed("f", "I promise Orla my help.", "promised", about=["Orla"]),
]


async def test_a_deed_is_judged_by_state_and_prose() -> None:
    verdicts = await play_deeds(CASES, {"cellar": scenario()}, memory_table(), set())
    assert [one.effect for one in verdicts] == [True, False, False, False, True, True]
    assert [one.refused for one in verdicts] == [False, False, True, True, False, False]
    found = figures(CASES, verdicts)
    assert (found["n"], found["impossible_refused"]) == (5, 1)
    assert (found["effect_fits"], found["wrong_refusals"]) == (0.6, 0.2)


async def test_a_first_run_stands(tmp_path: Path) -> None:
    rows = "".join(f"  - {case.model_dump(mode='json')}\n" for case in CASES[:2])
    (tmp_path / "inn.yaml").write_text(f"deeds:\n{rows}", encoding="utf-8")
    (tmp_path / "same_inn.yaml").write_text(f"deeds:\n{rows}", encoding="utf-8")
    wish = SetWish(("inn", "same_inn"), first_run=True, date="2026-11-16", commit="abc")
    report = await run_deeds(wish, {"cellar": scenario()}, memory_table(), tmp_path)
    assert report.metrics["inn"]["first_run"]
    assert (tmp_path / FILE).is_file()
    assert [each.name for each in deed_sets(tmp_path)] == ["inn", "same_inn"]


def test_the_sixty_read() -> None:
    for measured in deed_sets(SETS):
        cases = read_deeds(measured.file)
        assert len({case.id for case in cases}) == 60
