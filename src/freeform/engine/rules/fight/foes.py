"""Who fights the player's character: kept as one note of the campaign."""

from typing import Any

from freeform.core.record import Record
from freeform.engine.campaign.apart import APART, FIGHT, apart_in
from freeform.engine.rules.fight.health import is_up
from freeform.engine.rules.ledger import Ledger
from freeform.engine.world.by_hand import CAMPAIGN
from freeform.engine.world.model import StateDiff
from freeform.engine.world.state import PLAYER, GameState

INITIATIVE = "initiative"
SURRENDERED = "surrendered"


class OrderRow(Record):
    """Someone's place in the order of a fight: a hero of the table, or a foe."""

    id: str
    name: str
    total: int
    foe: bool = False


class TurnOrder(Record):
    """In which order all act, and who is next."""

    rows: list[OrderRow]
    next: str = ""
    """'' where nobody keeps count but the table itself."""


def order_in(state: GameState) -> TurnOrder | None:
    """The order that was rolled, wherever the fight is; None without one."""
    parted = apart_in(state)
    fights = [
        fight_of(state),
        *(each.get("fight", {}) for each in (parted.scenes.values() if parted else ())),
    ]
    fights.append(state.value(CAMPAIGN, INITIATIVE) or {})
    rolled = next((each for each in fights if each.get("order")), None)
    if rolled is None:
        return None
    rows = [OrderRow.model_validate(row) for row in rolled["order"]]
    return TurnOrder(rows=rows, next=str(rolled.get("next", "")))


def without_order(state: GameState) -> StateDiff:
    """What changes when the order is given up: all act as the table says, foes as they come."""
    page = Ledger(state)
    page.note(CAMPAIGN, INITIATIVE, {})
    _note_fights(page, {"order": [], "next": ""})
    return page.diff


def with_next(state: GameState, next: str) -> StateDiff:
    """What changes when someone's turn in a fight is passed by; nothing where the table alone
    keeps count."""
    page = Ledger(state)
    _note_fights(page, {"next": next}, among=next)
    return page.diff


def _note_fights(page: Ledger, changed: dict[str, Any], among: str = "") -> None:
    """Changes every fight with an order, wherever it is; only that of someone, if given."""

    def is_meant(fight: dict[str, Any]) -> bool:
        ids = [row["id"] for row in fight.get("order") or []]
        return bool(ids) and (not among or among in ids)

    fight, parted = fight_of(page.state), apart_in(page.state)
    if is_meant(fight):
        page.note(CAMPAIGN, FIGHT, {**fight, **changed})
    if parted is None:
        return
    scenes = {
        place: {**kept, "fight": {**kept["fight"], **changed}}
        for place, kept in parted.scenes.items()
        if is_meant(kept.get("fight") or {})
    }
    if scenes:
        all_scenes = {**parted.scenes, **scenes}
        page.note(CAMPAIGN, APART, parted.model_copy(update={"scenes": all_scenes}).model_dump())


def foes_due(fight: dict[str, Any], acts: str, *, before: bool) -> tuple[list[str], str]:
    """The foes whose turn it is before that hero's deed, or behind it, and who is next then."""
    rows = [OrderRow.model_validate(row) for row in fight["order"]]
    ids = [row.id for row in rows]
    at = ids.index(fight["next"]) if fight.get("next") in ids else 0
    if before and acts not in ids:
        return [], ids[at]
    due: list[str] = []
    for _ in rows:
        if ids[at] == acts and before:
            at = (at + 1) % len(ids)
            break
        if not before and not rows[at].foe:
            break
        due += [ids[at]] if rows[at].foe else []
        at = (at + 1) % len(ids)
    return due, ids[at]


def fight_of(state: GameState) -> dict[str, Any]:
    """The fight as it stands: `foes`, `fast` (those before the hero), `ready` (who has thrown for
    it), `round`; where several heroes fight, the `order` of all and who is `next`; empty when there
    is none."""
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
