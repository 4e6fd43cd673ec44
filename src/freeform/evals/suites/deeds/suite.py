"""The suite `deeds`: sixty things nobody authored, each typed on the first turn of a campaign."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from freeform.core.text import slug
from freeform.engine.authored.library import load_scenario
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.evals.metrics import share
from freeform.evals.report import SuiteReport
from freeform.evals.suites.deeds.gold import GoldDeed, read_deeds
from freeform.evals.suites.deeds.judge import DeedVerdict, PlayedDeed, judge
from freeform.evals.suites.first_runs import MeasuredSet, SetWish, beside_first_run, choose_sets
from freeform.evals.suites.hearing.suite import BLIND

SETS = Path(__file__).parent / "sets"
SEED = 3
CAMPAIGN = "deeds"
SHARES = ("effect_fits", "prose_state_agree", "wrong_refusals")


def deed_sets(folder: Path = SETS) -> list[MeasuredSet]:
    """Every set; the first run of each stands."""
    return [
        MeasuredSet(file.stem, file, folder)
        for file in sorted(folder.glob("*.yaml"))
        if file.stem != "first_runs"
    ]


async def run_deeds(
    wish: SetWish, scenarios: dict[str, Scenario], table: Table, folder: Path = SETS
) -> SuiteReport:
    """The chosen sets; what each had at its first run stands beside it."""
    chosen, notes = choose_sets(deed_sets(folder), wish)
    metrics, rows = dict[str, Any](), list[dict[str, Any]]()
    begun: set[str] = set()
    for each in chosen:
        cases = read_deeds(each.file)
        verdicts = await play_deeds(cases, scenarios, table, begun)
        today = figures(cases, verdicts)
        shares = {name: today[name] for name in SHARES}
        metrics[each.name] = {**today, **beside_first_run(each, wish, today["n"], shares)}
        rows += [
            {"set": each.name, "say": case.say, **verdict.model_dump(mode="json")}
            for case, verdict in zip(cases, verdicts, strict=True)
        ]
    return SuiteReport(suite="deeds", n=len(rows), metrics=metrics, cases=rows, notes=notes)


async def play_deeds(
    cases: Sequence[GoldDeed], scenarios: dict[str, Scenario], table: Table, begun: set[str]
) -> list[DeedVerdict]:
    """Every case from the beginning of its scenario: a bundled one, or a story that lies with the
    blind sets of hearing. `begun` are the scenarios whose campaign another set has begun."""
    verdicts = []
    for case in cases:
        campaign = f"{CAMPAIGN}_{slug(case.scenario)}"
        if case.scenario not in begun:
            told = scenarios.get(case.scenario) or load_scenario(str(BLIND / case.scenario))
            await begin(told, campaign, SEED, Answers(), table)
            begun.add(case.scenario)
        verdicts.append(await _play(case, campaign, table))
    return verdicts


async def _play(case: GoldDeed, campaign: str, table: Table) -> DeedVerdict:
    """One case; the campaign is then where it was."""
    start = await table.store.head(campaign)
    before = await table.store.get_state(campaign)
    result = await take_turn(Say(campaign=campaign, text=case.say), table)
    after = await table.store.get_state(campaign)
    head = await table.store.head(campaign)
    await table.store.move(campaign, start.entry, after=head)
    return judge(PlayedDeed(case, before, after, result))


def figures(cases: Sequence[GoldDeed], verdicts: Sequence[DeedVerdict]) -> dict[str, Any]:
    """The shares, over what can be done; refusals of the impossible are counted apart."""
    judged = [verdict for case, verdict in zip(cases, verdicts, strict=True) if not case.impossible]
    n = len(judged)
    return {
        "n": n,
        "effect_fits": share(sum(one.effect for one in judged), n),
        "prose_state_agree": share(sum(one.agrees for one in verdicts), len(verdicts)),
        "wrong_refusals": share(sum(one.refused for one in judged), n),
        "asked": share(sum(one.asked for one in judged), n),
        "impossible": len(cases) - n,
        "impossible_refused": sum(
            verdict.refused
            for case, verdict in zip(cases, verdicts, strict=True)
            if case.impossible
        ),
    }
