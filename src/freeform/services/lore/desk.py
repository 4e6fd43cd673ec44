"""The lore researcher's desk: where it stands, what it asks, the world it found, and its pack."""

from pathlib import Path

from freeform.core.clock import Clock, SystemClock
from freeform.core.errors import NotFound, UserError
from freeform.core.record import Record
from freeform.lore.daemon.work_zone import STEPS
from freeform.lore.messages import Decision
from freeform.lore.model import Kind, LoreGraph, ResearchCheckpoint
from freeform.lore.ports import LoreStore, Spend
from freeform.lore.publish.facts import NodeFacts, OptionEvidence, evidence_for, facts_of
from freeform.lore.publish.graph_view import shown_graph
from freeform.lore.publish.publish import publish
from freeform.packs.model import Problem
from freeform.settings import Settings
from freeform.wiring.lore import begun, opened_store


class Work(Record):
    """One game at work: where it stands, what it has spent, and what it may."""

    game: str
    checkpoint: ResearchCheckpoint
    spent: Spend
    per_cycle: int
    per_day: int
    last_at: str = ""
    """When its last step was done."""
    open_decisions: int = 0


class Works(Record):
    """Every game, the one last worked on first; and what the ten steps are called."""

    works: list[Work]
    steps: list[str]


class DecisionAnswered(Decision):
    """A decision after an answer. `already`: it was answered before, and nothing has changed."""

    already: bool = False


class PublishedPack(Record):
    """A world that was written as a pack."""

    id: str
    name: str
    version: str
    path: str
    entries: int
    errors: list[Problem]
    warnings: list[Problem]


class StepNews(Record):
    """A game that has come to another step."""

    game: str
    zone_name: str
    current_step: int


async def list_games(settings: Settings) -> list[str]:
    """Which worlds are researched, the one last worked on first."""
    if not begun(settings):
        return []
    async with opened_store(settings) as store:
        return await store.games()


async def show_status(settings: Settings, game: str = "") -> ResearchCheckpoint:
    """Where research stands. NotFound lists the games there are."""
    check_begun(settings)
    async with opened_store(settings) as store:
        chosen = await chosen_game(store, game)
        point = await store.load_checkpoint(chosen)
        if point is None:
            games = ", ".join(await store.games()) or "none"
            raise NotFound(f"no research on '{chosen}'; there is: {games}")
        return point


async def list_work(settings: Settings) -> Works:
    """All games with their checkpoints, without the steps' raw data."""
    works: list[Work] = []
    if begun(settings):
        async with opened_store(settings) as store:
            waiting = await store.decisions(open_only=True)
            for game in await store.games():
                asked = sum(decision.game == game for decision in waiting)
                work = await _work(settings, store, game, asked)
                if work is not None:
                    works.append(work)
    return Works(works=works, steps=[name for name, _ in STEPS])


async def _work(settings: Settings, store: LoreStore, game: str, asked: int) -> Work | None:
    point = await store.load_checkpoint(game)
    if point is None:
        return None
    done = await store.steps_done(game)
    return Work(
        game=game,
        checkpoint=without_step_data(point),
        spent=sum((step.spend for step in done), Spend()),
        last_at=done[-1].at if done else "",
        open_decisions=asked,
        per_cycle=settings.lore_per_cycle_token_budget,
        per_day=settings.lore_daily_token_budget,
    )


def without_step_data(point: ResearchCheckpoint) -> ResearchCheckpoint:
    """The checkpoint without the steps' raw data, which are large."""
    return point.model_copy(update={"step_data": {}})


async def list_decisions(
    settings: Settings, game: str = "", *, open_only: bool = True
) -> list[Decision]:
    """What waits for a person, oldest first; or all decisions."""
    if not begun(settings):
        return []
    async with opened_store(settings) as store:
        return await store.decisions(game, open_only=open_only)


async def decide(
    settings: Settings, decision_id: str, choice: str, *, by: str, clock: Clock | None = None
) -> DecisionAnswered:
    """Answers a decision, named by its id or the beginning of it.

    The same answer again is harmless, another one is a conflict.
    """
    now = (clock or SystemClock()).now().isoformat(timespec="seconds")
    async with opened_store(settings) as store:
        known = {decision.decision_id: decision for decision in await store.decisions()}
        wanted = _full_id(decision_id, list(known))
        decision = await store.answer(wanted, choice, by=by, at=now)
    already = wanted in known and not known[wanted].open
    return DecisionAnswered(**decision.model_dump(), already=already)


def _full_id(start: str, known: list[str]) -> str:
    if start in known or not start:
        return start
    fits = [id for id in known if id.startswith(start)]
    if len(fits) > 1:
        raise UserError(f"'{start}' fits {len(fits)} decisions; give more of the id")
    return fits[0] if fits else start


async def show_evidence(settings: Settings, decision_id: str) -> list[OptionEvidence]:
    """What the accepted pages say of each way."""
    async with opened_store(settings) as store:
        for decision in await store.decisions():
            if decision.decision_id == decision_id:
                return await evidence_for(store, decision)
    raise NotFound(f"there is no decision '{decision_id}'")


async def show_facts(settings: Settings, kind: Kind, id: str, game: str = "") -> NodeFacts:
    """All that is known of one node, with quotes, conflicts and gaps."""
    check_begun(settings)
    async with opened_store(settings) as store:
        return await facts_of(store, await chosen_game(store, game), kind, id)


async def show_graph(settings: Settings, game: str = "", zone: str = "") -> LoreGraph:
    """The accepted world: its things and how they hang together."""
    check_begun(settings)
    async with opened_store(settings) as store:
        return await shown_graph(store, await chosen_game(store, game), zone)


async def publish_pack(
    settings: Settings, game: str, path: Path, *, replace: bool = False
) -> PublishedPack:
    """Writes the accepted lore as a pack that validates, installs and can be played."""
    async with opened_store(settings) as store:
        pack = await publish(store, game, path, replace=replace)
    return PublishedPack(
        id=pack.id,
        name=pack.manifest.name,
        version=pack.manifest.version,
        path=str(path),
        entries=len(pack.entries),
        errors=pack.errors,
        warnings=pack.warnings,
    )


class Watch:
    """What is new at the desk since it was last looked at. The daemon is another process."""

    def __init__(self) -> None:
        self._choices: dict[str, str] = {}
        self._steps: dict[str, int] = {}

    async def news(self, settings: Settings) -> list[Decision | StepNews]:
        """New decisions, answers, and steps."""
        if not begun(settings):
            return []
        news: list[Decision | StepNews] = []
        async with opened_store(settings) as store:
            for decision in await store.decisions():
                if self._choices.get(decision.decision_id) != decision.choice:
                    self._choices[decision.decision_id] = decision.choice
                    news.append(decision)
            for game in await store.games():
                point = await store.load_checkpoint(game)
                if point and self._steps.get(game) != point.sequence:
                    self._steps[game] = point.sequence
                    news.append(_step_news(game, point))
        return news


def _step_news(game: str, point: ResearchCheckpoint) -> StepNews:
    return StepNews(
        game=game,
        zone_name=point.zone_name,
        current_step=point.current_step,
    )


def check_begun(settings: Settings) -> None:
    """Looking must not make an empty store."""
    if not begun(settings):
        raise NotFound(NOTHING_YET)


NOTHING_YET = (
    "nothing is researched yet; begin with: freeform-rpg lore start --zone ZONE --game GAME --once"
)


async def chosen_game(store: LoreStore, game: str) -> str:
    """The game that is named, else the one last worked on."""
    games = await store.games()
    if not game and not games:
        raise NotFound(NOTHING_YET)
    return game or games[0]
