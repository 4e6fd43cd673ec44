"""READ THIS FIRST. Replay: the log's own turns, played again by the same `take_turn`, and compared
byte by byte.

    log ──> the state before turn N ──> take_turn (tapes, recorded prompts, seed, take, id) ──>
    compare ──> next turn
                                        in a scratch store: the campaign stays as it was

Each turn starts from what was *recorded* before it, so one changed turn changes no other. Nothing
overridden: only tapes answer, and every byte must agree. With another prompt, model or seed: what
no tape answers is asked anew.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from freeform.core.clock import Clock
from freeform.core.errors import NotFound, UserError
from freeform.core.ids import CountedIds
from freeform.core.llm.gateway import Gateway
from freeform.core.llm.prompts import PromptRegistry
from freeform.core.record import Record
from freeform.engine.context import MAX_TOKENS
from freeform.engine.log import Begun, Entry, Narrated, Resolved
from freeform.engine.ports import StateStore, SuggestionEar, WorldGrower
from freeform.engine.rules.change import join
from freeform.engine.shelf.books import Books
from freeform.engine.shelf.recall import RecalledPiece, TapedRecall
from freeform.engine.shelf.scene_lore import SceneLoreKeeper
from freeform.engine.table import Rules, Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.two_calls import REFEREE
from freeform.engine.world.by_hand import BY_PEN, GAME_MASTER
from freeform.engine.world.model import TurnResult
from freeform.evals.compare import Difference, differences
from freeform.evals.metrics import Finding, look_at, sum_up
from freeform.evals.taped import ReplayGateway, TapedNotes, TurnTapes, recorded_pins
from freeform.evals.walk import TurnStep
from freeform.language.meaning.answers import AnswerFinder
from freeform.language.meaning.sense import RememberedSense
from freeform.language.meaning.topics import Topics

PAGE = 50
"""Turns read from the log at a time."""


class Overrides(Record):
    """What a replay changes. Nothing: it must come out the same."""

    prompts: dict[str, int] = Field(default_factory=dict)
    model: str = ""
    seed: int | None = None

    @property
    def any(self) -> bool:
        """Whether anything is changed."""
        return bool(self.prompts or self.model or self.seed is not None)


@dataclass(frozen=True)
class Bench:
    """What a replay is played on: a store to throw away, and models where something is asked
    anew."""

    new_store: Callable[[], StateStore]
    gateway: Callable[[Mapping[str, str]], Gateway]
    """Models by role (`interpreter`, `narrator` …); the role '' is any other."""
    prompts: PromptRegistry
    clock: Clock
    books: Books | None = None
    ear: SuggestionEar | None = None
    """The ear that suggestions were tried with, so that the same ones are left."""
    topics: Topics | None = None
    answers: AnswerFinder | None = None
    sense: RememberedSense | None = None
    """What held lines and veils by meaning, so that the same sentences fall."""
    grower: WorldGrower | None = None


class ReplayedTurn(Record):
    """A turn, and where it is not what was recorded. `asked`: passes that no tape answered."""

    turn_no: int
    same: bool
    diffs: list[Difference] = Field(default_factory=list)
    asked: list[str] = Field(default_factory=list)


class SideBySide(Record):
    """The prose of a turn, as recorded and as replayed."""

    turn_no: int
    player_input: str
    recorded: str
    replayed: str
    same: bool


class ReplayReport(Record):
    """What `replay --json` prints."""

    campaign: str
    overrides: Overrides
    turns: list[ReplayedTurn]
    metrics: dict[str, Any]
    recorded_metrics: dict[str, Any]
    side_by_side: list[SideBySide]
    notes: list[str] = Field(default_factory=list)

    @property
    def changed(self) -> list[int]:
        """The turns that came out otherwise."""
        return [turn.turn_no for turn in self.turns if not turn.same]


@dataclass(frozen=True)
class Rerun:
    """A turn as it was and as it came out this time."""

    recorded: TurnStep
    replayed: TurnStep
    result: TurnResult
    asked: list[str]


class TurnOutcome(Record):
    """A replayed turn with everything a report is made of."""

    turn: ReplayedTurn
    side: SideBySide
    then: Finding
    now: Finding


async def replay(
    campaign: str,
    table: Table,
    bench: Bench,
    overrides: Overrides | None = None,
    first: int = 1,
    last: int | None = None,
) -> ReplayReport:
    """Plays the turns again and says what differs. NotFound names the call that no tape answers."""
    changed = overrides or Overrides()
    found = await outcomes(campaign, table, bench, changed, first, last)
    return report_of(campaign, changed, found, await notes(campaign, table))


def report_of(
    campaign: str, overrides: Overrides, found: Sequence[TurnOutcome], told: Sequence[str] = ()
) -> ReplayReport:
    """The turns as one report. Prose stands side by side where it may differ."""
    return ReplayReport(
        campaign=campaign,
        overrides=overrides,
        turns=[outcome.turn for outcome in found],
        metrics=sum_up([outcome.now for outcome in found]),
        recorded_metrics=sum_up([outcome.then for outcome in found]),
        side_by_side=[o.side for o in found if overrides.any or not o.turn.same],
        notes=list(told),
    )


async def outcomes(
    campaign: str,
    table: Table,
    bench: Bench,
    overrides: Overrides,
    first: int = 1,
    last: int | None = None,
) -> list[TurnOutcome]:
    """Each turn of the range, replayed, compared and measured."""
    found = list[TurnOutcome]()
    told_then, told_now = list[str](), list[str]()
    async for rerun in _reruns(campaign, table, bench, overrides, first, last):
        if isinstance(rerun, str):
            told_then.append(rerun)
            told_now.append(rerun)
            continue
        diffs = compare_turns(rerun.recorded, rerun.replayed)
        number, same = rerun.recorded.turn_no, not diffs
        texts = (rerun.recorded.text, rerun.replayed.text)
        then = look_at(rerun.recorded, told_then)
        found.append(
            TurnOutcome(
                turn=ReplayedTurn(turn_no=number, same=same, diffs=diffs, asked=rerun.asked),
                side=SideBySide(
                    turn_no=number,
                    player_input=rerun.recorded.resolved.player_input,
                    recorded=texts[0],
                    replayed=texts[1],
                    same=texts[0] == texts[1],
                ),
                then=then,
                now=then if same and told_then == told_now else look_at(rerun.replayed, told_now),
            )
        )
        told_then.append(texts[0])
        told_now.append(texts[1])
    return found


async def rerun_turn(
    campaign: str, turn_no: int, table: Table, bench: Bench, overrides: Overrides | None = None
) -> TurnResult:
    """One turn again. The campaign stays as it was."""
    return (await rerun_turns(campaign, turn_no, turn_no, table, bench, overrides))[0]


async def rerun_turns(
    campaign: str,
    first: int,
    last: int,
    table: Table,
    bench: Bench,
    overrides: Overrides | None = None,
) -> list[TurnResult]:
    """Turns again, each from what was recorded before it."""
    found = _reruns(campaign, table, bench, overrides or Overrides(), first, last)
    return [rerun.result async for rerun in found if isinstance(rerun, Rerun)]


async def _reruns(
    campaign: str,
    table: Table,
    bench: Bench,
    overrides: Overrides,
    first: int = 1,
    last: int | None = None,
) -> AsyncIterator[Rerun | str]:
    """Each turn of the range, replayed; of the turns before it, only their prose."""
    head = await table.store.head(campaign)
    end = head.turn_no if last is None else last
    if head.turn_no == 0:
        raise UserError(f"there is nothing to replay in '{campaign}': no turn has been played")
    if not 1 <= first <= end <= head.turn_no:
        raise UserError(f"no turns {first}-{end} in '{campaign}'; choose from 1 to {head.turn_no}")
    for id, version in overrides.prompts.items():
        bench.prompts.get(id, version)
    begun = await table.store.begun(campaign)
    scratch = bench.new_store()
    used = begun if overrides.seed is None else begun.model_copy(update={"seed": overrides.seed})
    await scratch.create(campaign, used)
    tapes = TurnTapes(table.tapes)
    async for number, entries in _by_turn(campaign, table.store, end):
        if first <= number <= end and _is_told_by_model(entries):
            yield await _rerun(campaign, entries, begun, scratch, tapes, bench, overrides)
            continue
        await _follow(campaign, entries, scratch)
        if number:
            yield next((entry.final_text for entry in entries if isinstance(entry, Narrated)), "")


async def _rerun(
    campaign: str,
    entries: list[Entry],
    begun: Begun,
    scratch: StateStore,
    tapes: TurnTapes,
    bench: Bench,
    overrides: Overrides,
) -> Rerun:
    """Plays one turn, then puts the recorded one in its place."""
    resolved, narrated = _halves(entries)
    assert narrated is not None, "a turn without its prose is not replayed"
    labels = {**resolved.prompt_versions, **narrated.prompt_versions}
    pins = recorded_pins(labels, bench.prompts, resolved.turn_no, exact=not overrides.any)
    models = {**resolved.model, **narrated.model}
    names = {"": overrides.model} if overrides.model else {"": "offline", **models}
    gateway = ReplayGateway(
        tapes=tapes,
        prompts=bench.prompts,
        clock=bench.clock,
        anew=bench.gateway(names) if overrides.any else None,
        fresh=bool(overrides.model),
        pins={**pins, **overrides.prompts},
        seed=f"{begun.seed}/{resolved.turn_no}/{resolved.take}",
    )
    notes = TapedNotes(await tapes.of_turn(campaign, resolved.turn_no))
    lore = SceneLoreKeeper(bench.books, notes, bench.clock) if bench.books and notes.any else None
    scene = Table(
        store=scratch,
        gateway=gateway,
        tapes=tapes,
        clock=bench.clock,
        ids=CountedIds(),
        lore=lore,
        ear=bench.ear,
        topics=bench.topics,
        answers=bench.answers,
        sense=bench.sense,
        grower=bench.grower,
        recall=TapedRecall([*map(RecalledPiece.model_validate, resolved.lore.get("recalled", []))]),
        passes="two" if REFEREE.id in resolved.prompt_versions else "three",
        packet_tokens=resolved.packet_tokens or MAX_TOKENS,
    )
    back = await scratch.head(campaign)
    before = (await scratch.get_state(campaign)).at_turn(resolved.turn_no)
    say = Say(
        campaign=campaign, text=resolved.player_input, turn_id=resolved.turn_id, take=resolved.take
    )
    result = await take_turn(say, scene)
    again = await scratch.find_turn(campaign, resolved.turn_id)
    new_facts, new_words = _halves([logged.entry for logged in again])
    rules = Rules.of(await scratch.begun(campaign), bench.topics, bench.sense)
    after_it = await scratch.get_state(campaign)
    replayed = TurnStep(rules.knowing(after_it), before, new_facts, after_it, new_words)
    await scratch.move(campaign, back.entry, after=await scratch.head(campaign))
    await _follow(campaign, entries, scratch)
    after = await scratch.get_state(campaign)
    recorded = Rules.of(begun, bench.topics, bench.sense)
    return Rerun(
        TurnStep(recorded.knowing(after), before, resolved, after, narrated),
        replayed,
        result,
        gateway.asked,
    )


def compare_turns(recorded: TurnStep, replayed: TurnStep) -> list[Difference]:
    """Every output of a turn, byte by byte."""
    sides = [_outputs(moment) for moment in (recorded, replayed)]
    return [
        found for part in sides[0] for found in differences(part, sides[0][part], sides[1][part])
    ]


def _outputs(moment: TurnStep) -> dict[str, Any]:
    facts, words = moment.resolved, moment.narrated
    parts: dict[str, Any] = {
        "interpreter": facts.interpreter,
        "validator": facts.validator,
        "planner": facts.planner,
        "rolls": facts.rolls,
        "engine_events": facts.engine_events,
        "state_diff": join(facts.state_diff, words.state_diff) if words else facts.state_diff,
        "narrator": words.narrator if words else None,
        "final_text": words.final_text if words else None,
    }
    return {name: _plain(part) for name, part in parts.items()}


def _plain(part: Any) -> Any:
    if isinstance(part, list):
        return [_plain(row) for row in part]
    return part.model_dump(mode="json") if hasattr(part, "model_dump") else part


async def _by_turn(
    campaign: str, store: StateStore, end: int
) -> AsyncIterator[tuple[int, list[Entry]]]:
    """The entries of each turn, read a page at a time; turn 0 is what was changed before the
    first."""
    for first in range(0, end + 1, PAGE):
        page: dict[int, list[Entry]] = {}
        for logged in await store.read(campaign, first, min(end, first + PAGE - 1)):
            if not isinstance(logged.entry, Begun):
                page.setdefault(logged.turn_no, []).append(logged.entry)
        for number, entries in page.items():
            yield number, entries


def _is_told_by_model(entries: list[Entry]) -> bool:
    """Whether a turn has prose that can be told again; a person's own words stand as they are."""
    told = [entry for entry in entries if isinstance(entry, Narrated)]
    by_pen = any(isinstance(e, Resolved) and e.interpreter.intent == BY_PEN for e in entries)
    return bool(told) and not by_pen and told[-1].model.get("narrator") != GAME_MASTER


async def _follow(campaign: str, entries: list[Entry], scratch: StateStore) -> None:
    """The recorded entries as they were."""
    await scratch.append(campaign, entries, after=await scratch.head(campaign))


def _halves(entries: list[Entry]) -> tuple[Resolved, Narrated | None]:
    resolved = next((entry for entry in entries if isinstance(entry, Resolved)), None)
    if resolved is None:
        raise NotFound("the turn left no facts behind; play it again")
    return resolved, next((entry for entry in entries if isinstance(entry, Narrated)), None)


async def notes(campaign: str, table: Table) -> list[str]:
    """What a reader should know of the log itself."""
    tail = [logged.entry for logged in await table.store.tail(campaign, 1)]
    if any(isinstance(entry, Narrated) for entry in tail):
        return []
    return ["the last turn has no prose yet and was left out"]
