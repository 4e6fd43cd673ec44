"""What authored effects do, written into the turn's ledger."""

from collections.abc import Sequence
from typing import Any

from freeform.core.chance import Chance
from freeform.engine.authored.opposition import Weapon
from freeform.engine.authored.script import Effect, Hand, Threat
from freeform.engine.rules.fight.foes import oppose, stand_down
from freeform.engine.rules.fight.fray import Blow, Fray
from freeform.engine.rules.fight.health import ease, hurt, mend, suffer
from freeform.engine.rules.fight.resources import award, change
from freeform.engine.rules.fight.strikes import ride
from freeform.engine.rules.ledger import ENGINE, Disclosure, Ledger
from freeform.engine.rulings.lasting import last, leave_hiding, leave_spot, pick_up
from freeform.engine.table import Rules
from freeform.engine.world.by_hand import GAME_MASTER, is_dead_by_hand
from freeform.engine.world.model import (
    ClockDelta,
    InventoryChange,
    RelationshipChange,
    SceneUpdate,
    StateDiff,
    ThreadUpdate,
)
from freeform.engine.world.state import PLAYER, GameState

CAMPAIGN = "campaign"
DAY = 24 * 60
LEVELS = ("calm", "soft", "hard", "lethal")
_PLOT = frozenset(("clock", "thread", "situation", "end_situation", "threat", "end_threat"))
_LASTING = frozenset(("become", "cease", "put", "join", "part", "promise", "end_promise", "appear"))
_LIFE = frozenset(("status", "condition", "state"))
_PEOPLE = frozenset(("trust", "bring", "leave", "go", "escalate", "calm", "harm"))
_FIGHT = frozenset(("fight", "hurt", "gain", "award"))


def perform(effects: Sequence[Effect], page: Ledger, rules: Rules, method: str) -> None:
    """Each effect in turn. `method` is how facts come to be known: `search`, `told by …`."""
    for effect in effects:
        if method == GAME_MASTER or not _needs_the_dead(effect, page.state):
            _perform_one(effect, page, rules, method)


def _needs_the_dead(effect: Effect, state: GameState) -> bool:
    """Whether someone would act, or live, whom a game master has declared dead."""
    new, left = effect.set, effect.leave
    actors = [effect.bring, effect.escalate, effect.join, effect.calm]
    actors += [left.who if left else None, effect.trust.who if effect.trust else None]
    actors += [new.subject if new and new.predicate in _LIFE else None]
    return any(who is not None and is_dead_by_hand(who, state) for who in actors)


def _perform_one(effect: Effect, page: Ledger, rules: Rules, method: str) -> None:
    (key,) = effect.model_fields_set
    if key in _PLOT:
        _move_plot(key, effect, page)
    elif key in _PEOPLE:
        _move_people(key, effect, page, rules)
    elif key in _FIGHT:
        _move_fight(key, effect, page, rules)
    elif key in _LASTING:
        last(key, effect, page, method)
    else:
        _move_world(key, effect, page, method)


def _move_plot(key: str, effect: Effect, page: Ledger) -> None:
    """Clocks, threads, situations and threats."""
    match key:
        case "clock" if effect.clock:
            tick(effect.clock.id, effect.clock.delta, page)
        case "thread" if effect.thread:
            move_thread(*effect.thread, page)
        case "situation" if effect.situation:
            begin_situation(effect.situation.id, effect.situation.text, page)
        case "end_situation" if effect.end_situation:
            end_situation(effect.end_situation, page)
        case "threat" if effect.threat:
            threaten(effect.threat, page)
        case "end_threat" if effect.end_threat:
            threat = f"threat:{effect.end_threat}"
            page.settle(CAMPAIGN, threat, "over", tags=("threat",), disclosure=ENGINE)


def _move_people(key: str, effect: Effect, page: Ledger, rules: Rules) -> None:
    """Where people are, how they stand to the player, how they fare."""
    match key:
        case "trust" if effect.trust:
            shift_trust(effect.trust.who, effect.trust.delta, page)
        case "bring" if effect.bring:
            bring(effect.bring, page)
        case "leave" if effect.leave:
            send_away(effect.leave.who, effect.leave.to, page)
        case "go" if effect.go:
            go(effect.go, page, rules)
        case "escalate" if effect.escalate:
            escalate(effect.escalate, page, rules)
        case "calm" if effect.calm:
            page.note(effect.calm, "escalation", "calm")
            stand_down(effect.calm, page)
        case "harm" if effect.harm:
            pay({"harm": effect.harm}, page, rules)


def _move_fight(key: str, effect: Effect, page: Ledger, rules: Rules) -> None:
    """Foes, wounds, what one has so much of, experience."""
    match key:
        case "fight" if effect.fight:
            oppose(effect.fight, page)
        case "hurt" if effect.hurt:
            chance = Chance(rules.begun.seed, "hurt", page.state.turn_no, len(page.rolls))
            weapon = Weapon(name=effect.hurt.text or "it")
            ride(
                effect.hurt.as_rider(), Blow("", effect.hurt.who, weapon), Fray(page, rules, chance)
            )
        case "gain" if effect.gain:
            change(effect.gain.id, effect.gain.amount, page, rules)
        case "award" if effect.award:
            award(effect.award, page, rules)


def _move_world(key: str, effect: Effect, page: Ledger, method: str) -> None:
    """Facts, things and time."""
    match key:
        case "set" if effect.set:
            new = effect.set
            disclosure = Disclosure(new.visibility, method)
            page.settle(new.subject, new.predicate, new.value, text=new.text, disclosure=disclosure)
        case "reveal" if effect.reveal:
            page.reveal(effect.reveal, method)
        case "hand" if effect.hand:
            hand(effect.hand, page)
        case "unhide" if effect.unhide:
            owner, item = effect.unhide
            unhidden = InventoryChange(owner_id=owner, item_id=item, flags={"hidden": False})
            page.change(StateDiff(inventory_changes=[unhidden]))
        case "minutes" if effect.minutes:
            pass_time(effect.minutes, page)


def hand(change: Hand, page: Ledger) -> None:
    """A thing changes hands; what the player gains or loses is told."""
    moves = []
    if change.source != "nowhere":
        if (change.source, change.item) not in page.state.inventory:
            return
        moves.append(
            InventoryChange(owner_id=change.source, item_id=change.item, delta=-change.qty)
        )
    if change.to != "nowhere":
        moves.append(
            InventoryChange(
                owner_id=change.to, item_id=change.item, delta=change.qty, flags={"hidden": False}
            )
        )
    page.change(StateDiff(inventory_changes=moves))
    pick_up(change.item, page)
    name = page.state.name(change.item)
    if change.to == PLAYER:
        whom = _person(change.source, page)
        page.happen(
            "item_gained",
            item=change.item,
            name=name,
            qty=change.qty,
            source=change.source,
            whom=whom,
        )
    elif change.source == PLAYER:
        whom = _person(change.to, page)
        page.happen(
            "item_lost", item=change.item, name=name, qty=change.qty, to=change.to, whom=whom
        )


def _person(id: str, page: Ledger) -> str:
    """Someone's name; '' for places, things and nowhere."""
    entity = page.state.entities.get(id)
    return entity.name if entity and entity.type == "npc" else ""


DEEDS_TELL = "deeds"
"""A clock with this tag moves by what is done, and that is telling enough."""


def tick(clock_id: str, delta: int, page: Ledger) -> None:
    """A clock moves, within its segments; standing still is not told."""
    clock = page.state.clocks.get(clock_id)
    if clock is None:
        return
    after = max(0, min(clock.max, clock.value + delta))
    if after == clock.value:
        return
    page.change(StateDiff(clocks=[ClockDelta(id=clock_id, delta=after - clock.value)]))
    step: dict[str, Any] = {"id": clock_id, "name": clock.name, "from": clock.value, "to": after}
    if DEEDS_TELL in clock.tags:
        step["told_by_deeds"] = True
    page.happen("clock_advanced", ("clock",), **step, max=clock.max)


def pay(costs: dict[str, int], page: Ledger, rules: Rules) -> dict[str, int]:
    """Costs go to the clocks that take them; gives those that were really paid."""
    paid = {}
    for cost, amount in costs.items():
        if cost == "harm" and amount and _bear_harm(amount, page, rules):
            paid[cost] = amount
            continue
        clock_id = rules.scenario.cost_clocks.get(cost)
        if amount and clock_id in page.state.clocks:
            paid[cost] = amount
            tick(clock_id, amount, page)
    return paid


def _bear_harm(steps: int, page: Ledger, rules: Rules) -> bool:
    """Harm where the system counts it on the sheet: points, or boxes of a track."""
    health = rules.system.health
    if health.harm_points:
        points = steps * health.harm_points
        if points > 0:
            hurt(PLAYER, points, page, rules)
        else:
            mend(PLAYER, -points, page, rules)
        return True
    if not any(level.boxes for level in health.levels):
        return False
    if steps > 0:
        suffer(steps, page, rules)
    else:
        ease(-steps, page, rules)
    return True


def move_thread(thread_id: str, status: str, page: Ledger) -> None:
    """A thread takes another status."""
    thread = page.state.threads.get(thread_id)
    if (
        thread is None
        or thread.status == status
        or (status == "active" and thread.status != "hidden")
    ):
        return  # a clue found late does not open again what is settled
    page.change(StateDiff(threads_update=[ThreadUpdate(id=thread_id, status=status)]))
    page.happen("thread_changed", ("thread",), id=thread_id, title=thread.title, status=status)


def shift_trust(who: str, delta: int, page: Ledger) -> None:
    """Someone trusts the player's character more, or less."""
    change = RelationshipChange(a_id=who, b_id=PLAYER, rel_type="trust", delta=delta)
    page.change(StateDiff(relationships_update=[change]))


def bring(who: str, page: Ledger) -> None:
    """Someone comes into the scene."""
    scene = page.state.scene
    if who in scene.present_entity_ids:
        return
    page.settle(who, "at", scene.location_id, disclosure=ENGINE)
    page.change(
        StateDiff(scene_update=SceneUpdate(present_entity_ids=[*scene.present_entity_ids, who]))
    )
    page.note(who, "met", True)
    page.happen("npc_arrived", ("presence",), npc=who, name=page.state.name(who))


def send_away(who: str, to: str, page: Ledger) -> None:
    """Someone goes, out of the scene if they were in it."""
    scene = page.state.scene
    page.settle(who, "at", to, disclosure=ENGINE)
    if who in scene.present_entity_ids and to != scene.location_id:
        left = [present for present in scene.present_entity_ids if present != who]
        page.change(StateDiff(scene_update=SceneUpdate(present_entity_ids=left)))
        page.happen("npc_left", ("presence",), npc=who, name=page.state.name(who))


def go(to: str, page: Ledger, rules: Rules) -> None:
    """The player's character, with whoever keeps company, stands in another place."""
    state = page.state
    came_from = state.scene.location_id
    leave_spot(page)
    company = [
        who for who in state.scene.present_entity_ids if state.value(who, "follows") == PLAYER
    ]
    visits = int(state.value(to, "visited") or 0)
    present = [PLAYER, *company, *(who for who in people_at(to, state) if who not in company)]
    number = int(state.scene.id.rpartition("_")[2] or 1) + 1
    page.change(
        StateDiff(
            scene_update=SceneUpdate(
                id=f"scene_{number}",
                location_id=to,
                present_entity_ids=present,
                obscured_entities=[],
            )
        )
    )
    for who in company:
        page.settle(who, "at", to, disclosure=ENGINE)
    for who in present[1:]:
        if not page.state.value(who, "met"):
            page.note(who, "met", True)
    page.note(to, "visited", visits + 1)
    place = rules.place(to)
    again = place.again[visits % len(place.again)] if visits and place.again else ""
    text = (place.description if visits == 0 else again).strip()
    way: dict[str, Any] = {"from": came_from, "to": to, "name": page.state.name(to)}
    page.happen("moved", **way, first=visits == 0, text=text)


def people_at(location_id: str, state: GameState) -> list[str]:
    """Everyone whose whereabouts are that place."""
    people = (e.id for e in state.entities.values() if e.type == "npc")
    return sorted(who for who in people if state.value(who, "at") == location_id)


def pass_time(minutes: int, page: Ledger) -> None:
    """The hands of the scene's own clock move."""
    time = dict(page.state.scene.time)
    total = int(time.get("minute", 0)) + minutes
    time["day"] = int(time.get("day", 1)) + total // DAY
    time["minute"] = total % DAY
    page.change(StateDiff(scene_update=SceneUpdate(time=time)))
    if minutes >= 60:
        page.happen("time_passed", minutes=minutes)


def begin_situation(id: str, text: str, page: Ledger) -> None:
    """Something holds for now."""
    if page.state.value(CAMPAIGN, f"situation:{id}") == "active":
        return
    page.settle(CAMPAIGN, f"situation:{id}", "active", text=text, tags=("situation",))
    page.happen("situation_began", ("situation",), id=id, text=text)


def end_situation(id: str, page: Ledger) -> None:
    """It holds no longer."""
    fact = page.state.fact(CAMPAIGN, f"situation:{id}")
    if fact is None or fact.object.get("value") != "active":
        return
    text = str(fact.object.get("text", ""))
    page.settle(CAMPAIGN, f"situation:{id}", "over", tags=("situation",))
    page.happen("situation_ended", ("situation",), id=id, text=text)


def come_out(page: Ledger) -> None:
    """Who speaks to somebody is seen."""
    end_situation("hidden", page)
    leave_hiding(page)


def threaten(threat: Threat, page: Ledger) -> None:
    """Something will happen unless the player acts."""
    if isinstance(page.state.value(CAMPAIGN, f"threat:{threat.id}"), dict):
        return
    due = page.state.played + threat.turns
    page.settle(
        CAMPAIGN,
        f"threat:{threat.id}",
        {"due": due, "threat": threat.model_dump(mode="json", exclude_unset=True)},
        text=threat.text,
        disclosure=ENGINE,
        tags=("threat",),
    )
    page.happen("threat_pending", ("threat",), id=threat.id, text=threat.text)


def escalate(npc: str, page: Ledger, rules: Rules) -> None:
    """Someone takes the next step of their profile, soft to hard to lethal; lethality caps it."""
    profile = rules.person(npc).escalation or "cautious"
    steps = rules.system.escalation.get(profile, [])
    if not steps:
        return
    level = str(page.state.value(npc, "escalation") or "calm")
    allowed = (
        len(steps)
        if rules.begun.calibration.risk.lethality in ("medium", "high")
        else len(steps) - 1
    )
    reached = min(LEVELS.index(level) if level in LEVELS else 0, allowed - 1)
    step = steps[reached]
    name = page.state.name(npc)
    page.note(npc, "escalation", step["level"])
    text = str(step.get("text", "")).replace("{name}", name)
    page.happen("escalated", ("npc",), npc=npc, name=name, level=step["level"], text=text)
    pay(step.get("costs", {}), page, rules)
