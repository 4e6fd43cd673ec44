"""What a replayed turn hears: the answers on tape, the recorded prompts, the notes the books gave
at the time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from freeform.core.clock import Clock
from freeform.core.errors import NotFound, UserError
from freeform.core.llm.gateway import (
    Call,
    Gateway,
    In,
    Listen,
    Out,
    Pass,
    PassAnswer,
    Usage,
)
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import PromptRegistry
from freeform.core.llm.tape import Tape, TapeModel, TapeStore
from freeform.engine.passes import NARRATOR, PLANNER
from freeform.engine.shelf.scene_lore import SceneLoreCache
from freeform.engine.two_calls import REFEREE, TELLER
from freeform.engine.world.state import PLAYER
from freeform.retrieval.briefing import NpcBriefing

OFFLINE = "offline"
"""The name of our own model."""


class TurnTapes:
    """The recorded tapes, one turn read at a time; what is asked anew is not written beside
    them."""

    def __init__(self, recorded: TapeStore) -> None:
        self._recorded = recorded
        self._kept: tuple[str, int | None, Sequence[Tape]] = ("", None, ())

    async def add(self, tape: Tape) -> None:
        """Nothing: a replay leaves the campaign as it was."""

    async def find(self, campaign: str, key: str) -> Tape | None:
        return await self._recorded.find(campaign, key)

    async def of_turn(self, campaign: str, turn_no: int | None = None) -> Sequence[Tape]:
        if self._kept[:2] != (campaign, turn_no):
            self._kept = (campaign, turn_no, await self._recorded.of_turn(campaign, turn_no))
        return self._kept[2]

    async def spent(self, campaign: str | None, since: str) -> Usage:
        return await self._recorded.spent(campaign, since)


@dataclass
class ReplayGateway:
    """Answers from tape under the recorded prompts; with `anew`, what no tape answers is asked
    again.

    `fresh`: nothing is taken from tape, since another model is to answer everything.
    """

    tapes: TurnTapes
    prompts: PromptRegistry
    clock: Clock
    anew: Gateway | None = None
    fresh: bool = False
    pins: dict[str, int] = field(default_factory=dict)
    seed: str = ""
    """The chance of the recorded call: with another seed, what was asked before the dice is still
    on tape."""
    asked: list[str] = field(default_factory=list)
    """The passes that were asked anew."""

    def __post_init__(self) -> None:
        tape = TapeModel(self.tapes)
        self._taped = LiveGateway(
            ModelsByRole(tape, tape), prompts=self.prompts, tapes=self.tapes, clock=self.clock
        )

    async def ask(
        self, pass_: Pass[In, Out], input: In, call: Call, listen: Listen | None = None
    ) -> PassAnswer[Out]:
        """The answer on tape, or a new one where that is wanted."""
        call = call.model_copy(update={"pins": {**call.pins, **self.pins}})
        if not self.fresh:
            try:
                then = call.model_copy(update={"seed": self.seed or call.seed})
                answer = await self._taped.ask(pass_, input, then, listen)
                return replace(answer, offline=await self._was_offline(pass_.id, call))
            except NotFound:
                if self.anew is None:
                    raise
        assert self.anew is not None, "whoever wants fresh answers gives a gateway"
        self.asked.append(pass_.id)
        return await self.anew.ask(pass_, input, call, listen)

    async def _was_offline(self, pass_id: str, call: Call) -> bool:
        """Whether the offline model gave the recorded answer: others are asked to tell anew."""
        tapes = await self.tapes.of_turn(call.campaign, call.turn_no)
        gave = [tape.model for tape in tapes if tape.pass_id == pass_id and tape.output is not None]
        return not gave or gave[-1] == OFFLINE


def version_of(label: str) -> tuple[str, int, str]:
    """A prompt's id, version and digest out of its label `engine/narrator@0#9f2c41aa`."""
    id, _, rest = label.partition("@")
    version, _, digest = rest.partition("#")
    return id, int(version), digest


def recorded_pins(
    labels: Mapping[str, str], prompts: PromptRegistry, turn_no: int, *, exact: bool
) -> dict[str, int]:
    """The versions a turn was played with. An exact replay needs their very words."""
    pins = {}
    for label in labels.values():
        id, version, digest = version_of(label)
        now = prompts.get(id, version)
        if exact and now.digest != digest:
            raise UserError(
                f"the prompt {id} version {version} has other words than when turn {turn_no} was played "
                f"(#{digest}, now #{now.digest}); put the old file back, or ask anew with --model"
            )
        pins[id] = version
    return pins


class TapedNotes:
    """The notes of one turn's scenes as its tapes show them; what the books say now is kept
    beside."""

    def __init__(self, tapes: Sequence[Tape]) -> None:
        said = {
            tape.pass_id: tape.input.get("context_packet", {})
            for tape in tapes
            if tape.output is not None
        }
        for tape in tapes:
            if tape.pass_id == REFEREE.id and tape.output is not None:
                said[PLANNER.id] = {**said[REFEREE.id], "lore_context": tape.input.get("lore", {})}
        told = said.get(TELLER.id) or said.get(NARRATOR.id, {})
        self._then = [_gm_notes(said.get(PLANNER.id, {})), _player_notes(told)]
        self._now: dict[str, SceneLoreCache] = {}

    @property
    def any(self) -> bool:
        """Whether the turn was played with books at all."""
        return any(self._then)

    async def get(self, campaign: str, scene_id: str) -> SceneLoreCache | None:
        """First what the planner was told, then what the narrator was; for another scene, what was
        put."""
        then = self._then.pop(0) if self._then else None
        return then if then and then.scene_id == scene_id else self._now.get(scene_id)

    async def put(self, campaign: str, notes: SceneLoreCache) -> None:
        self._now[notes.scene_id] = notes

    async def drop(self, campaign: str, scene_id: str) -> None:
        self._now.pop(scene_id, None)


def _gm_notes(packet: dict[str, Any]) -> SceneLoreCache | None:
    lore = packet.get("lore_context") or {}
    if not lore.get("scene_id"):
        return None
    return SceneLoreCache.model_validate(
        {**lore, "session_id": "", "retrieved_at": "", "present": _people(packet), "sources": []}
    )


def _player_notes(packet: dict[str, Any]) -> SceneLoreCache | None:
    lore, scene = packet.get("lore_context") or {}, packet.get("scene") or {}
    if not lore.get("atmosphere") and not lore.get("npc_briefings"):
        return None
    return SceneLoreCache(
        scene_id=str(scene.get("id", "")),
        session_id="",
        retrieved_at="",
        location_id=str(scene.get("location_id", "")),
        present=_people(packet),
        atmosphere=lore.get("atmosphere", []),
        npc_briefings={
            who: NpcBriefing.model_validate(notes) for who, notes in lore["npc_briefings"].items()
        },
    )


def _people(packet: dict[str, Any]) -> list[str]:
    return [who for who in packet.get("present_entities", []) if who != PLAYER]
