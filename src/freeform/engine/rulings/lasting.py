"""What lasts: conditions of people and things, where a thing lies, company, promises."""

from collections.abc import Callable
from typing import Any

from freeform.core.text import shorten
from freeform.engine.authored.script import Appear, Become, Effect, Promise, Put
from freeform.engine.rules.ledger import Disclosure, Ledger
from freeform.engine.world.model import InventoryChange, RelationshipChange, StateDiff
from freeform.engine.world.scales import opposite_words
from freeform.engine.world.state import PLAYER, Entity, Fact, GameState
from freeform.language.forms import is_going_on, is_plural
from freeform.language.words import word_class

CAMPAIGN = "campaign"
CONDITION, PROMISE, DEED = "condition", "promise", "deed"
"""Tags of facts."""
LIES, FOLLOWS = "lies", "follows"
_FADING, _DUE, _APART = "fading", "promises_due", "promises_apart"
_DAY = 24 * 60
_DEEDS, _MOST_DEEDS = "deeds_done", 5
_UNSEEN = frozenset({"hidden", "out of sight"})
_BARRED = "barricaded"
"""Of a place: its ways out are shut with what was at hand."""
_HELD = frozenset({"seated", "curled up", "low", "flat", "down", "close", "across"})
"""How one holds oneself, where it does not end as `kneeling` does."""


def last(key: str, effect: Effect, page: Ledger, method: str) -> None:
    """The effects of this page."""
    match key:
        case "become" if effect.become:
            become(effect.become, page, method)
        case "cease" if effect.cease:
            cease(*effect.cease, page)
        case "put" if effect.put:
            put(effect.put, page, method)
        case "join" if effect.join:
            join(effect.join, page)
        case "part" if effect.part:
            part(effect.part, page)
        case "promise" if effect.promise:
            promise(effect.promise, page)
        case "end_promise" if effect.end_promise:
            _settle_promise(effect.end_promise, "kept", page)
        case "appear" if effect.appear:
            appear(effect.appear, page)


def scenery_at(place: str, state: GameState) -> list[str]:
    """What stands in a place: its fixtures, and the parts of it that something was done to."""
    objects = (thing for thing in state.entities.values() if thing.type == "object")
    return [
        thing.id
        for thing in objects
        if (state.value(thing.id, "at") or thing.attrs.get("location")) == place
    ]


def conditions_of(subject: str, state: GameState) -> list[Fact]:
    """The conditions a subject is in, as far as the player's character knows."""
    return [
        fact
        for fact in state.facts_of(subject)
        if CONDITION in fact.tags and fact.visibility == "known" and fact.object.get("value")
    ]


def told_conditions(place: str, state: GameState) -> dict[str, list[str]]:
    """The conditions a place is in, as a packet has them; nothing where there are none."""
    found = [fact.predicate for fact in conditions_of(place, state)]
    return {"conditions": found} if found else {}


def become(new: Become, page: Ledger, method: str = "") -> None:
    """A subject is in a condition from now on."""
    name, are = _who(new.subject, page)
    text = new.text or f"{name[:1].upper()}{name[1:]} {are} {new.condition}."
    told = Disclosure("known", method)
    _end_what_cannot_be_too(new, page)
    page.settle(new.subject, new.condition, True, text=text, tags=(CONDITION,), disclosure=told)
    if new.turns:
        until = {**_noted(_FADING, page), f"{new.subject}#{new.condition}": _until(new, page)}
        page.note(CAMPAIGN, _FADING, until)
    page.happen(
        "became", (CONDITION,), subject=new.subject, name=name, condition=new.condition, text=text
    )


def _end_what_cannot_be_too(new: Become, page: Ledger) -> None:
    """What is dark is lit no longer, and who is on the table is not under it."""
    others = opposite_words(new.condition)
    for fact in conditions_of(new.subject, page.state):
        elsewhere = _is_spot(new.condition) and _is_spot(fact.predicate)
        if fact.predicate != new.condition and (fact.predicate in others or elsewhere):
            page.settle(new.subject, fact.predicate, False, tags=(CONDITION,))


def leave_spot(page: Ledger) -> None:
    """Who goes elsewhere is no longer on the table there, nor kneeling, nor out of sight."""
    _end_own(page, lambda condition: _is_spot(condition) or _is_pose(condition))
    here = page.state.scene.location_id
    if page.state.value(here, _BARRED):  # whoever goes takes it down first
        page.settle(here, _BARRED, False, tags=(CONDITION,))
        page.happen("ceased", (CONDITION,), subject=here, condition=_BARRED, text="")


def leave_hiding(page: Ledger) -> None:
    """Who speaks to somebody is no longer out of sight."""
    _end_own(page, lambda condition: condition in _UNSEEN)


def _end_own(page: Ledger, is_over: Callable[[str], bool]) -> None:
    for fact in conditions_of(PLAYER, page.state):
        if is_over(fact.predicate):
            page.settle(PLAYER, fact.predicate, False, tags=(CONDITION,))


def _is_pose(condition: str) -> bool:
    """Whether a condition says how one holds oneself: `kneeling`, `lying down`."""
    return is_going_on(condition.partition(" ")[0]) or condition in _UNSEEN | _HELD


def _is_spot(condition: str) -> bool:
    """Whether a condition says where one is: `on the table`."""
    first, _, rest = condition.partition(" ")
    return bool(rest) and first in word_class("deed_places")


def cease(subject: str, condition: str, page: Ledger) -> None:
    """A subject is in a condition no longer."""
    fact = page.state.fact(subject, condition)
    if fact is None or not fact.object.get("value"):
        return
    name, are = _who(subject, page)
    text = f"{name[:1].upper()}{name[1:]} {are} no longer {condition}."
    page.settle(subject, condition, False, text=text, tags=(CONDITION,))
    page.happen("ceased", (CONDITION,), subject=subject, name=name, condition=condition, text=text)


def put(new: Put, page: Ledger, method: str = "") -> None:
    """A thing lies here, at a spot; whoever held it holds it no longer."""
    state = page.state
    here, name = state.scene.location_id, state.name(new.item)
    for owner in (PLAYER, *state.scene.present_entity_ids):
        if (owner, new.item) in state.inventory:
            gone = InventoryChange(owner_id=owner, item_id=new.item, delta=-1)
            laid = InventoryChange(owner_id=here, item_id=new.item, delta=1)
            page.change(StateDiff(inventory_changes=[gone, laid]))
            break
    lies = "lie" if is_plural(name) else "lies"
    text = new.text or f"{name[:1].upper()}{name[1:]} {lies} {new.spot}."
    told = Disclosure("known", method)
    page.settle(new.item, LIES, new.spot, text=text, tags=(CONDITION,), disclosure=told)
    page.happen("placed", (CONDITION,), item=new.item, name=name, spot=new.spot, text=text)


def pick_up(item: str, page: Ledger) -> None:
    """Whatever held of where it lay holds no longer."""
    for predicate in (LIES, "hidden"):
        if page.state.value(item, predicate):
            page.note(item, predicate, False)


def join(who: str, page: Ledger) -> None:
    """Someone comes along from now on."""
    name = page.state.name(who)
    text = f"{name} goes where you go."
    page.settle(who, FOLLOWS, PLAYER, text=text, tags=(CONDITION,))
    page.happen("joined", ("presence",), npc=who, name=name, text=text)


def part(who: str, page: Ledger) -> None:
    """Someone comes along no longer."""
    if page.state.value(who, FOLLOWS) != PLAYER:
        return
    name = page.state.name(who)
    text = f"{name} stays here."
    page.settle(who, FOLLOWS, "", text=text, tags=(CONDITION,))
    page.happen("parted", ("presence",), npc=who, name=name, text=text)


def promise(new: Promise, page: Ledger) -> None:
    """The player's character has given their word."""
    kept = {"is": "open", "to": new.to}
    page.settle(PLAYER, f"{PROMISE}:{new.id}", kept, text=new.text, tags=(PROMISE,))
    if new.meet_in:
        due = {**_noted(_DUE, page), new.id: _now(page.state) + new.meet_in}
        page.note(CAMPAIGN, _DUE, due)
    page.happen("promised", (PROMISE,), id=new.id, to=new.to, text=new.text)


def appear(new: Appear, page: Ledger) -> None:
    """Part of the place, or of what one has on, becomes a thing one can speak of by its id."""
    if new.id in page.state.entities:
        return
    attrs: dict[str, Any] = {"description": new.text} if new.text else {}
    here = page.state.scene.location_id if new.comes == "made" else ""
    if holder := new.held_by or here:  # what was made here can be taken up
        thing = Entity(id=new.id, type="item", name=new.name, attrs=attrs)
        held = InventoryChange(owner_id=holder, item_id=new.id, delta=1)
        page.change(StateDiff(entities_add=[thing], inventory_changes=[held]))
        return
    attrs |= {"location": page.state.scene.location_id, "scenery": True}
    thing = Entity(id=new.id, type="object", name=new.name, attrs=attrs)
    page.change(StateDiff(entities_add=[thing]))


def remember_deed(details: str, page: Ledger) -> None:
    """What one did here in one's own words, where nothing else became so: told, so kept; the newest
    few of each place."""
    if not details:
        return
    here = page.state.scene.location_id
    count = int(page.state.value(here, _DEEDS) or 0)
    text = f'You did this here: "{shorten(details, 160)}"'
    page.settle(here, f"deed:{count % _MOST_DEEDS + 1}", count + 1, text=text, tags=(DEED,))
    page.note(here, _DEEDS, count + 1)


def pass_on(page: Ledger) -> None:
    """At a turn's end: what was only for a while is over; appointments come due, and are kept as
    soon as one is back with whom one left."""
    fade(page)
    due, apart = _noted(_DUE, page), _noted(_APART, page)
    if not due:
        return
    over, parted = set[str](), dict(apart)
    for id, minute in due.items():
        whom = (page.state.value(PLAYER, f"{PROMISE}:{id}") or {}).get("to", "")
        met = whom in page.state.scene.present_entity_ids
        if not met:
            parted[id] = 1
        if (met and id in apart) or _now(page.state) >= minute:
            _settle_promise(id, "kept" if met else "broken", page)
            over.add(id)
    _note_if_new(_DUE, {id: minute for id, minute in due.items() if id not in over}, page)
    _note_if_new(_APART, {id: 1 for id in parted if id not in over}, page)


def _note_if_new(what: str, value: dict[str, int], page: Ledger) -> None:
    if _noted(what, page) != value:
        page.note(CAMPAIGN, what, value)


def fade(page: Ledger) -> None:
    """What was only for a while is over when its time is."""
    fading = _noted(_FADING, page)
    over = [key for key, until in fading.items() if page.state.played >= until]
    for key in over:
        subject, _, condition = key.rpartition("#")
        page.settle(subject, condition, False, tags=(CONDITION,))
        if subject == page.state.scene.location_id:
            page.happen("ceased", (CONDITION,), subject=subject, condition=condition, text="")
    if over:
        page.note(CAMPAIGN, _FADING, {key: at for key, at in fading.items() if key not in over})


def _settle_promise(id: str, how: str, page: Ledger) -> None:
    fact = page.state.fact(PLAYER, f"{PROMISE}:{id}")
    if fact is None or fact.object["value"].get("is") != "open":
        return
    whom, said = fact.object["value"].get("to", ""), str(fact.object.get("text", ""))
    page.settle(PLAYER, fact.predicate, {"is": how, "to": whom}, text=said, tags=(PROMISE,))
    if page.state.entities.get(whom):
        shift = RelationshipChange(
            a_id=whom, b_id=PLAYER, rel_type="trust", delta=1 if how == "kept" else -1
        )
        page.change(StateDiff(relationships_update=[shift]))
    if how == "kept":
        page.happen("promise_kept", (PROMISE,), id=id, to=whom, text=said)
    else:
        page.happen("promise_broken", (PROMISE,), id=id, to=whom, text=said)


def _who(subject: str, page: Ledger) -> tuple[str, str]:
    """What a subject is called in a sentence, and the verb that goes with it."""
    name = "you" if subject == PLAYER else page.state.name(subject)
    many = subject == PLAYER or (_is_thing(subject, page) and is_plural(name))
    return name, "are" if many else "is"


def _is_thing(subject: str, page: Ledger) -> bool:
    """Whether a subject is no person: `Silas` is one."""
    entity = page.state.entities.get(subject)
    return entity is not None and entity.type in ("item", "object")


def _noted(what: str, page: Ledger) -> dict[str, int]:
    return dict(page.state.value(CAMPAIGN, what) or {})


def _until(new: Become, page: Ledger) -> int:
    return page.state.played + new.turns


def _now(state: GameState) -> int:
    time = state.scene.time
    return int(time.get("day", 1)) * _DAY + int(time.get("minute", 0))
