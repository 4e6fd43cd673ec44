"""One run of an experiment, in a process of its own: nothing is left behind but its row."""

import asyncio
import hashlib
import tempfile
from pathlib import Path
from typing import Any


def play_one_run(job: tuple[str, str, int, float, int, str]) -> dict[str, Any]:
    """Plays a party in memory and gives its figures, flat, with a digest of everything that was said and done."""
    return asyncio.run(_play(*job))


async def _play(
    scenario: str, players: str, seed: int, strength: float, rounds: int, home: str
) -> dict[str, Any]:
    from freeform.core.record import canonical
    from freeform.engine.authored.library import load_scenario
    from freeform.players.model import RoundRecord
    from freeform.players.party.evening import play_on
    from freeform.players.party.party import new_party
    from freeform.players.party.persona import choose_personas
    from freeform.players.party.views import figures
    from freeform.settings import Settings
    from freeform.wiring.players import scratch

    settings = Settings.model_validate({"home": home, "model": "offline"})
    with tempfile.TemporaryDirectory() as folder:
        async with scratch(settings, Path(folder)) as room:
            story = load_scenario(scenario, settings.home)
            who = await new_party(
                story,
                choose_personas(players),
                seed,
                strength,
                room.table,
                room.store,
                room.table.clock,
            )
            played = [came async for came in play_on(room.game, who, rounds)]
    done = [record for record in played if isinstance(record, RoundRecord)]
    found = figures(who, done)
    digest = hashlib.sha256(
        canonical([record.model_dump(mode="json") for record in done]).encode()
    ).hexdigest()
    return {
        "scenario": scenario, "players": players, "seed": seed, "strength": strength, "rounds": found["rounds"],
        "turns": found["turns"], "facts_stored": found["facts_stored"], "talk_rounds": found["talk_rounds"],
        **{state: found["consensus"].get(state, 0) for state in ("unanimous", "majority", "timeout")},
        "refused_once": found["overreach"]["refused_once"], "warned": found["overreach"]["warned"],
        "told": sum(r.stored.get("told", 0) for r in done), "told_wrong": sum(r.stored.get("told_wrong", 0) for r in done),
        "places": len(found["places"]), "last_place": found["places"][-1] if found["places"] else "",
        "digest": digest[:16],
    }  # fmt: skip
