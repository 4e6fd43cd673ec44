"""Who fights the player's character: kept as one note of the campaign."""

from typing import Any

from freeform.engine.rules.fight.health import is_up
from freeform.engine.rules.ledger import Ledger
from freeform.engine.world.state import PLAYER, GameState

CAMPAIGN, FIGHT = "campaign", "fight"
SURRENDERED = "surrendered"


def fight_of(state: GameState) -> dict[str, Any]:
    """The fight as it stands: `foes`, `fast` (those before the hero), `ready` (who has thrown for
    it), `round`; empty when there is none."""
    return dict(state.value(CAMPAIGN, FIGHT) or {})


def is_fighting(state: GameState) -> bool:
    """Whether blows are being struck."""
    return bool(fight_of(state).get("foes"))


def standing(state: GameState) -> list[str]:
    """The foes who are here and able."""
    here = state.scene.present_entity_ids
    return [who for who in fight_of(state).get("foes", []) if who in here and is_up(who, state)]


def oppose(who: str, page: Ledger) -> None:
    """Someone fights the player's character, and whoever is on their side and here."""
    state, fight = page.state, fight_of(page.state)
    foes = list(fight.get("foes", []))
    side = _side(who, state)
    mates = [other for other in state.scene.present_entity_ids if other != PLAYER]
    for each in (who, *(mate for mate in mates if side and _side(mate, state) == side)):
        gave_up = bool(state.value(each, SURRENDERED))
        if each not in foes and is_up(each, state) and (each == who or not gave_up):
            foes.append(each)
    if foes:
        page.note(CAMPAIGN, FIGHT, {**fight, "foes": foes})


def stand_down(who: str, page: Ledger) -> None:
    """Someone fights no longer."""
    fight = fight_of(page.state)
    if who in fight.get("foes", []):
        left = [foe for foe in fight["foes"] if foe != who]
        page.note(CAMPAIGN, FIGHT, {**fight, "foes": left})


def _side(who: str, state: GameState) -> str:
    entity = state.entities.get(who)
    return str(entity.attrs.get("side") or "") if entity else ""
