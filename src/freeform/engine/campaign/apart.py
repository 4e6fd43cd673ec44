"""Heroes of one story in different places: who is where, the scenes that are not in the light, and
who knows what was learnt meanwhile. Pure.

Two engine facts of the campaign say so, written in the diff of the turn that parts or joins heroes:
undo, branches and a crash take them along. While all are in one place neither is there.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from copy import deepcopy
from typing import Any

from pydantic import Field

from freeform.core.record import Record
from freeform.engine.world.by_hand import CAMPAIGN
from freeform.engine.world.model import (
    FactUpdate,
    InterpreterOutput,
    ProposedAction,
    SceneUpdate,
    StateDiff,
)
from freeform.engine.world.names import names_of
from freeform.engine.world.state import PLAYER, Fact, GameState, Scene, fact_id
from freeform.language.meaning.along import AlongEar, nobody_tells, who_goes
from freeform.language.words import word_class

APART, SIGHTS, FIGHT = "apart", "sights", "fight"
NEWCOMER = ""
"""Stands for a hero who was not there yet when a turn was played."""
_OWN_MARKS = ("met", "visited")
"""What the engine notes of whom and what a hero has met, beside `told:…`."""


class TableHero(Record):
    """A hero at a table of several; one that an AI player plays stays with people."""

    id: str
    name: str
    by_ai: bool = False
    stats: dict[str, int] = Field(default_factory=dict)


class TurnSight(Record):
    """Who was there when a turn was played, and who saw it."""

    hero: str
    """Who acted; of several at once, the last."""
    heroes: list[TableHero]
    seen_by: list[str] = Field(default_factory=list)
    """The heroes who saw it, by id; all without."""
    left: list[str] = Field(default_factory=list)
    """Those whom the hero left behind."""


class HeroesApart(Record):
    """Who is where, and what is known to some alone."""

    at: dict[str, str] = Field(default_factory=dict)
    """Hero -> place."""
    scenes: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Place -> the scene there and its fight, where the light is elsewhere."""
    knows: dict[str, list[str]] = Field(default_factory=dict)
    """What was learnt, met or taken apart -> the heroes who were there, or were told."""

    def place_of(self, hero: str) -> str:
        """Where a hero is; who has just come to the table is where most are."""
        return self.at.get(hero) or Counter(self.at.values()).most_common(1)[0][0]


def apart_in(state: GameState) -> HeroesApart | None:
    """How the heroes are parted; None while all are in one place."""
    found = state.value(CAMPAIGN, APART)
    return HeroesApart.model_validate(found) if found else None


def unseen_by(hero: str, state: GameState) -> list[list[int]]:
    """The turns that a hero has not seen, as spans from first to last."""
    spans = (state.value(CAMPAIGN, SIGHTS) or {}).get("unseen", {})
    found: list[list[int]] = spans.get(hero, spans.get(NEWCOMER, []))
    return found


def has_seen(turn_no: int, unseen: Iterable[Sequence[int]]) -> bool:
    """Whether a turn lies in none of the spans."""
    return not any(first <= turn_no <= last for first, last in unseen)


def place_of(hero: str, state: GameState) -> str:
    """Where a hero is: in the light, unless a scene is kept where they are."""
    parted = apart_in(state)
    there = parted.place_of(hero) if parted else ""
    return there if parted and there in parted.scenes else state.scene.location_id


def heroes_here(heroes: Sequence[TableHero], state: GameState) -> tuple[TableHero, ...]:
    """Those who are where the light is."""
    here = state.scene.location_id
    return tuple(each for each in heroes if place_of(each.id, state) == here)


def into_scene(hero: str, state: GameState) -> StateDiff | None:
    """What changes when the light falls where that hero is; None when it is there. It is the same
    time of day everywhere."""
    parted = apart_in(state)
    here = state.scene.location_id
    there = place_of(hero, state)
    if parted is None or there == here:
        return None
    kept = parted.scenes[there]
    scenes = {place: scene for place, scene in parted.scenes.items() if place != there}
    scenes[here] = _left(state.scene, state.value(CAMPAIGN, FIGHT))
    scene = Scene.model_validate(kept["scene"])
    elsewhere = {who for place, other in scenes.items() for who in _present(other)}
    came = [id for id, each in state.entities.items() if each.type == "npc"]
    came = [id for id in sorted(came) if state.value(id, "at") == there]
    stayed = [id for id in scene.present_entity_ids if id == PLAYER or _is_still(id, there, state)]
    present = [id for id in dict.fromkeys([*stayed, *came]) if id not in elsewhere or id == PLAYER]
    own = scene.model_dump(exclude={"time", "present_entity_ids"})
    update = SceneUpdate(**own, present_entity_ids=present)
    diff = _noted(state, {APART: parted.model_copy(update={"scenes": scenes}).model_dump()})
    fight = state.fact(CAMPAIGN, FIGHT)
    if fight:
        value = FactUpdate(id=fight.id, object={"value": kept.get("fight") or {}})
        diff = diff.model_copy(update={"facts_update": [*diff.facts_update, value]})
    return diff.model_copy(update={"scene_update": update})


def parted_by(
    before: GameState, after: GameState, sight: TurnSight, text: str, ear: AlongEar = nobody_tells
) -> TurnSight:
    """Who saw a turn: those who were where it was played. Who goes elsewhere takes nobody along but
    whom their words surely mean; an AI player's hero comes along where no person's stays. What is
    seen there, who was left behind does not see."""
    here, now = before.scene.location_id, after.scene.location_id
    group = heroes_here(sight.heroes, before)
    if here == now:
        seen = {sight.hero, *(each.id for each in group)}
    else:
        others = [each for each in group if each.id != sight.hero]
        seen = {sight.hero, *_along(others, text, names_of(after.entities[now]), ear)}
        seen |= {each.id for each in sight.heroes if place_of(each.id, before) == now}
    left = [each.id for each in group if each.id not in seen]
    is_all = {each.id for each in sight.heroes} <= seen
    return sight.model_copy(update={"seen_by": [] if is_all else sorted(seen), "left": left})


def told_in_place(before: GameState, after: GameState, sight: TurnSight) -> TurnSight:
    """Who reads what a game master tells: those where it is told, and where it leads them."""
    places = (before.scene.location_id, after.scene.location_id)
    seen = [each.id for each in sight.heroes if place_of(each.id, before) in places]
    is_all = len(seen) == len(sight.heroes)
    return sight.model_copy(update={"seen_by": [] if is_all else sorted(seen), "left": []})


def noted_by_hand(before: GameState, after: GameState, diff: StateDiff) -> StateDiff:
    """The same where a game master moves those in the light; whatever is read of it, all read."""
    parted = apart_in(before)
    here, now = before.scene.location_id, after.scene.location_id
    if parted is None or here == now:
        return StateDiff()
    heroes = [TableHero(id=id, name="") for id in parted.at]
    sight = told_in_place(before, after, TurnSight(hero="", heroes=heroes))
    return noted(before, after, diff, sight, read_by_all=True)


def noted(
    before: GameState,
    after: GameState,
    diff: StateDiff,
    sight: TurnSight,
    *,
    read_by_all: bool = False,
) -> StateDiff:
    """What the campaign notes of a turn beside what it changed: who is where now, who knows what
    was learnt, who has not seen it. Nothing while all are in one place. Who has left the table is
    nowhere: they come back to where most are."""
    parted = apart_in(before)
    if parted is None and not sight.seen_by:
        return StateDiff()
    here, now = before.scene.location_id, after.scene.location_id
    parted = parted or HeroesApart()
    saw = sight.seen_by or [each.id for each in sight.heroes]
    at = {each.id: place_of(each.id, before) for each in sight.heroes}
    at |= {hero: now for hero in at if hero in saw and hero not in sight.left}
    scenes = {place: scene for place, scene in parted.scenes.items() if place != now}
    if here != now and here in at.values():
        followed = [id for id in after.scene.present_entity_ids if id != PLAYER]
        stay = [id for id in before.scene.present_entity_ids if id not in followed]
        scene = before.scene.model_copy(update={"present_entity_ids": stay})
        scenes[here] = _left(scene, before.value(CAMPAIGN, FIGHT))
    knows = dict(parted.knows)
    for what in _learnt(diff, before, parted.knows):
        knows[what] = sorted({*parted.knows.get(what, ()), *saw})
    together = [hero for hero, place in at.items() if place == now]
    knows = {what: _shared(who, together) for what, who in knows.items()}
    knows = {what: who for what, who in knows.items() if not set(at) <= set(who)}
    scenes = {place: scene for place, scene in scenes.items() if place in at.values()}
    is_one = len(set(at.values())) == 1
    ids = [before.scene.id, after.scene.id, *(each["scene"]["id"] for each in scenes.values())]
    number = max(map(_number, ids))
    kept = before.value(CAMPAIGN, SIGHTS) or {}
    number = max(number, int(kept.get("scene", 0)) + (here != now))
    spans = kept.get("unseen", {})
    spans = spans if read_by_all else _spans(spans, after.turn_no, sight)
    sights = {"unseen": spans, "scene": number}
    rest = HeroesApart(at=at, scenes=scenes, knows=knows)
    marks = {APART: {} if is_one else rest.model_dump(), SIGHTS: sights}
    added = _noted(before, marks)
    if here == now:
        return added
    return added.model_copy(update={"scene_update": SceneUpdate(id=f"scene_{number}")})


def as_known_to(hero: str, state: GameState) -> GameState:
    """The state without what was learnt, met or taken where that hero was not."""
    parted = apart_in(state)
    unseen = unseen_by(hero, state)
    if parted is None and not unseen:
        return state
    secret = [what for what, who in parted.knows.items() if hero not in who] if parted else []
    facts = {**state.facts, **_without_summaries(state, unseen)}
    threads, inventory, entities = dict(state.threads), dict(state.inventory), dict(state.entities)
    for what in secret:
        kind, _, id = what.partition(":")
        if kind == "fact" and id in facts:
            facts[id] = _forgotten(facts[id])
        elif kind == "thread" and id in threads:
            threads[id] = threads[id].model_copy(update={"status": "hidden"})
        elif kind == "item":
            inventory.pop((PLAYER, id), None)
        elif kind == "entity" and id in entities and id not in _before_eyes(state):
            was = entities[id]
            entities[id] = was.model_copy(update={"attrs": {**was.attrs, "known": False}})
    hidden = {id: None for id, fact in facts.items() if fact.visibility == "hidden"}
    return state.but(
        facts=facts, threads=threads, inventory=inventory, entities=entities, hidden=hidden
    )


def towards_heroes(
    wished: InterpreterOutput, state: GameState, heroes: Sequence[TableHero]
) -> InterpreterOutput:
    """Who follows a hero that is elsewhere goes where that hero is."""
    parted = apart_in(state)
    if parted is None:
        return wished
    away: dict[str, str] = {}
    for each in heroes:
        if place_of(each.id, state) != state.scene.location_id:
            away |= dict.fromkeys(_called(each), place_of(each.id, state))
    actions = [_towards(action, away, state) for action in wished.proposed_actions]
    return wished.model_copy(update={"proposed_actions": actions})


def _towards(action: ProposedAction, away: dict[str, str], state: GameState) -> ProposedAction:
    if action.family != "move" or action.target_id:
        return action
    named = [away[word] for word in re.findall(r"[^\W_]+", action.details.lower()) if word in away]
    if not named:
        return action
    place = {"target_id": named[0], "details": state.name(named[0])}
    return action.model_copy(update={"action": "move", **place})


def _along(
    others: Sequence[TableHero], text: str, towards: Collection[str], ear: AlongEar
) -> set[str]:
    """Who of those in a place goes along with the one who leaves it."""
    said = who_goes(text, {each.id: each.name for each in others}, towards, ear)
    people_stay = any(not each.by_ai and each.id not in said.taken for each in others)
    return set(said.taken) if people_stay else {each.id for each in others} - said.left


def _called(hero: TableHero) -> set[str]:
    """The words that a hero goes by: first name, last name, nickname."""
    found = re.findall(r"[^\W_]{3,}", hero.name.lower())
    return {word for word in found if word not in word_class("articles")}


def _learnt(diff: StateDiff, before: GameState, kept: Collection[str]) -> list[str]:
    """What a turn gave to those who were there, by kind and id."""
    found = [f"fact:{fact.id}" for fact in diff.facts_add if _is_own(fact)]
    for update in diff.facts_update:
        old = before.facts.get(update.id)
        news = old is not None and old.visibility != "known" and update.visibility == "known"
        marks = old is not None and old.visibility == "engine" and _is_own(old)
        began = marks and not (old and old.object.get("value"))
        if news or began or f"fact:{update.id}" in kept:
            found.append(f"fact:{update.id}")
    for moved in diff.threads_update:
        was = before.threads.get(moved.id)
        if (was is None or was.status == "hidden") and moved.status:
            found.append(f"thread:{moved.id}")
    gained = [each.item_id for each in diff.inventory_add if each.owner_id == PLAYER]
    gained += [
        each.item_id
        for each in diff.inventory_changes
        if each.owner_id == PLAYER
        and each.delta > 0
        and (PLAYER, each.item_id) not in before.inventory
    ]
    found += [f"item:{id}" for id in gained]
    return [*found, *(f"entity:{each.id}" for each in diff.entities_add)]


def _is_own(fact: Fact) -> bool:
    """Whether a fact is something that those who were there know, and others do not."""
    if fact.visibility == "engine":
        return fact.predicate in _OWN_MARKS or fact.predicate.startswith("told:")
    return fact.visibility == "known"


def _forgotten(fact: Fact) -> Fact:
    if fact.visibility == "engine":
        return fact.model_copy(update={"object": {**fact.object, "value": 0}})
    if "situation" in fact.tags:
        return fact.model_copy(update={"visibility": "hidden", "object": {"value": ""}})
    return fact.model_copy(update={"visibility": "hidden", "discovered_turn": None})


def _without_summaries(state: GameState, unseen: Sequence[Sequence[int]]) -> dict[str, Fact]:
    """The game nights that tell of what a hero has not seen, without what they came to."""
    changed: dict[str, Fact] = {}
    for id, fact in state.facts.items():
        night = fact.object.get("value") if fact.predicate == "session" else None
        if not isinstance(night, dict) or not night.get("summary"):
            continue
        first, last = int(night["turn_range_start"]), int(night.get("turn_range_end") or 0)
        if any(begins <= last and ends >= first for begins, ends in unseen):
            value = {**night, "summary": None, "session_lore": {}}
            changed[id] = fact.model_copy(update={"object": {"value": value}})
    return changed


def _shared(who: Sequence[str], together: Sequence[str]) -> list[str]:
    """Those who are in one place tell each other."""
    return sorted({*who, *together}) if set(who) & set(together) else list(who)


def _spans(kept: dict[str, Any], turn_no: int, sight: TurnSight) -> dict[str, Any]:
    """The spans of turns that were not seen, with this one for those who did not see it."""
    spans = deepcopy(kept)
    if not sight.seen_by:
        return spans
    for hero in [NEWCOMER, *(each.id for each in sight.heroes)]:
        own = spans.setdefault(hero, deepcopy(kept.get(NEWCOMER, [])))
        if hero in sight.seen_by:
            continue
        if own and own[-1][1] >= turn_no - 1:
            own[-1][1] = max(own[-1][1], turn_no)
        else:
            own.append([turn_no, turn_no])
    return spans


def _before_eyes(state: GameState) -> set[str]:
    return {state.scene.location_id, *state.scene.present_entity_ids}


def _is_still(id: str, there: str, state: GameState) -> bool:
    return str(state.value(id, "at") or there) == there


def _left(scene: Scene, fight: Any) -> dict[str, Any]:
    kept: dict[str, Any] = {"scene": scene.model_dump(mode="json", exclude={"time"})}
    return {**kept, "fight": fight} if fight else kept


def _present(kept: dict[str, Any]) -> list[str]:
    present: list[str] = kept["scene"]["present_entity_ids"]
    return present


def _number(scene_id: str) -> int:
    return int(scene_id.rpartition("_")[2] or 1)


def _noted(state: GameState, values: dict[str, Any]) -> StateDiff:
    """Notes of the campaign, as a diff."""
    new: list[Fact] = []
    changed: list[FactUpdate] = []
    for predicate, value in values.items():
        id = fact_id(CAMPAIGN, predicate)
        said = {"value": value}
        if id in state.facts:
            changed.append(FactUpdate(id=id, object=said))
        else:
            new.append(
                Fact(
                    id=id,
                    subject_id=CAMPAIGN,
                    predicate=predicate,
                    object=said,
                    visibility="engine",
                )
            )
    return StateDiff(facts_add=new, facts_update=changed)
