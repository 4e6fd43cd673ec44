"""READ THIS FIRST. One round of a party: players talk it over, characters act, the game master
rules, all remember.

    DM narration ─> memory query ─> OOC talk until consensus ─> directives (P2C) ─> character action
    ─> validation
                                    persona layer                character layer     patterns + pass, 3 attempts
                 ─> DM adjudication ─> reaction ─> memory storage
                    engine.take_turn: the same door as people, or a person

The round is a LangGraph (`graph.py`), each phase a checkpoint, the thread a game session. Every
effect is kept under round, phase and agent, and done once: killed anywhere, `play_round` goes on,
and nothing is said twice.
"""

from dataclasses import dataclass
from typing import Any

from freeform.core.errors import Conflict
from freeform.players.model import (
    Action,
    Consensus,
    Memory,
    RoundRecord,
    Ruling,
    Validation,
    Waiting,
)
from freeform.players.ports import Checkpoints
from freeform.players.round.graph import build, run, standing
from freeform.players.round.phase import Playing, answer_key
from freeform.players.round.state import fresh

KEPT = 12
"""Checkpoints that stay of a thread: about the last round's."""


@dataclass(frozen=True)
class PartyGame:
    """A party's open graph: one per run, for as many rounds as are played."""

    playing: Playing
    graph: Any
    saver: Any
    checkpoints: Checkpoints

    @property
    def thread(self) -> str:
        """The game session's name at the checkpoint saver."""
        return f"{self.playing.party.id}:{self.playing.party.session}"


def open_game(playing: Playing, saver: Any, checkpoints: Checkpoints) -> PartyGame:
    """The graph over an open saver."""
    return PartyGame(playing, build(playing, saver), saver, checkpoints)


async def play_round(game: PartyGame) -> RoundRecord | Waiting:
    """The next round, or the rest of the one that was begun. Waiting: a person must answer before
    it goes on."""
    party, store = game.playing.party, game.playing.store
    number = await store.count(party.id) + 1
    at = await standing(game.graph, game.thread)
    begun = bool(at["values"]) and at["values"].get("round") == number
    if (
        begun
        and at["waiting"]
        and not await _is_answered(game, Waiting.model_validate(at["waiting"]))
    ):
        return Waiting.model_validate(at["waiting"])
    if not begun or at["next"]:
        with game.playing.span(
            "round", {"party": party.id, "round": number, "session": party.session}
        ):
            at = await run(game.graph, game.thread, None if begun else fresh(number, party.session))
    if at["waiting"]:
        return Waiting.model_validate(at["waiting"])
    record = record_of(at["values"])
    await store.record(party.id, record)
    await store.forget(party.id, number)
    await game.checkpoints.trim(game.saver, game.thread, KEPT)
    return record


async def answer(game: PartyGame, text: str) -> Waiting:
    """Keeps a person's answer to what the round waits for; Conflict when it waits for nobody."""
    at = await standing(game.graph, game.thread)
    if not at["waiting"]:
        raise Conflict("nobody is asked at the moment; go on with `party run`")
    waiting = Waiting.model_validate(at["waiting"])
    key = answer_key(waiting.round, waiting.phase, waiting.who)
    await game.playing.store.keep(game.playing.party.id, waiting.round, key, {"text": text})
    return waiting


async def _is_answered(game: PartyGame, waiting: Waiting) -> bool:
    key = answer_key(waiting.round, waiting.phase, waiting.who)
    return await game.playing.store.done(game.playing.party.id, key) is not None


def record_of(values: dict[str, Any]) -> RoundRecord:
    """A finished round as it is kept and shown."""
    rulings = {a: Ruling.model_validate(r) for a, r in values["rulings"].items()}
    told = [rulings[a].text for a in values["order"] if a in rulings]
    return RoundRecord(
        round=values["round"],
        session=values["session"],
        phases=values["phases"],
        scene=values["scene"],
        memories={
            a: [Memory.model_validate(m) for m in rows] for a, rows in values["memories"].items()
        },
        ooc=values["ooc"],
        consensus=Consensus.model_validate(values["consensus"]),
        directives=values["directives"],
        actions={a: Action.model_validate(row) for a, row in values["actions"].items()},
        validation={a: Validation.model_validate(row) for a, row in values["validation"].items()},
        order=values["order"],
        rulings=rulings,
        reactions=values["reactions"],
        helping=values["helping"],
        over=values["over"],
        lost=values["lost"],
        swayed=values.get("swayed", []),
        minds={agent: _in_short(mind) for agent, mind in values["minds"].items()},
        stored=values["stored"],
        narration="\n\n".join(told) or values["scene"],
        place=values["place"],
        day=values["day"],
        notes=values["notes"],
    )


LEANINGS_KEPT = 5


def _in_short(mind: dict[str, Any]) -> dict[str, Any]:
    """A mind as it is kept with the round: its first leanings are what it chose among."""
    return mind | {"leanings": mind.get("leanings", [])[:LEANINGS_KEPT]}
