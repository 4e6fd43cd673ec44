"""Two parties at two tables: what is said, thought, decided, done, ruled and remembered, round by round."""

from pathlib import Path
from typing import Any

from freeform.players.model import RoundRecord
from freeform.players.party.evening import play_on
from freeform.wiring.players import PartyRoom
from tests.players.conftest import a_parlour, a_party
from tests.snapshots.keeping import cut, plain, sealed, without


async def party(folder: Path) -> dict[str, Any]:
    """Four players for three rounds, forgetful ones for two nights."""
    async with a_parlour(folder) as room:
        sure = await _rounds(room, 3)
        forgetful = await _rounds(
            room, 3, players="2", scenario="first_night", strength=0.9, session_rounds=2
        )
    return {"dead_drop": sure, "first_night": forgetful}


async def _rounds(room: PartyRoom, number: int, **more: Any) -> list[Any]:
    party = await a_party(room, **more)
    rounds: list[Any] = []
    async for came in play_on(room.game, party, number):
        if isinstance(came, RoundRecord):
            whole = plain(came)
            kept = cut(without(whole, "phases", "scene", "narration", "text"))
            rounds.append({**kept, "sealed": sealed(whole)})
    return rounds
