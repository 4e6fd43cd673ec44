"""The second half of a round: characters act, overreach is checked, the game master rules, everyone
reacts and remembers."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from freeform.core.text import MAX_INPUT, shorten
from freeform.engine.campaign.spotlight import Actor
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from freeform.players.memory.model import MemoryFact
from freeform.players.mind.deeds import as_deed, deed_in
from freeform.players.mind.losses import ending_in, lost_between, still_dead, told_dead
from freeform.players.mind.topics import weighty
from freeform.players.model import (
    Action,
    Channel,
    Character,
    Consensus,
    Ruling,
    TableView,
    Validation,
    Waiting,
)
from freeform.players.passes import ACT, CHECK, REACT, CheckInput
from freeform.players.round import brief
from freeform.players.round.channels import DM
from freeform.players.round.consensus import in_bound_order, unmet, waits_for
from freeform.players.round.limits import limits_of, within_limits
from freeform.players.round.minds import learnt as learnt_of
from freeform.players.round.options import kind_of
from freeform.players.round.phase import Playing
from freeform.players.round.state import RoundState
from freeform.players.round.stated_facts import facts_from_talk
from freeform.players.round.thoughts import on_arrival
from freeform.players.words.overreach import WAITS, find_overreach, repair
from freeform.players.words.reply_repair import cut_short, same_deed, something, spoken
from freeform.players.words.rulings import round_day, ruling_of


async def act(
    campaign: str, character: Character, text: str, turn_id: str, table: Table
) -> TurnResult:
    """One turn of the campaign, played by that character. The same turn id again is the same
    turn. What it suggests is tried once, when the party comes to choose."""
    stats, concept, pronouns = character.stats, character.concept, character.pronouns
    actor = Actor(
        id=character.id, name=character.name, concept=concept, pronouns=pronouns, stats=stats
    )
    say = Say(campaign=campaign, text=text, turn_id=turn_id, alone=False, actor=actor)
    return await take_turn(say, replace(table, ear=None))


ATTEMPTS = 3
LONGEST_INTENT, LONGEST_DIALOGUE = 600, 600


async def character_action(state: RoundState, playing: Playing) -> dict[str, Any]:
    """Each character says what it attempts: the first time, or again where its last words were
    refused."""
    party, round, attempt = playing.party, state["round"], state["attempt"] + 1
    table, first = TableView.model_validate(state["table"]), attempt == 1
    wanted = (
        [a for a in playing.machines if a in state["directives"]]
        if first
        else list(state["refused"])
    )
    fallen = await _fallen(playing) if playing.dm == "human" else set[str]()
    wanted = [agent for agent in wanted if party.seat(agent).character.name not in fallen]
    inputs, scene = {}, state["retold"]
    for agent in wanted:
        heard = await brief.character_heard(party, agent, playing.router, but=brief.in_scene(round))
        rather = [f"rather: {words}"] if (words := state["better"].get(agent, "")) else []
        violation = "; ".join([*state["refused"].get(agent, []), *rather])
        directive = state["directives"].get(agent, "")
        inputs[agent] = brief.character_input(
            party, agent, scene, table, directive, heard, attempt, violation
        )
    given, notes = await playing.ask(round, f"character_action/{attempt}", ACT, inputs)
    actions = dict(state["actions"])
    limits = await limits_of(table, playing)
    for agent, reply in given.items():
        name = party.seat(agent).character.name
        intent = cut_short(within_limits(spoken(reply.action, name), limits), LONGEST_INTENT)
        dialogue = cut_short(within_limits(spoken(reply.dialogue, name), limits), LONGEST_DIALOGUE)
        if len(reply.action) > LONGEST_INTENT:
            cut = f"{len(reply.action):,} letters were cut to the first deed"
            notes = [*notes, f"character_action, {agent}: {cut}"]
        actions[agent] = Action(intent=intent, dialogue=dialogue, hold=not intent).model_dump(
            mode="json"
        )
    if first:
        for seat in party.seats:
            if seat.person:
                actions[seat.agent] = (
                    await _from_person(playing, round, seat.agent, table)
                ).model_dump(mode="json")
    return _went("character_action", state, notes) | {"actions": actions, "attempt": attempt}


async def _fallen(playing: Playing) -> set[str]:
    """Characters whom a human game master has let die and not brought back: they act no more."""
    return still_dead(await playing.store.rounds(playing.party.id))


async def validation(state: RoundState, playing: Playing) -> dict[str, Any]:
    """Patterns first, then the pass, stricter each time. People's words are the game master's
    business."""
    round, attempt = state["round"], state["attempt"]
    checked = (
        list(state["refused"])
        if attempt > 1
        else [a for a in playing.machines if a in state["actions"]]
    )
    found, better = dict[str, list[str]](), dict[str, str]()
    inputs = {}
    for agent in checked:
        action, own, others = _said(state, playing, agent)
        found[agent] = [
            f"{one.rule}: {one.words}" for one in find_overreach(action.intent, own, others)
        ]
        if not found[agent] and not action.hold:
            strictness = brief.STRICTNESS[attempt - 1]
            inputs[agent] = CheckInput(
                action=action.intent,
                character_name=own,
                others=others,
                attempt=attempt,
                strictness=strictness,
            )
    answers, notes = await playing.ask(round, f"validation/{attempt}", CHECK, inputs)
    for agent, answer in answers.items():
        if not answer.valid:
            found[agent] = [why for why in map(something, answer.violations) if why] or [
                "tells an outcome"
            ]
            better[agent] = same_deed(_said(state, playing, agent)[0].intent, answer.suggestion)
    rows = dict(state["validation"])
    for agent in checked:
        before = rows.get(agent, {}).get("violations", [])
        row = Validation(
            attempts=attempt, valid=not found[agent], violations=[*before, *found[agent]]
        )
        rows[agent] = row.model_dump(mode="json")
    for seat in playing.party.seats:
        if seat.person:
            rows[seat.agent] = Validation(attempts=0).model_dump(mode="json")
    refused = {agent: why for agent, why in found.items() if why}
    return _went("validation", state, notes) | {
        "validation": rows,
        "refused": refused,
        "better": better,
    }


async def repair_action(state: RoundState, playing: Playing) -> dict[str, Any]:
    """Three attempts told an outcome: it is cut out, the intent stays, and a flag says so."""
    actions, rows = dict(state["actions"]), dict(state["validation"])
    for agent in state["refused"]:
        action, own, others = _said(state, playing, agent)
        option = state["chosen"].get(agent, "")
        words = (
            state["better"].get(agent) or action.intent
        )  # rules find nothing to cut where only the pass objected
        mended = repair(
            words, own, others, f"I {option[:1].lower()}{option[1:]}." if option else WAITS
        )
        actions[agent] = action.model_copy(update={"intent": mended}).model_dump(mode="json")
        rows[agent] = {**rows[agent], "warning": True, "repaired_from": action.intent}
    return _went("repair", state) | {"actions": actions, "validation": rows, "refused": {}}


async def dm_adjudication(state: RoundState, playing: Playing) -> dict[str, Any]:
    """The game master rules on each action, in seat order; who leads the party away goes last."""
    party, round = playing.party, state["round"]
    actions = {a: Action.model_validate(row) for a, row in state["actions"].items()}
    seated = [a for a in playing.agents if a in actions]
    order = turn_order(seated, actions, state["chosen"], state["helping"])
    leaving = {a for a in seated if _leads_away(a, actions, state["chosen"])}
    settled, there = Consensus.model_validate(state["consensus"]), on_arrival(state)
    order = in_bound_order(order, settled, state["chosen"])
    order = [*(a for a in order if a not in there), *(a for a in order if a in there)]
    rulings: dict[str, Ruling] = {}
    learnt: list[dict[str, Any]] = []
    for agent in order:
        action, seat = actions[agent], party.seat(agent)
        await playing.say(
            round, "character_action", agent, Channel.IC, action.said(seat.character.name)
        )
    before = await playing.table.store.get_state(party.campaign)
    notes: list[str] = []
    if playing.dm == "human":
        first = {agent: waits_for(agent, settled, state["chosen"]) for agent in order}
        rulings = await _ruled_by_person(playing, round, order, actions, first)
    else:
        here = before.scene.location_id
        for agent in order:
            now = await playing.table.store.get_state(party.campaign)
            still_here = now.scene.location_id == here
            why = _needless(agent, state, rulings, still_here)
            if agent in there:
                why = "is not where that was to be done" if still_here else ""
            if agent in leaving and _keeps_here(rulings.values(), state["table"]):
                why = "stays: something new has come of the others' deeds"
            if other := unmet(agent, settled, state["chosen"], rulings):
                why = f"holds back: what {party.seat(other).persona.name} wanted first failed"
            if why:
                notes.append(f"dm_adjudication, {agent}: {why}")
            if why or actions[agent].hold:
                continue
            rulings[agent], facts = await _ruled_by_engine(
                playing, round, state["session"], agent, actions[agent]
            )
            learnt += facts
            await playing.say(round, "dm_adjudication", DM, Channel.IC, rulings[agent].text, agent)
            if ending_in([rulings[agent]]):
                break
    now = await playing.table.store.get_state(party.campaign)
    names = [seat.character.name for seat in party.seats]
    minute = float(now.scene.time.get("minute") or 0)
    return _went("dm_adjudication", state, notes) | {
        "order": order,
        "learnt": learnt,
        "rulings": {a: r.model_dump(mode="json") for a, r in rulings.items()},
        "over": ending_in(list(rulings.values())),
        "lost": [*lost_between(before, now), *told_dead(list(rulings.values()), names)],
        "place": now.name(now.scene.location_id),
        "day": round_day(float(now.scene.time.get("day") or 1) + minute / 1440),
    }


def _needless(agent: str, state: RoundState, rulings: dict[str, Ruling], still_here: bool) -> str:
    """Why a deed is left undone after all: the scene has changed (nobody leaves a place in passing
    that has just been reached), or the one it was to help did not need it."""
    if not still_here:
        return "holds back: the scene has changed"
    helped = state["helping"].get(agent, "")
    if helped in rulings and rulings[helped].outcome != "bad":
        return "was not needed"
    return ""


async def character_reaction(state: RoundState, playing: Playing) -> dict[str, Any]:
    """Characters take in what came of it, each in its own manner, or say nothing."""
    party, round = playing.party, state["round"]
    table = TableView.model_validate(state["table"])
    inputs, scene = {}, state["retold"]
    for agent in state["order"]:
        if agent not in state["rulings"] or party.seat(agent).person:
            continue
        ruling = Ruling.model_validate(state["rulings"][agent])
        heard = await brief.character_heard(
            party, agent, playing.router, but=brief.told_apart(round, ruling)
        )
        directive = state["directives"].get(agent, "")
        asked = brief.react_input(
            party, agent, scene, table, directive, heard, ruling, state["place"] or table.place
        )
        inputs[agent] = asked.model_copy(update={"lost": state["lost"], "over": state["over"]})
    given, notes = await playing.ask(round, "character_reaction", REACT, inputs)
    said = {}
    limits = await limits_of(table, playing)
    for agent, reply in given.items():
        own, others = party.seat(agent).character.name, _others(playing, agent, table)
        said_aloud = within_limits(spoken(reply.dialogue, own), limits)
        if said_aloud and not find_overreach(said_aloud, own, others):
            words = cut_short(said_aloud, LONGEST_DIALOGUE)
            message = await playing.say(
                round, "character_reaction", agent, Channel.IC, f"“{words}”"
            )
            said[agent] = message.content.strip("“”")
    return _went("character_reaction", state, notes) | {"reactions": said}


async def memory_storage(state: RoundState, playing: Playing) -> dict[str, Any]:
    """What happened becomes memory: shared facts for the party, and what each one said or did for
    itself."""
    stated, notes = await facts_from_talk(state, playing)
    facts = [*(MemoryFact.model_validate(row) for row in state["learnt"]), *stated]
    talk = [{**row, "memories": state["memories"].get(row["agent"], [])} for row in state["ooc"]]
    table = TableView.model_validate(state["table"])
    actions = {a: Action.model_validate(row) for a, row in state["actions"].items()}
    deeds = {
        f"r{state['round']}.{agent}": as_deed(actions[agent].intent)
        for agent in state["rulings"]
        if agent in actions and actions[agent].intent
    }
    await playing.minds.look(playing.party, table, state["session"], deeds)
    stored = await playing.minds.keep(
        playing.party, state["round"], state["session"], state["day"], facts, talk
    )
    return _went("memory_storage", state, notes) | {"stored": stored}


def turn_order(
    agents: list[str],
    actions: dict[str, Action],
    chosen: dict[str, str],
    helping: dict[str, str] | None = None,
) -> list[str]:
    """Seat order, but whoever helps comes after those who act by themselves, and whoever leads the
    party away goes last: nobody acts in a place that was left."""
    agents = sorted(agents, key=lambda agent: agent in (helping or {}))
    leaving = [a for a in agents if _leads_away(a, actions, chosen)]
    return [*(a for a in agents if a not in leaving), *leaving]


def _leads_away(agent: str, actions: dict[str, Action], chosen: dict[str, str]) -> bool:
    return kind_of(chosen.get(agent) or deed_in(actions[agent].intent)) == "go"


def _keeps_here(rulings: Iterable[Ruling], table: dict[str, Any]) -> bool:
    """Whether a question of the story has been settled, or something was learnt of what is in
    sight: nobody walks away from that."""
    events = [event for ruling in rulings for event in ruling.events]
    learnt = [str(e.get("text", "")) for e in events if e.get("type") == "fact_learned"]
    seen = [weighty(thing) for thing in table.get("things", ())]
    settled = [e.get("status") == "resolved" for e in events if e.get("type") == "thread_changed"]
    return any(settled) or any(weighty(text) & thing for text in learnt for thing in seen)


async def _ruled_by_engine(
    playing: Playing, round: int, session: int, agent: str, action: Action
) -> tuple[Ruling, list[dict[str, Any]]]:
    """One turn of the engine. What it leaves in memory is looked at while the world still stands
    so, and kept."""
    party, character = playing.party, playing.party.seat(agent).character
    result = await act(
        party.campaign,
        character,
        shorten(action.intent, MAX_INPUT),
        f"r{round}.{agent}",
        playing.table,
    )
    key = f"{round}/learnt/{agent}"
    kept = await playing.store.done(party.id, key)
    if kept is None:
        now = await playing.table.store.get_state(party.campaign)
        facts = [
            fact.model_dump(mode="json") for fact in learnt_of(result, now, session, character)
        ]
        kept = await playing.store.keep(party.id, round, key, facts)
    return ruling_of(result), list(kept)


async def _ruled_by_person(
    playing: Playing,
    round: int,
    order: list[str],
    actions: dict[str, Action],
    first: dict[str, list[str]],
) -> dict[str, Ruling]:
    """One answer for all deeds: whoever gives it is told which of them wait for another."""
    names = {a: playing.party.seat(a).character.name for a in order}
    lines = []
    for agent in order:
        others = [names[other] for other in first[agent] if other in names]
        waits = f" (not if {others[0]} fails)" if others else ""
        lines.append(f"{names[agent]}: {actions[agent].said(names[agent])}{waits}")
    tried = "\n".join(lines)
    asked = Waiting(
        round=round, phase="dm_adjudication", who=DM, question=f"What comes of it?\n{tried}"
    )
    text = await playing.person(asked)
    said = await playing.say(round, "dm_adjudication", DM, Channel.IC, text)
    return {order[0]: Ruling(text=said.content, by="human")} if order else {}


async def _from_person(playing: Playing, round: int, agent: str, table: TableView) -> Action:
    name = playing.party.seat(agent).character.name
    asked = Waiting(
        round=round, phase="character_action", who=agent, question=f"What does {name} do? Empty lets others act.",
        options=[option.text for option in table.options[:6]],
    )  # fmt: skip
    words = (await playing.person(asked)).strip()
    return Action(intent=shorten(words, MAX_INPUT), hold=not words)


def _said(state: RoundState, playing: Playing, agent: str) -> tuple[Action, str, list[str]]:
    table = TableView.model_validate(state["table"])
    own = playing.party.seat(agent).character.name
    return Action.model_validate(state["actions"][agent]), own, _others(playing, agent, table)


def _others(playing: Playing, agent: str, table: TableView) -> list[str]:
    return [*(s.character.name for s in playing.party.seats if s.agent != agent), *table.names]


def _went(phase: str, state: RoundState, notes: list[str] | None = None) -> dict[str, Any]:
    return {"phases": [*state["phases"], phase], "notes": [*state["notes"], *(notes or [])]}
