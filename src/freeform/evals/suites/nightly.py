"""The nightly party: many headless campaigns of the bundled scenarios, and every metric over all of their turns."""

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import Field

from freeform.core.chance import Chance
from freeform.core.errors import FreeformError
from freeform.core.record import Record
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.table import Rules, Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.state import PLAYER, GameState
from freeform.evals.metrics import Finding, findings, sum_up
from freeform.evals.report import SuiteReport

_WEIGHTS = (("suggestion", 5), ("way", 2), ("topic", 3), ("look", 1), ("thing", 1), ("odd", 1))
_ODD = (
    "I fly to the moon", "I draw my golden sword", "I ask Nobody Atall about the weather", "I eat the whole building",
    "hm", "I take everything", "I tell them the king is dead", "go north", "what do I have?", "I wait",
)  # fmt: skip


def next_line(state: GameState, rules: Rules, suggested: list[str], chance: Chance) -> str:
    """What to type next, by the seed alone."""
    pool = [kind for kind, weight in _WEIGHTS for _ in range(weight)]
    for kind in chance.at("kind").shuffled(pool):
        if line := _line(kind, state, rules, suggested, chance.at(kind)):
            return line
    return "look around"


def _line(kind: str, state: GameState, rules: Rules, suggested: list[str], chance: Chance) -> str:
    here = state.scene.location_id
    people = [who for who in state.scene.present_entity_ids if who != PLAYER]
    match kind:
        case "suggestion":
            return chance.choose(suggested) if suggested else ""
        case "way":
            ways = rules.exits(here, state)
            return f"go to {state.name(chance.choose(ways).to)}" if ways else ""
        case "topic":
            return (
                f"ask {state.name(chance.choose(people))} about {_topic(state, chance)}"
                if people
                else ""
            )
        case "look":
            return chance.choose(
                ["look around", "search the place", "wait a while", "think about what I know"]
            )
        case "thing":
            things = [*state.held(here), *state.held(PLAYER)]
            if not things:
                return ""
            held = chance.choose(things)
            verb = "take" if held.owner_id == here else chance.choose(["look at", "use", "drop"])
            return f"{verb} the {state.name(held.item_id)}"
        case _:
            return chance.choose(_ODD)


def _topic(state: GameState, chance: Chance) -> str:
    """Something the player may have heard of."""
    met = [
        e.name
        for e in state.entities.values()
        if e.type in ("npc", "location") and state.value(e.id, "met")
    ]
    open_questions = [
        thread.title for thread in state.threads.values() if thread.status == "active"
    ]
    known = [e.name for e in state.entities.values() if e.attrs.get("known")]
    return chance.choose([*met, *open_questions, *known, "the news"])


SEED = 7_000


class NightJob(Record):
    """One campaign."""

    scenario: str
    seed: int
    turns: int


class NightResult(Record):
    """What came of it. `problem`: why it stopped early."""

    job: NightJob
    found: list[Finding] = Field(default_factory=list)
    endings: list[str] = Field(default_factory=list)
    problem: str = ""


Night = Callable[[Sequence[NightJob]], list[NightResult]]


async def play_night(job: NightJob, scenario: Scenario, table: Table) -> NightResult:
    """Plays one campaign with a wanderer, and looks at every turn."""
    name = f"{job.scenario}-{job.seed}"
    begun = await begin(scenario, name, job.seed, Answers(), table)
    rules, suggested, problem = Rules.of(begun), begun.suggested_actions, ""
    for number in range(1, job.turns + 1):
        state = await table.store.get_state(name)
        line = next_line(state, rules, suggested, Chance(job.seed, "wanderer", number))
        try:
            result = await take_turn(
                Say(campaign=name, text=line, turn_id=f"{name}/{number}"), table
            )
        except FreeformError as wrong:
            problem = f"turn {number}, '{line}': {wrong}"
            break
        suggested = result.suggested_actions
    entries = [logged.entry for logged in await table.store.read(name)]
    state = await table.store.get_state(name)
    ended = [e.id for e in scenario.endings if state.value("campaign", f"ended:{e.id}")]
    return NightResult(job=job, found=findings(begun, entries), endings=ended, problem=problem)


def run_nightly(
    scenarios: Sequence[str], campaigns: int, turns: int, play: Night, seed: int = SEED
) -> SuiteReport:
    """So many campaigns, shared out among the scenarios."""
    jobs = [
        NightJob(scenario=scenarios[number % len(scenarios)], seed=seed + number, turns=turns)
        for number in range(campaigns)
    ]
    results = play(jobs)
    everything = [finding for result in results for finding in result.found]
    return SuiteReport(
        suite="nightly",
        n=len(results),
        metrics={
            **sum_up(everything),
            "stopped_early": sum(bool(result.problem) for result in results),
        },
        cases=[_case(result) for result in results],
    )


def _case(result: NightResult) -> dict[str, Any]:
    faults = [
        {"turn_no": found.turn_no, **{name: value for name, value in kinds.items() if value}}
        for found in result.found
        if any(
            (
                kinds := {
                    "contradicted": found.contradicted,
                    "accepted": found.accepted,
                    "refused_wrongly": found.refused_wrongly,
                    "leaked": found.leaked,
                }
            ).values()
        )
    ]
    told = {"endings": result.endings, "problem": result.problem, "faults": faults}
    return {**result.job.model_dump(), **sum_up(result.found), **told}
