"""Golden transcripts: short games written down once; under the same prompts and seed they must come
out the same.

A file `*.json` holds the scenario, the seed, the prompts pinned, and for each turn what was typed,
the dice, digests of the events and of the state's change, and the prose itself, so that a
difference can be read.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from freeform.core.errors import BadFile
from freeform.core.llm.prompts import PromptRegistry
from freeform.core.record import Record, canonical
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.campaign.prompt_pins import pin
from freeform.engine.passes import PASSES
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from freeform.evals.compare import Difference
from freeform.evals.metrics import share
from freeform.evals.report import SuiteReport
from freeform.evals.taped import version_of

CAMPAIGN = "golden"
Load = Callable[[str], Scenario]


class GoldenTurn(Record):
    """One turn as it must come out."""

    input: str
    rolls: list[str] = Field(default_factory=list)
    events: list[str] = Field(default_factory=list)
    """The kinds of events, to read; `events_digest` holds all of each."""
    events_digest: str
    state_digest: str
    final_text: str


class GoldenTranscript(Record):
    """A game that must come out the same."""

    format: int = 1
    name: str
    scenario: str
    seed: int
    prompts: dict[str, str]
    """Prompt id -> its label, version and digest included."""
    scenario_digest: str
    turns: list[GoldenTurn]


async def record_golden(
    name: str,
    scenario: Scenario,
    seed: int,
    inputs: Sequence[str],
    prompts: PromptRegistry,
    table: Table,
) -> GoldenTranscript:
    """Plays the inputs and writes down what came of them."""
    labels = {pass_.id: prompts.get(pass_.id).label for pass_ in PASSES}
    turns = await _play(scenario, seed, inputs, labels, table)
    return GoldenTranscript(
        name=name,
        scenario=scenario.id,
        seed=seed,
        prompts=labels,
        scenario_digest=digest(scenario),
        turns=turns,
    )


async def check_golden(
    golden: GoldenTranscript, scenario: Scenario, prompts: PromptRegistry, table: Table
) -> list[tuple[int, Difference]]:
    """Where the game comes out otherwise: the turn (0: before play) and the difference."""
    found = []
    for id, label in golden.prompts.items():
        now = prompts.get(id, version_of(label)[1]).label
        if now != label:
            found.append((0, Difference(part="prompts", path=id, recorded=label, replayed=now)))
    if (now := digest(scenario)) != golden.scenario_digest:
        recorded = golden.scenario_digest
        found.append(
            (0, Difference(part="scenario", path=golden.scenario, recorded=recorded, replayed=now))
        )
    turns = await _play(
        scenario, golden.seed, [turn.input for turn in golden.turns], golden.prompts, table
    )
    for number, (then, now_) in enumerate(zip(golden.turns, turns, strict=True), start=1):
        before, after = then.model_dump(mode="json"), now_.model_dump(mode="json")
        found += [
            (number, Difference(part=part, path="", recorded=before[part], replayed=after[part]))
            for part in before
            if before[part] != after[part]
        ]
    return found


async def run_golden(
    files: Sequence[Path], load: Load, prompts: PromptRegistry, new_table: Callable[[], Table]
) -> SuiteReport:
    """Every transcript."""
    cases = []
    for path in files:
        golden = read_golden(path)
        found = await check_golden(golden, load(golden.scenario), prompts, new_table())
        cases.append(_case(path, golden, found))
    turns = sum(case["turns"] for case in cases)
    return SuiteReport(
        suite="golden",
        n=len(cases),
        metrics={
            "same": share(sum(case["same"] for case in cases), len(cases)),
            "turns_same": share(turns - sum(len(case["changed_turns"]) for case in cases), turns),
            "turns": turns,
        },
        cases=cases,
    )


def read_golden(path: Path) -> GoldenTranscript:
    """A transcript; BadFile says what is wrong with it."""
    try:
        return GoldenTranscript.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadFile(path.name, f"cannot be read ({wrong})") from None
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise BadFile(
            path.name, f"is no golden transcript: {where}: {first['msg']}; record it again"
        ) from None


def write_golden(path: Path, golden: GoldenTranscript) -> None:
    """For people to read, too."""
    text = json.dumps(golden.model_dump(mode="json"), ensure_ascii=False, indent=1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")


def digest(value: Any) -> str:
    """A short name for a value: equal values have equal ones."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:16]


async def _play(
    scenario: Scenario, seed: int, inputs: Sequence[str], labels: dict[str, str], table: Table
) -> list[GoldenTurn]:
    await begin(scenario, CAMPAIGN, seed, Answers(), table)
    for label in labels.values():
        id, version, _ = version_of(label)
        await pin(CAMPAIGN, id, version, table)
    return [
        _turn(
            text,
            await take_turn(Say(campaign=CAMPAIGN, text=text, turn_id=f"golden/{number}"), table),
        )
        for number, text in enumerate(inputs, start=1)
    ]


def _turn(text: str, result: TurnResult) -> GoldenTurn:
    return GoldenTurn(
        input=text,
        rolls=[roll.text for roll in result.rolls],
        events=[event.type for event in result.engine_events],
        events_digest=digest([event.model_dump(mode="json") for event in result.engine_events]),
        state_digest=digest(result.state_diff),
        final_text=result.final_text,
    )


def _case(
    path: Path, golden: GoldenTranscript, found: list[tuple[int, Difference]]
) -> dict[str, Any]:
    return {
        "transcript": path.name,
        "scenario": golden.scenario,
        "turns": len(golden.turns),
        "same": not found,
        "changed_turns": sorted({number for number, _ in found if number}),
        "diffs": [
            {"turn_no": number, **diff.model_dump(mode="json")} for number, diff in found[:20]
        ],
    }
