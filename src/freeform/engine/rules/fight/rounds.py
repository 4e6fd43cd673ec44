"""A fight from turn to turn: who is faster, what foes do, when they give up, when it is over."""

from collections.abc import Sequence
from typing import Any

from freeform.core.chance import Chance
from freeform.engine.campaign.apart import FIGHT, TableHero
from freeform.engine.rules.effects import end_situation, send_away, shift_trust
from freeform.engine.rules.fight.arms import weapon_meant, weapons_of
from freeform.engine.rules.fight.foes import (
    INITIATIVE,
    SURRENDERED,
    OrderRow,
    fight_of,
    foes_due,
    is_fighting,
    oppose,
    stand_down,
    standing,
)
from freeform.engine.rules.fight.fray import Blow, Fray
from freeform.engine.rules.fight.health import is_up, most, points
from freeform.engine.rules.fight.resources import award
from freeform.engine.rules.fight.saves import save
from freeform.engine.rules.fight.strikes import damage_of, strike, wound
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.numbers import block_of, conditions_in, stat_of
from freeform.engine.rules.rolls import at_least, dice_in, thrown
from freeform.engine.table import Rules
from freeform.engine.world.by_hand import CAMPAIGN
from freeform.engine.world.rolled import Roll, RollPart
from freeform.engine.world.state import PLAYER, GameState

TESTED = "nerve_tested"


def begin(who: str, fray: Fray) -> None:
    """Blows are struck: someone and their side are foes now, and it is thrown who is faster."""
    oppose(who, fray.page)
    take_places(fray)


def take_places(fray: Fray) -> None:
    """Foes who are new throw for their place before or behind the player's character."""
    fight = fight_of(fray.state)
    ready = list(fight.get("ready", []))
    new = [foe for foe in fight.get("foes", []) if foe not in ready]
    if not new:
        return
    names = [fray.state.name(foe) for foe in new]
    fast = list(fight.get("fast", []))
    mine = int(fight.get("mine", 0))
    order: dict[str, Any] = {}
    if is_rolled(fray.rules) and len(fray.rules.heroes) > 1:
        order = _ordered(fray, new, fight)
    elif is_rolled(fray.rules):
        mine = mine or _place(PLAYER, fray.at("initiative", PLAYER))
        fast += [foe for foe in new if _place(foe, fray.at("initiative", foe)) > mine]
    state = {"foes": fight["foes"], "ready": [*ready, *new], "fast": fast, "mine": mine}
    fray.page.note(CAMPAIGN, FIGHT, {**state, "round": int(fight.get("round", 0)), **order})
    if not ready:
        fray.page.happen("fight_began", ("violence",), foes=names, name=" and ".join(names))


def is_rolled(rules: Rules) -> bool:
    """Whether it is thrown who comes first, by these rules."""
    fight = rules.system.fight
    return fight is not None and fight.foes == "turns" and bool(fight.initiative_dice)


def roll_order(page: Ledger, rules: Rules, chance: Chance) -> None:
    """All throw for their place: the heroes here, and their foes if there are any."""
    fray, fight = Fray(page, rules, chance), fight_of(page.state)
    rolled = _ordered(fray, fight.get("foes", []), {})
    if is_fighting(page.state):
        page.note(CAMPAIGN, FIGHT, {**fight, **rolled})
    else:
        page.note(CAMPAIGN, INITIATIVE, {"order": rolled["order"]})


def _ordered(fray: Fray, foes: Sequence[str], fight: dict[str, Any]) -> dict[str, Any]:
    """The order of all, with those who are new in it; who throws the same comes in turn, heroes
    before foes."""
    rows = [OrderRow.model_validate(row) for row in fight.get("order", [])]
    for hero in fray.rules.heroes if not rows else ():
        seen = _in_shoes(hero, fray.state)
        total = _place(PLAYER, fray.at("initiative", hero.id), seen)
        rows.append(OrderRow(id=hero.id, name=hero.name, total=total))
    for foe in foes:
        total = _place(foe, fray.at("initiative", foe))
        rows.append(OrderRow(id=foe, name=fray.state.name(foe), total=total, foe=True))
    rows.sort(key=lambda row: (-row.total, row.foe))
    next = fight.get("next") or rows[0].id
    return {"order": [row.model_dump() for row in rows], "next": next}


def _in_shoes(hero: TableHero, state: GameState) -> GameState:
    """The state with that hero as the one who is played."""
    now = state.entities[PLAYER]
    attrs = {**now.attrs, "stats": hero.stats}
    other = now.model_copy(update={"name": hero.name, "attrs": attrs})
    return state.but(entities={**state.entities, PLAYER: other})


def _place(who: str, fray: Fray, seen: GameState | None = None) -> int:
    """One throw for who comes first."""
    fight, state = fray.fight, seen or fray.state
    printed = block_of(who, state, fray.rules.system).initiative
    label, value = stat_of(fray.rules.system, fight.initiative_stat, state, who)
    if printed is not None:
        value = printed
    dice, total = thrown(fight.initiative_dice, fray.chance)
    total += value
    parts = [RollPart(label=label, value=value, source="sheet")] if value else []
    more = f" {'+' if value > 0 else '-'} {abs(value)}" if value else ""
    fell, name = ",".join(map(str, dice)), state.name(who)
    fray.page.rolls.append(
        Roll(
            action="initiative",
            method="initiative",
            dice=dice,
            sides=dice_in(fight.initiative_dice)[1],
            modifier=value,
            stat=label,
            total=total,
            outcome="success",
            text=f"{name}: initiative {fight.initiative_dice} ({fell}){more} = {total}",
            kind="initiative",
            by="" if who == PLAYER else who,
            parts=parts,
        )
    )
    return total


def foes_act(fray: Fray, *, fast: bool) -> None:
    """The foes before, or behind, the player's character have their turn."""
    if fray.fight.foes != "turns" or not is_fighting(fray.state):
        return
    take_places(fray)
    for foe in _due(fray, fast):
        if is_up(PLAYER, fray.state):
            _turn_of(foe, fray.at("foe", foe))


def _due(fray: Fray, fast: bool) -> list[str]:
    """The foes who act before, or behind, the one who is played."""
    fight, able = fight_of(fray.state), standing(fray.state)
    if not fight.get("order"):
        before = set(fight.get("fast", []))
        return [foe for foe in able if (foe in before) == fast]
    due, next = foes_due(fight, fray.rules.acts, before=fast)
    fray.page.note(CAMPAIGN, FIGHT, {**fight, "next": next})
    return [foe for foe in due if foe in able]


def _turn_of(foe: str, fray: Fray) -> None:
    """One foe acts: gives up, runs, strikes, or can do nothing."""
    held = conditions_in(foe, fray.state, fray.rules.system)
    still = next((name for name, condition in held if not condition.acts), "")
    if still:
        fray.page.happen("held_back", npc=foe, name=fray.state.name(foe), condition=still)
    elif not _gives_up(foe, fray):
        weapons = weapons_of(foe, fray.state, fray.rules)
        block = block_of(foe, fray.state, fray.rules.system)
        routine = [weapons[name] for name in block.routine if name in weapons]
        for number, weapon in enumerate(routine or [weapon_meant("", weapons)]):
            if is_up(PLAYER, fray.state):
                foe_strikes(Blow(foe, PLAYER, weapon), fray.at(number))


def foe_strikes(blow: Blow, fray: Fray) -> None:
    """A foe's blow at the player's character; where foes only answer, it is not thrown for."""
    page = fray.page
    if fray.fight.foes == "answer":
        landed = _sure(blow)
    else:
        landed = strike(blow, fray)
    hit = at_least(landed.outcome, "mixed")
    damage = damage_of(blow, landed, fray) if hit else 0
    page.happen(
        "foe_struck",
        ("violence",),
        npc=blow.by,
        name=fray.state.name(blow.by),
        weapon=blow.weapon.name,
        hit=hit,
        outcome=landed.outcome,
        damage=damage,
        measure=fray.rules.system.health.name,
    )
    if hit:
        wound(blow, damage, fray)


def _sure(blow: Blow) -> Roll:
    """A blow that needs no roll of its own."""
    return Roll(
        action="attack",
        method="",
        dice=[],
        sides=0,
        total=0,
        outcome="success",
        text="",
        by=blow.by,
    )


def _gives_up(foe: str, fray: Fray) -> bool:
    """Whether someone who is losing has had enough: once in a fight their nerve is tried."""
    state, fight = fray.state, fray.fight
    block = block_of(foe, state, fray.rules.system)
    share = fight.yields if block.yields is None else block.yields
    if not share or points(foe, state, fray.rules) > share * most(foe, state, fray.rules):
        return False
    if not fight.yield_stat or state.value(foe, TESTED):
        return False
    fray.page.note(foe, TESTED, True)
    need = [RollPart(label="nerve", value=fight.yield_difficulty, source="system")]
    if save(foe, fight.yield_stat, need, fray.at("nerve")):
        return False
    give_up(foe, fray, flees=block.flees)
    return True


def give_up(foe: str, fray: Fray, *, flees: bool = False) -> None:
    """Someone fights no longer: runs, or lays down arms."""
    page, name = fray.page, fray.state.name(foe)
    stand_down(foe, page)
    if flees:
        page.happen("foe_fled", ("violence",), npc=foe, name=name)
        send_away(foe, "", page)
        return
    text = f"{name} has given up."
    page.settle(foe, SURRENDERED, True, text=text, tags=("condition",))
    page.happen("foe_surrendered", ("violence",), npc=foe, name=name)


def close(fray: Fray) -> None:
    """At a turn's end: whoever fell counts for experience, and where none stands it is over."""
    fight = fight_of(fray.state)
    if not fight.get("foes"):
        if fight:
            _over(fray)
        return
    fallen = [foe for foe in fight["foes"] if not is_up(foe, fray.state)]
    for foe in fallen:
        award(block_of(foe, fray.state, fray.rules.system).xp, fray.page, fray.rules)
    left = [foe for foe in fight["foes"] if foe not in fallen]
    here = fray.state.scene.present_entity_ids
    if not any(foe in here for foe in left):
        left = []
    fray.page.note(CAMPAIGN, FIGHT, {**fight, "foes": left, "round": int(fight["round"]) + 1})
    if not left:
        _over(fray)


def _over(fray: Fray) -> None:
    fray.page.note(CAMPAIGN, FIGHT, {})
    if is_up(PLAYER, fray.state):
        fray.page.happen("fight_ended", ("violence",))


def parting_blows(fray: Fray) -> None:
    """Who turns their back on foes is struck at once by each."""
    if fray.fight.foes != "turns":
        return
    for foe in standing(fray.state):
        if is_up(PLAYER, fray.state):
            weapon = weapon_meant("", weapons_of(foe, fray.state, fray.rules))
            foe_strikes(Blow(foe, PLAYER, weapon), fray.at("parting", foe))


def turn_against(who: str, fray: Fray) -> bool:
    """The player's character raises a hand against someone; True when it is the first blow."""
    end_situation("hidden", fray.page)
    shift_trust(who, -3, fray.page)
    if who in fight_of(fray.state).get("foes", []):
        return False
    began = not is_fighting(fray.state)
    begin(who, fray)
    return began
