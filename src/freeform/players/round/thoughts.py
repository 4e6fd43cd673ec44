"""Minds at work in a round: each player's is made when it has remembered, and told to every one
it is asked."""

from collections.abc import Mapping, Sequence
from typing import Any

from freeform.core.chance import Chance
from freeform.engine.authored.system import System
from freeform.engine.rules.known import inside
from freeform.language.sentences import sentences
from freeform.players.mind.advice import advice_in, advised_verbs, in_need
from freeform.players.mind.deeds import as_deed
from freeform.players.mind.model import MindState, PromiseMade
from freeform.players.mind.places import ARTICLES
from freeform.players.mind.sightings import as_remembered
from freeform.players.mind.skills import dice_of, rolled_before, sheet_of
from freeform.players.mind.think import think
from freeform.players.model import Option, Peril, RoundRecord, Ruling, Seat, TableView
from freeform.players.party.swayed import swayed_by
from freeform.players.passes import OwnClaim, ToldMemory
from freeform.players.round.brief import Thoughts
from freeform.players.round.minds import Recollection
from freeform.players.round.options import went_badly
from freeform.players.round.phase import Playing
from freeform.players.round.state import RoundState
from freeform.players.words.standing import speakers

LATELY = 12
"""So many rounds back a player knows what it has said itself."""


def minds_of(
    playing: Playing, round: int, table: TableView, recalled: Mapping[str, Recollection]
) -> dict[str, MindState]:
    """Every AI player's mind, from its own memory: of what it was told, and of the places it has
    left."""
    found = {}
    for agent in playing.machines:
        chance = Chance(playing.party.seed, "mind", round, agent)
        persona = playing.party.seat(agent).persona
        came = recalled[agent]
        found[agent] = think(persona, as_known_to(came, table), came.memories, chance)
    return found


def swayed(
    playing: Playing,
    round: int,
    table: TableView,
    recalled: Mapping[str, Recollection],
    minds: Mapping[str, MindState],
) -> list[dict[str, Any]]:
    """Whether what whoever speaks first remembers wrongly has changed what it leans to most."""
    agent = speakers(playing, round)[0]
    if agent not in minds or not minds[agent].leanings:
        return []
    chance, persona = (
        Chance(playing.party.seed, "mind", round, agent),
        playing.party.seat(agent).persona,
    )
    came, first = recalled[agent], minds[agent].leanings[0].option.text
    known = as_known_to(came, table)
    found = swayed_by(
        agent, came.memories, came.truths, first, lambda held: think(persona, known, held, chance)
    )
    return [found.model_dump(mode="json")] if found else []


def as_known_to(came: Recollection, table: TableView) -> TableView:
    """The table without what slipped a player's mind, with what it would do again, and the places
    it left as it has them."""
    before_us = [table.place, *table.people, *table.carried, *table.threads, *table.things]
    seen = " ".join(before_us)
    gone = [name for name in came.slipped if name not in seen]
    options = [option for option in table.options if not _is_about(option, gone)]
    options += [option for option in table.over if option.text in came.undone]
    done = [deed for deed in table.done if deed not in came.undone]
    in_sight = [*table.things, *table.people]
    elsewhere = as_remembered(table.elsewhere, came.wrong_sights, in_sight)
    return table.model_copy(update={"options": options, "elsewhere": elsewhere, "done": done})


def _is_about(option: Option, names: Sequence[str]) -> bool:
    return option.kind == "ask" and any(name in option.topic for name in names)


def with_past(
    view: TableView,
    seats: Sequence[Seat],
    rounds: Sequence[RoundRecord],
    system: System,
    tried: Mapping[str, int],
) -> TableView:
    """The table with what the last rounds add to it: who died, what went badly here, what people
    told us to do, how long nothing new has come, and who is good at what."""
    heard = rounds[-_ADVICE:]
    advice = [*advice_in(heard, view, advised_verbs(system)), *in_need(heard, view)]
    return view.model_copy(
        update={
            "party": [seat.character.name for seat in seats],
            "lost": rounds[-1].lost if rounds else [],
            "warned": went_badly(rounds[-2:], view.place),
            "advice": [option for option in advice if not tried.get(option.text)],
            "dry": dry_rounds(rounds),
            "perils": _with_pace(view.perils, rounds),
            "stay": rounds_here(rounds, view.place),
            "trail": _trail(rounds, view.place),
            "stuck": _stuck(rounds, view.place),
            "moved": _moved(rounds, view),
            "dice": {**dice_of(system), **rolled_before(rounds)},
            "sheets": {seat.agent: sheet_of(seat.character.stats, system) for seat in seats},
        }
    )


_ADVICE = 4
"""So many rounds back one heeds what people said."""
_NEWS = frozenset({"fact_learned", "item_gained", "discovered", "thread_changed"})


def dry_rounds(rounds: Sequence[RoundRecord]) -> int:
    """How many of the last rounds brought nothing new: nothing learnt, got or settled, and no
    place that nobody knew."""
    count = 0
    for record in reversed(rounds):
        events = [event for ruling in record.rulings.values() for event in ruling.events]
        came = any(
            e.get("type") in _NEWS or (e.get("type") == "moved" and e.get("first")) for e in events
        )
        if came:
            break
        count += 1
    return count


def _with_pace(perils: Sequence[Peril], rounds: Sequence[RoundRecord]) -> list[Peril]:
    """Which dangers come nearer by themselves: a clock that was seen to move though nobody paid
    for anything."""
    rulings = [ruling for record in rounds for ruling in record.rulings.values()]
    moved = {name for ruling in rulings for name in _moved_clocks(ruling)}
    return [
        peril.model_copy(update={"creeps": peril.creeps or peril.text.partition(":")[0] in moved})
        for peril in perils
    ]


def _moved_clocks(ruling: Ruling) -> list[str]:
    """The clocks that moved in a turn for which nobody had to pay."""
    if any(event.get("type") == "consequence" for event in ruling.events):
        return []
    moved = [event for event in ruling.events if event.get("type") == "clock_advanced"]
    return [str(event.get("name")) for event in moved]


def rounds_here(rounds: Sequence[RoundRecord], place: str) -> int:
    """For how many rounds the party has been where it is."""
    count = 0
    for record in reversed(rounds):
        if record.place != place:
            break
        count += 1
    return count


def _moved(rounds: Sequence[RoundRecord], view: TableView) -> list[str]:
    """Whom the sight of something we carry has moved: a question of the story came up or was
    settled by it."""
    found = []
    for record in rounds:
        for agent, ruling in record.rulings.items():
            deed = as_deed(record.actions[agent].intent) if agent in record.actions else ""
            new = any(event.get("type") == "thread_changed" for event in ruling.events)
            if not (new and deed.startswith("Show ")):
                continue
            found += [
                f"{who}: {item}"
                for who in dict.fromkeys([*view.people, *view.names])
                for item in view.carried
                if deed.startswith(f"Show {inside(who)} ") and deed.endswith(_bare(item))
            ]
    return found


def _bare(item: str) -> str:
    """A thing's name without its article."""
    first, _, rest = item.partition(" ")
    return rest if first.lower() in ARTICLES else item


def _stuck(rounds: Sequence[RoundRecord], place: str) -> dict[str, str]:
    """Deeds that were refused there and have not worked since."""
    found: dict[str, str] = {}
    for record in rounds:
        for agent, ruling in record.rulings.items():
            if record.place != place or agent not in record.actions:
                continue
            deed = as_deed(record.actions[agent].intent)
            found.pop(deed, None)
            nowhere = deed.startswith("Go ") and not _has_moved(ruling)
            if ruling.blocked or nowhere:
                found[deed] = ruling.blocked or "it led nowhere"
    return found


def _has_moved(ruling: Ruling) -> bool:
    return any(event.get("type") == "moved" for event in ruling.events)


def _trail(rounds: Sequence[RoundRecord], here: str) -> list[str]:
    places = [record.place for record in reversed(rounds[-_TRAIL:])]
    return [place for place in dict.fromkeys(places) if place != here]


_TRAIL = 6


async def lately(playing: Playing, round: int) -> list[RoundRecord]:
    """The rounds that are still in everyone's ear."""
    if round == 1:
        return []
    return await playing.store.rounds(playing.party.id, max(1, round - LATELY), round - 1)


def said_by(agent: str, rounds: Sequence[RoundRecord]) -> list[str]:
    """What a player said at the table in these rounds, sentence by sentence, and the memories that
    others told: nobody tells again what everyone has just heard."""
    said = [
        row["content"]
        for record in rounds
        for row in record.ooc
        if row["agent"] == agent or row.get("memory")
    ]
    return [sentence for text in said for sentence in sentences(text)]


def promises_in(rounds: Sequence[RoundRecord]) -> list[PromiseMade]:
    """What was agreed on a condition, newest first."""
    found = []
    for record in reversed(rounds):
        for position in record.consensus.positions:
            if position.condition:
                what = record.consensus.proposal.option
                promise = PromiseMade(by=position.agent_id, what=what, condition=position.condition)
                found.append(promise)
    return found[:3]


def thoughts_of(state: RoundState, playing: Playing, agent: str) -> Thoughts:
    """What that player has on its mind now."""
    names = {seat.agent: seat.persona.name for seat in playing.party.seats}
    claims = [
        ToldMemory(who=names[row["agent"]], fact_id=row["memory"], said=row["believed"])
        for row in state["ooc"]
        if row["memory"] and row["agent"] != agent
    ]
    against = {row["disputes"]: row["name"] for row in state["ooc"] if row["agent"] != agent}
    own = [row["memory"] for row in state["ooc"] if row["memory"] and row["agent"] == agent]
    own_claims = [
        OwnClaim(fact_id=id, who=against.get(id, ""), disputed=id in against) for id in own
    ]
    return Thoughts(
        own_claims=own_claims,
        mind=MindState.model_validate(state["minds"].get(agent, {})),
        claims=claims,
        mine=state["taken"].get(agent, ""),
        said_before=state["said_before"].get(agent, []),
        over=state["over"],
    )


def believed_by(state: RoundState, agent: str, fact_id: str) -> str:
    """How that player remembers a fact; '' where it does not."""
    rows: list[dict[str, Any]] = state["memories"].get(agent, [])
    return next((str(row["believed"]) for row in rows if row["fact_id"] == fact_id), "")


def options_of(state: RoundState, agent: str) -> list[str]:
    """What that player can think of: what lies on the table, and its own ideas."""
    offered = [option["text"] for option in state["table"].get("options", [])]
    rows = state["minds"].get(agent, {}).get("leanings", [])
    own = [one["option"]["text"] for one in rows]
    there = [deed for one in rows for deed in (one["aim"], *one["also"]) if deed]
    return list(dict.fromkeys([*offered, *own, *there]))


def on_arrival(state: RoundState) -> set[str]:
    """Who means to act where the party goes: what they chose is what they would go there for."""
    going, found = str(state["proposal"].get("option", "")), set[str]()
    for agent, option in state["chosen"].items():
        for row in state["minds"].get(agent, {}).get("leanings", []):
            if row["option"]["text"] == going and option in (row["aim"], *row["also"]) and option:
                found.add(agent)
    return found


async def with_claims(state: RoundState, playing: Playing, told: str) -> dict[str, Any]:
    """Everyone's memories, with what each of them has of a thing that was just told."""
    memories = dict(state["memories"])
    day = float(state["table"].get("day", 1.0))
    for agent in playing.machines if told else ():
        rows = memories.get(agent, [])
        if any(row["fact_id"] == told for row in rows):
            continue
        seat = playing.party.seat(agent)
        found = await playing.minds.of_claims(playing.party, seat, [told], day, state["session"])
        memories[agent] = [*rows, *(memory.model_dump(mode="json") for memory in found)]
    return memories
