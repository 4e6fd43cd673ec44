"""Looking, searching, remembering."""

from dataclasses import replace
from itertools import islice
from typing import Any

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Detail, Discoverable
from freeform.engine.knowledge.answer import glimpse_of, seen_at_once
from freeform.engine.knowledge.evidence import AnswerSource
from freeform.engine.knowledge.reply import SourcedAnswer
from freeform.engine.knowledge.viewpoint import Viewpoint
from freeform.engine.minds.meanwhile import done_at
from freeform.engine.rules.checks import is_at_hand, not_seen
from freeform.engine.rules.deeds.attempt import Attempt, present_people
from freeform.engine.rules.deeds.lore import find_from_lore
from freeform.engine.rules.effects import perform
from freeform.engine.rules.known import as_said
from freeform.engine.rules.rolls import at_least
from freeform.engine.rulings.lasting import conditions_of, scenery_at
from freeform.engine.world.by_hand import is_dead_by_hand
from freeform.engine.world.model import InventoryChange, StateDiff
from freeform.engine.world.names import mentioned, overlap, words
from freeform.engine.world.state import PLAYER, Entity, GameState
from freeform.language.relevance import telling
from freeform.language.tables import cues
from freeform.language.words import word_class
from freeform.language.words import words as every_word

INVENTORY = "inventory"
_RECALLED = 400
_HOURS = frozenset({"time", "hour", "day"})
_ALL_OF_IT = words(
    "what I we know knew known learned learnt so far everything all things clues facts case notes "
    "remember"
)
_OF_IT = frozenset("it its his her him their them".split())
_HANDLED = ("npc", "item", "object")
_NAMED = ("npc", "location", "item", "object", "faction")
"""How many of the newest facts one goes over in thought."""


def look(attempt: Attempt) -> str:
    """Sees what is plainly there: the place, one of its details, a person or a thing."""
    page, action = attempt.page, attempt.action
    if action.details == INVENTORY and not action.target_id:
        things = [page.state.name(h.item_id) for h in page.state.held(PLAYER)]
        page.happen("checked", things=things)
        return ""
    detail = _detail(attempt)
    if detail:
        page.happen("looked", target=action.target_id, name=detail.name, text=detail.text.strip())
        _tell_conditions(_done_to(detail, attempt), attempt)
        _bring_to_light(detail, attempt, "looking")
        return ""
    entity = page.state.entities.get(action.target_id)
    if entity and entity.type != "location" and entity.id != attempt.here:
        _look_at(entity, attempt)
        return ""
    elsewhere = entity is not None and not telling(action.details) <= telling(entity.name)
    if entity and entity.id != attempt.here and not elsewhere:
        text = str(entity.attrs.get("description", "")).strip()
        page.happen(
            "looked", target=entity.id, name=entity.name, text=text, exits=[], people=[], things=[]
        )
        return ""
    if _is_of_place(attempt):
        _look_around(attempt)
    elif not _sees_at_once(attempt) and (_is_of_handled(attempt) or not _glimpse(attempt)):
        _look_at_part(attempt)
    return ""


def _is_of_handled(attempt: Attempt) -> bool:
    """`the back of it`, of what the turn has just had to do with."""
    said = set(every_word(attempt.action.details))
    return bool(said & _OF_IT) and just_handled(attempt) is not None


def _look_at(entity: Entity, attempt: Attempt, part: str = "") -> None:
    """Someone or something, and what is written on it; `part` is what of it one looks at."""
    about = entity.attrs.get("description") or (
        entity.attrs.get("concept") if entity.id == PLAYER else ""
    )
    event: dict[str, Any] = {"text": str(about or "").strip()}
    if written := str(entity.attrs.get("writing") or "").strip():
        event["writing"] = written
    if part:
        event["part"] = part
    attempt.page.happen("looked", target=entity.id, name=entity.name, **event)
    _tell_conditions([entity.id], attempt)


def _look_at_part(attempt: Attempt) -> None:
    """What nobody wrote: part of what one has just had to do with, else nothing that is here."""
    handled, said = just_handled(attempt), attempt.action.details
    if handled is None:
        _look_around(attempt, missed=said)
        return
    closer = attempt.action.model_copy(
        update={"target_id": handled.id, "details": f"{handled.name} {said}"}
    )
    of_it = replace(attempt, action=closer)
    if _detail(of_it):
        search(of_it)
    else:
        _look_at(handled, attempt, said)


def just_handled(attempt: Attempt) -> Entity | None:
    """Whom or what the turn has last had to do with, where that is still here."""
    state = attempt.page.state
    for event in reversed(attempt.page.events):
        for key in ("target", "item", "subject"):
            entity = state.entities.get(str(event.details.get(key) or ""))
            if entity and entity.type in _HANDLED and _is_here(entity.id, state):
                return entity
    return None


def _is_of_place(attempt: Attempt) -> bool:
    """Whether one looks at the place as a whole: `look around`, `the bar`."""
    place = telling(attempt.page.state.name(attempt.here)) | telling("look around")
    return telling(attempt.action.details) <= place | telling(cues("questions")["whole_place"])


def _glimpse(attempt: Attempt) -> bool:
    """What was told or is known of something that nobody made a thing of its own: the window."""
    seen = glimpse_of(attempt.action.details, _view(attempt)) or _missed(attempt)
    return _told(seen, attempt)


def _sees_at_once(attempt: Attempt) -> bool:
    """Who is here, the ways out, the hour, where one looks for that."""
    said = attempt.action.details
    return bool(said) and _told(seen_at_once(said, _view(attempt)), attempt)


def _view(attempt: Attempt) -> Viewpoint:
    return Viewpoint(attempt.page.state, attempt.rules, attempt.background)


def _told(seen: SourcedAnswer | None, attempt: Attempt) -> bool:
    if seen is None:
        return False
    sources = [source.row() for source in seen.sources]
    question = attempt.action.details
    attempt.page.happen("answered", ("free",), question=question, text=seen.text, sources=sources)
    return True


def _missed(attempt: Attempt) -> SourcedAnswer | None:
    """That what was named is not here to be seen."""
    state, said = attempt.page.state, attempt.action.details
    named = mentioned(said, state, ("npc", "item", "object"))
    away = [id for id in named if not _is_here(id, state)]
    if not away:
        return None
    text = not_seen(as_said(state.entities[away[0]], said), state, attempt.rules)
    return SourcedAnswer(text, [AnswerSource("place", attempt.here)])


def _is_here(id: str, state: GameState) -> bool:
    return id in state.scene.present_entity_ids or is_at_hand(id, state)


def _look_around(attempt: Attempt, missed: str = "") -> None:
    state, place = attempt.page.state, attempt.rules.place(attempt.here)
    unseen: dict[str, Any] = {"missed": missed} if missed else {}
    attempt.page.happen(
        "looked",
        target=attempt.here,
        name=state.name(attempt.here),
        text=place.description.strip(),
        people=[_as_seen(who, state) for who in present_people(attempt.page)],
        things=[state.name(h.item_id) for h in state.held(attempt.here)],
        exits=[state.name(way.to) for way in attempt.rules.exits(attempt.here, state)],
        question=attempt.action.details,
        **unseen,
    )
    _tell_conditions(_in_sight(attempt), attempt)
    for fact in done_at(attempt.here, state)[:1]:
        attempt.page.reveal(fact.id, "traces")


def _as_seen(who: str, state: GameState) -> str:
    """Someone's name; of the dead, that they are."""
    name = state.name(who)
    return f"{name}, dead" if is_dead_by_hand(who, state) else name


def _in_sight(attempt: Attempt) -> list[str]:
    """The place, who and what is in it, and its scenery that something was done to."""
    state, here = attempt.page.state, attempt.here
    things = [held.item_id for held in state.held(here)]
    return [here, *present_people(attempt.page), *things, *scenery_at(here, state)]


def _done_to(detail: Detail, attempt: Attempt) -> list[str]:
    """The scenery of this place that goes by a name of the detail."""
    state, names = attempt.page.state, [detail.name, *detail.aliases]
    scenery = scenery_at(attempt.here, state)
    return [id for id in scenery if overlap(state.name(id), names)]


def _tell_conditions(subjects: list[str], attempt: Attempt) -> None:
    """What has become of what one looks at."""
    state = attempt.page.state
    facts = [fact for id in subjects for fact in conditions_of(id, state)]
    texts = [str(fact.object.get("text", "")) for fact in facts]
    if texts:
        attempt.page.happen("conditions_seen", texts=texts)


def search(attempt: Attempt) -> str:
    """Finds what lies at the right spot.

    A whole room takes luck; a spot named takes none, unless authored so.
    """
    page, action = attempt.page, attempt.action
    if _looks_for_someone(attempt):
        return ""
    open_finds = [
        hidden
        for hidden in attempt.rules.scenario.discoverables
        if hidden.at == attempt.here
        and not page.state.value("campaign", f"found:{hidden.id}")
        and check(hidden.when, page.state).holds
    ]
    spoken = f"{action.details} {attempt.name}"
    named = [hidden for hidden in open_finds if overlap(spoken, hidden.words)]
    outcome = ""
    if named:
        best = max(named, key=lambda hidden: overlap(spoken, hidden.words))
        if best.stat:
            outcome = attempt.throw(best.stat, best.tier)
        if not outcome or at_least(outcome, "mixed"):
            _find(best, attempt)
            return outcome
    elif open_finds and _whole_room(attempt):
        outcome = attempt.throw(attempt.kind.stat or "wits", 0)
        if at_least(outcome, "success"):
            _find(open_finds[0], attempt)
            return outcome
        if outcome == "mixed":
            page.happen("hinted", id=open_finds[0].id, text=open_finds[0].trigger)
            return outcome
    if not find_from_lore(attempt, spoken):
        _look_where_nothing_is_hidden(attempt)
    return outcome


def _look_where_nothing_is_hidden(attempt: Attempt) -> None:
    """A search of a detail sees it; any other finds nothing."""
    page, target = attempt.page, attempt.action.target_id
    detail = _detail(attempt)
    if detail is None and not target and _sees_at_once(attempt):
        return
    if detail is None:
        page.happen("searched", target=target, name=_searched(attempt), found=False)
        return
    page.happen("looked", target=target, name=detail.name, text=detail.text.strip())
    _bring_to_light(detail, attempt, "searching")


def _bring_to_light(detail: Detail, attempt: Attempt, method: str) -> None:
    """What one learns by seeing a detail, and the things that were hidden with it."""
    for fact in detail.reveals:
        attempt.page.reveal(fact, method)
    for item in detail.finds:
        if (attempt.here, item) in attempt.page.state.inventory:
            seen = InventoryChange(owner_id=attempt.here, item_id=item, flags={"hidden": False})
            attempt.page.change(StateDiff(inventory_changes=[seen]))


def _looks_for_someone(attempt: Attempt) -> bool:
    """`find Marcus`: one goes up to him where he stands, or sees that he is not here."""
    state, action = attempt.page.state, attempt.action
    named = mentioned(action.details, state, ("npc",)) if not action.target_id else []
    if not named or not words(action.details) <= words(state.name(named[0])):
        return False
    if named[0] in state.scene.present_entity_ids:
        attempt.page.happen("approached", target=named[0], name=state.name(named[0]))
        return True
    return _glimpse(attempt)


def _searched(attempt: Attempt) -> str:
    """What was gone through: by its name, by the words for it where they are a name for a thing,
    else the place."""
    said = attempt.action.details.strip()
    is_thing = said.partition(" ")[0].lower() in word_class("determiners")
    return attempt.name or (said if is_thing else attempt.page.state.name(attempt.here))


def recall(attempt: Attempt) -> str:
    """Goes over what is known of a topic, the newest first."""
    state = attempt.page.state
    topic = f"{attempt.action.details} {attempt.name}"
    if words(topic) and words(topic) <= _HOURS:
        attempt.page.happen("recalled", facts=[_hour(state)], topic=topic.strip())
        return ""
    named = (
        f for id in mentioned(topic, state, _NAMED) for f in state.facts_of(id, newest=_RECALLED)
    )
    fresh = {f.id: f for f in (*named, *islice(state.newest_facts(), _RECALLED))}
    known = [f for f in fresh.values() if f.visibility == "known" and f.object.get("text")]
    about = words(topic) - _ALL_OF_IT
    telling = [
        f
        for f in known
        if not about or about & words(f"{state.name(f.subject_id)} {f.object['text']}")
    ]
    newest = sorted(telling, key=lambda f: (-(f.discovered_turn or 0), f.id))[:5]
    attempt.page.happen(
        "recalled", facts=[str(f.object["text"]) for f in newest], topic=topic.strip()
    )
    return ""


def _hour(state: GameState) -> str:
    day, minutes = int(state.scene.time.get("day", 1)), int(state.scene.time.get("minute", 0))
    return f"By your reckoning it is {minutes // 60:02d}:{minutes % 60:02d}, on day {day}."


def _find(found: Discoverable, attempt: Attempt) -> None:
    text = attempt.chance.choose(found.content).strip()
    attempt.page.note("campaign", f"found:{found.id}", True)
    attempt.page.happen("discovered", ("discovery",), id=found.id, text=text)
    perform(found.effects, attempt.page, attempt.rules, f"searching: {found.trigger}")


def _whole_room(attempt: Attempt) -> bool:
    """The search names no spot, or only the place itself."""
    spoken = words(f"{attempt.action.details} {attempt.name}")
    place = words(attempt.page.state.name(attempt.here))
    return spoken <= place | {
        "room",
        "place",
        "area",
        "around",
        "everything",
        "everywhere",
        "clue",
        "anything",
    }


def _detail(attempt: Attempt) -> Detail | None:
    spoken = f"{attempt.action.details} {attempt.name}"
    seen = [
        (overlap(spoken, [detail.name, *detail.aliases]), detail)
        for detail in attempt.rules.place(attempt.here).details
        if check(detail.when, attempt.page.state).holds
    ]
    best = max(seen, key=lambda pair: pair[0], default=None)
    return best[1] if best and best[0] else None
