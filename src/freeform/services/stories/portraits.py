"""Faces from character cards: kept small beside the pack the card became, shown to whoever has
heard of the person."""

import hashlib
import json
from pathlib import Path

from freeform import wiring
from freeform.core.errors import BadFile, NotFound, Unavailable
from freeform.engine.rules.known import is_known, knows_name
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER, GameState
from freeform.services.house import House

FOLDER = "portraits"


def keep_portrait(home: Path, pack: str, name: str, picture: bytes, file: str) -> str:
    """Keeps a card's picture; '' when it is kept, else why it is not shown."""
    try:
        small = wiring.reduced_picture(picture, file)
    except (BadFile, Unavailable) as wrong:
        return f"its picture is not shown: {wrong}"
    folder = home / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{pack}.png").write_bytes(small)
    row = {"name": name, "digest": hashlib.sha256(small).hexdigest()[:16]}
    (folder / f"{pack}.json").write_text(json.dumps(row), encoding="utf-8")
    return ""


def portraits_of(home: Path, campaign: str, state: GameState, rules: Rules) -> dict[str, str]:
    """Whose picture a player may see, by name, and where it is."""
    at = f"/api/campaigns/{campaign}/portraits"
    rows = _shown_rows(home, state, rules)
    return {row["name"]: f"{at}/{pack}?{row['digest']}" for pack, row in rows.items()}


def portrait_files(home: Path, state: GameState, rules: Rules) -> dict[str, bytes]:
    """The same pictures themselves, by name."""
    rows = _shown_rows(home, state, rules)
    files = {row["name"]: home / FOLDER / f"{pack}.png" for pack, row in rows.items()}
    return {name: file.read_bytes() for name, file in files.items() if file.is_file()}


def _shown_rows(home: Path, state: GameState, rules: Rules) -> dict[str, dict[str, str]]:
    """What is known of each picture whose person the player knows by name, by pack."""
    folder = home / FOLDER
    if not folder.is_dir():
        return {}
    known = _known_names(state, rules)
    rows = {pack: _row(folder, pack) for pack in rules.begun.packs}
    return {pack: row for pack, row in rows.items() if row and row["name"] in known}


async def read_portrait(house: House, campaign: str, pack: str) -> bytes:
    """One picture; NotFound unless that campaign shows it."""
    store = house.table.store
    state = await store.get_state(campaign)
    rules = Rules.of(await store.begun(campaign)).knowing(state)
    row = _row(house.settings.home / FOLDER, pack) if pack in rules.begun.packs else None
    if row is None or row["name"] not in _known_names(state, rules):
        raise NotFound("there is no such picture at this table")
    return (house.settings.home / FOLDER / f"{pack}.png").read_bytes()


def _known_names(state: GameState, rules: Rules) -> set[str]:
    return {
        entity.name
        for id, entity in state.entities.items()
        if id == PLAYER or (is_known(id, state, rules) and knows_name(id, state, rules))
    }


def _row(folder: Path, pack: str) -> dict[str, str] | None:
    try:
        row = json.loads((folder / f"{pack}.json").read_text(encoding="utf-8"))
        return {"name": str(row["name"]), "digest": str(row["digest"])}
    except (OSError, ValueError, KeyError, TypeError):
        return None
