"""READ THIS FIRST. One zone, ten steps; `do_step` does the next one. One step = one transaction =
one checkpoint.

    1 zone search ─ 2 zone read ─ 3 npc search ─ 4 npc read ─ 5 factions ─ 6 lore ─ 7 items
                                                                                     │
      validator <── 10 package ── 9 where next, forks ── 8 cross-reference, conflicts

A step gathers (`steps.py`), and here it is committed: result, spend, messages, decisions and
checkpoint together, under a key made of the game, the cycle, the zone, the attempt and the step. A
crash before the commit leaves nothing; a crash after it leaves everything; the same key a second
time does nothing.
"""

from freeform.core.record import Record
from freeform.lore.daemon import steps
from freeform.lore.daemon.checkpoint import advanced
from freeform.lore.daemon.gathered import KEY, Gathered
from freeform.lore.daemon.steps import Work
from freeform.lore.errand import Errand, LorePorts, effect_id
from freeform.lore.model import ResearchCheckpoint
from freeform.lore.ports import StepCommit

STEPS: tuple[tuple[str, Work], ...] = (
    ("zone_overview_search", steps.search_zone),
    ("zone_overview_extract", steps.extract_zone),
    ("npc_search", steps.search_npcs),
    ("npc_extract", steps.extract_npcs),
    ("faction_search_extract", steps.read_factions),
    ("lore_search_extract", steps.read_lore),
    ("narrative_items", steps.read_items),
    ("cross_reference", steps.cross_reference),
    ("discover_connected_zones", steps.discover_zones),
    ("package_and_send", steps.send_package),
)


class StepKey(Record):
    """What makes a step the one it is: the run, the attempt, and its number. Its inputs follow from
    these."""

    game: str
    cycle: int
    zone: str
    iteration: int
    step: int


async def do_step(point: ResearchCheckpoint, ports: LorePorts) -> ResearchCheckpoint:
    """The next step of the zone, done and committed."""
    number = point.current_step + 1
    name, work = STEPS[number - 1]
    start = ports.clock.ticks()
    ports.log(
        "pipeline_step_started", zone_name=point.zone_name, step_number=number, step_name=name
    )
    key = key_of(point, number)
    errand = Errand(ports, point, key)
    done = await work(errand, Gathered.of(point))
    after = advanced(
        point,
        current_step=number,
        step_data={
            **point.step_data,
            KEY: done.gathered.model_dump(mode="json"),
            name: done.summary,
        },
        daily_tokens_used=await ports.store.spent(point.game, day=ports.today()),
        cycle_tokens_used=await ports.store.spent(point.game, cycle=point.cycle),
        last_reset_date=ports.today(),
        **done.changes,
    )
    commit = StepCommit(
        key=key, agent=ports.agent, game=point.game, zone_name=point.zone_name, step=number, name=name,
        result=done.summary, spend=errand.spend, messages=done.messages, decisions=done.decisions,
        checkpoint=after, at=ports.now(),
    )  # fmt: skip
    if not await ports.store.commit_step(commit):
        # Another process did this very step: go on from where it stands.
        return await ports.store.load_checkpoint(point.game) or after
    ms = round((ports.clock.ticks() - start) * 1000, 1)
    ports.log(
        "pipeline_step_completed", zone_name=point.zone_name, step_number=number, duration_ms=ms,
        tokens_used=errand.spend.tokens,
    )  # fmt: skip
    return after


def key_of(point: ResearchCheckpoint, number: int) -> str:
    """The step's key."""
    key = StepKey(
        game=point.game, cycle=point.cycle, zone=point.zone_name, iteration=point.iteration, step=number
    )  # fmt: skip
    return effect_id("step", key)
