"""One campaign of the probe: what is planted when, what fills the turns between, and what is asked
long after."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import Field

from freeform.core.chance import Chance
from freeform.core.record import Record
from freeform.engine.authored.conditions import trust
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.log import Resolved
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from freeform.engine.world.state import PLAYER, GameState
from freeform.evals.bisect import bisect
from freeform.evals.checks import read_check
from freeform.evals.prose import contradictions
from freeform.evals.suites.promises.town import LENT, LOOSE, Town, build_town

KINDS = ("promise", "debt", "lent", "death", "door", "insult")
SOONEST, LATEST = 50, 150
"""Turns between planting and probing."""
TOUR = 8
"""Turns at the start in which every place is seen, so that later walks are one turn."""


class Plant(Record):
    """Something that must not be forgotten."""

    kind: str
    who: str
    """The person, or the door."""
    item: str = ""
    place: str
    planted: int
    probed: int
    say: str
    ask: str
    check: str
    """What must still be so, as `bisect` reads it."""


class Probe(Record):
    """How it stood when it was asked for. `broke_at` names the turn that lost it."""

    kind: str
    planted: int
    probed: int
    kept: bool
    failed: list[str] = Field(default_factory=list)
    broke_at: int | None = None
    by: str = ""


class PromiseJob(Record):
    """One campaign to play, here or in another process."""

    seed: int
    turns: int


@dataclass(frozen=True)
class _Script:
    """What is typed at each turn; empty places are filled with a pedlar's day."""

    plants: list[Plant]
    lines: dict[int, str]


async def play_campaign(job: PromiseJob, table: Table) -> list[Probe]:
    """Plays the campaign and probes each plant at its turn."""
    town = build_town(job.seed)
    script = plan(town, job)
    name = f"town-{job.seed}"
    await begin(town.scenario, name, job.seed, Answers(), table)
    due = {plant.probed: plant for plant in script.plants}
    probes = []
    for number in range(1, job.turns + 1):
        state = await table.store.get_state(name)
        line = script.lines.get(number) or filler(town, state, Chance(job.seed, "filler", number))
        result = await take_turn(Say(campaign=name, text=line, turn_id=f"{name}/{number}"), table)
        if plant := due.get(number):
            probes.append(await _probe(name, plant, state, result, table))
    return probes


def plan(town: Town, job: PromiseJob) -> _Script:
    """Two of each kind, spread over the campaign; the turn before each is for the way there."""
    chance = Chance(job.seed, "plan")
    lines = {
        number: f"go to the {place}"
        for number, place in enumerate(dict.fromkeys(town.home.values()), start=1)
    }
    people, items = chance.at("people").shuffled(list(town.home)), chance.at("items").shuffled(LENT)
    doors = list(town.vault)
    plants = []
    for number, kind in enumerate(kind for kind in KINDS for _ in range(2)):
        draw = chance.at("plant", number)
        last = max(TOUR + 2, job.turns - SOONEST - 4)
        planted = _free_pair(TOUR + 2 + int(draw.fraction() * (last - TOUR - 2)), lines)
        lines[planted] = lines[planted - 1] = "taken"
        gap = SOONEST + int(draw.fraction() * (LATEST - SOONEST))
        probed = _free_pair(min(planted + gap, job.turns - 1), lines, back=True)
        if probed - planted < SOONEST or probed > job.turns:
            del lines[planted], lines[planted - 1]
            continue
        who = people[number % len(people)] if kind != "death" else people[-1 - number % 2]
        plant = _plant(
            kind, who, items[number % len(items)], doors[number % len(doors)], town, planted, probed
        )
        for at, text in ((planted, plant.say), (probed, plant.ask)):
            lines[at - 1], lines[at] = f"go to the {plant.place}", text
        plants.append(plant)
    return _Script(_still_possible(plants, lines), lines)


def _plant(
    kind: str, who: str, item: str, vault: str, town: Town, planted: int, probed: int
) -> Plant:
    name, home = who.title(), town.home[who]
    at, door = town.vault[vault]
    forms: dict[str, tuple[str, str, str, str]] = {
        "promise": (f"I promise {name} to bring the {item}", f"ask {name} about the promise",
                    f"fact {who}#promised_{item} = open", home),
        "debt": (f"I ask {name} for a loan", f"ask {name} about the money",
                 f"fact {who}#lent_you = {town.owed[who]}", home),
        "lent": (f"give the {item} to {name}", f"I drop the {item}", f"{who} has {item}", home),
        "death": (f"I attack {name}", f"I talk to {name}", f"fact {who}#status = dead", home),
        "door": (f"close the {door}", f"go to the {vault}", f"fact {door}#state = closed", at),
        "insult": (f"I insult {name}", f"ask {name} about the weather", f"fact {who}#grudge = insulted", home),
    }  # fmt: skip
    say, ask, check, place = forms[kind]
    subject = door if kind == "door" else who
    return Plant(
        kind=kind,
        who=subject,
        item=item,
        place=place,
        planted=planted,
        probed=probed,
        say=say,
        ask=ask,
        check=check,
    )


def _still_possible(plants: list[Plant], lines: dict[int, str]) -> list[Plant]:
    """Nobody is asked, given or promised anything once they are dead, and no thing is lent twice:
    such plants go."""
    dead = {plant.who: plant.planted for plant in plants if plant.kind == "death"}
    kept, seen = [], set[tuple[str, str]]()
    for plant in sorted(plants, key=lambda plant: plant.planted):
        key = (
            ("lent", plant.item)
            if plant.kind == "lent"
            else (plant.kind, plant.who + plant.item * (plant.kind == "promise"))
        )
        late = plant.kind != "death" and plant.probed >= dead.get(plant.who, plant.probed + 1)
        if late or key in seen:
            for at in (plant.planted - 1, plant.planted, plant.probed - 1, plant.probed):
                lines.pop(at, None)
            continue
        seen.add(key)
        kept.append(plant)
    return kept


def _free_pair(wanted: int, lines: dict[int, str], *, back: bool = False) -> int:
    """A turn near the wanted one that is free, and so is the one before it."""
    at = wanted
    while at in lines or at - 1 in lines:
        at += -1 if back else 1
    return at


def filler(town: Town, state: GameState, chance: Chance) -> str:
    """A pedlar's day: walking, looking, small talk, picking things up and putting them down."""
    here = state.scene.location_id
    people = [
        who
        for who in state.scene.present_entity_ids
        if who != PLAYER and state.value(who, "status") != "dead"
    ]
    mine = [item for item in LOOSE if (PLAYER, item) in state.inventory]
    lying = [item for item in LOOSE if (here, item) in state.inventory]
    wishes: list[Callable[[], str]] = [
        lambda: f"go to the {chance.choose(sorted({*town.home.values(), 'square'} - {here}))}",
        lambda: "look around",
        lambda: "wait a while",
        lambda: "search the place",
    ]
    if people:
        who = chance.choose(sorted(people))
        topic = chance.choose(town.topics[who])
        wishes += [lambda: f"ask {who.title()} about {topic}"] * 3
    if lying:
        wishes.append(lambda: f"take the {lying[0]}")
    if mine:
        wishes.append(lambda: f"drop the {mine[0]}")
    return chance.choose(wishes)()


async def _probe(
    name: str, plant: Plant, before: GameState, result: TurnResult, table: Table
) -> Probe:
    """Is it so in the state, did the rules act on it, and was the game master told?"""
    check = read_check(plant.check)
    failed = []
    if not check.holds(before, before):
        failed.append("state")
    if not _acted_on(plant, before, result):
        failed.append("rules")
    if not _told(plant, await _packet(name, result.turn_id, table)):
        failed.append("context")
    if contradictions(result.final_text, before):
        failed.append("prose")
    broke, by = None, ""
    if "state" in failed:
        planted = await table.store.get_state(name, plant.planted)
        if check.holds(planted, planted):
            lost = await bisect(name, check, table, good=plant.planted, bad=plant.probed)
            broke, by = lost.turn_no, lost.by or ""
        else:
            broke, by = plant.planted, "never planted"
    elif failed:
        broke, by = plant.probed, failed[0]
    return Probe(
        kind=plant.kind,
        planted=plant.planted,
        probed=plant.probed,
        kept=not failed,
        failed=failed,
        broke_at=broke,
        by=by,
    )


def _acted_on(plant: Plant, before: GameState, result: TurnResult) -> bool:
    blocked = result.validator.blocked_actions
    match plant.kind:
        case "lent" | "death" | "door":
            return bool(blocked) and not result.validator.allowed_actions
        case "insult":
            return trust(plant.who, before) < 0
        case _:
            return bool(result.validator.allowed_actions) and not blocked


async def _packet(name: str, turn_id: str, table: Table) -> dict[str, Any]:
    logged = await table.store.find_turn(name, turn_id)
    facts = next(entry.entry for entry in logged if isinstance(entry.entry, Resolved))
    return facts.context_packet.model_dump(mode="json")


class _Seen(NamedTuple):
    subject: str
    predicate: str


def _told(plant: Plant, packet: dict[str, Any]) -> bool:
    """Whether what a model is told holds the thing: a lent thing must not be among what the player
    carries."""
    known = {_Seen(row["subject_id"], row["predicate"]) for row in packet["facts"]}
    match plant.kind:
        case "promise":
            return _Seen(plant.who, f"promised_{plant.item}") in known
        case "debt":
            return _Seen(plant.who, "lent_you") in known
        case "insult":
            return _Seen(plant.who, "grudge") in known
        case "death":
            return _Seen(plant.who, "status") in known
        case "door":
            return _Seen(plant.who, "state") in known
        case _:
            return not any(
                row["owner_id"] == PLAYER and row["item_id"] == plant.item
                for row in packet["inventory"]
            )
