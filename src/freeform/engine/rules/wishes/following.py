"""Where somebody went: who follows them goes there, if they may know it."""

from freeform.engine.rules.checks import may_be_meant, state_type, way_open
from freeform.engine.rules.wishes.wish import Wish
from freeform.engine.world.names import is_named
from freeform.language.sentences import sentences


def followed_to(wish: Wish) -> str:
    """The place a wish to follow leads to: one that was named, or where someone is who is not here
    any more, if one knows of it and may go there; '' for following at their heels."""
    who, state = wish.target, wish.state
    if wish.name != "follow" or who in state.scene.present_entity_ids:
        return ""
    if state_type(who, state) == "location":
        return who
    where = state.where(who)
    if state_type(who, state) != "npc" or not where or not knows_where(who, where, wish):
        return ""
    meant = may_be_meant(who, wish.spoken, state, wish.rules)
    return where if meant and way_open(where, state, wish.rules)[1] is None else ""


def knows_where(who: str, where: str, wish: Wish) -> bool:
    """Whether the player's character can know where someone is: here, where they were met, or
    where they are said to be in what the character has learnt of them, or was told at the
    opening."""
    state = wish.state
    if who in state.scene.present_entity_ids:
        return True
    if where and state.value(where, "visited") and state.value(who, "met"):
        return True
    known = (fact for fact in state.facts_of(who) if fact.visibility == "known")
    learnt = any(is_named(where, str(fact.object.get("text", "")), state) for fact in known)
    return learnt or _is_told_at_opening(who, where, wish)


def _is_told_at_opening(who: str, where: str, wish: Wish) -> bool:
    """Whether the opening says that someone is there: they still are, and it is no secret place."""
    state, scenario = wish.state, wish.rules.scenario
    began = next((e.attrs.get("location") for e in scenario.entities if e.id == who), "")
    ways = [way for place in scenario.places.values() for way in place.exits if way.to == where]
    if began != where or any(way.when for way in ways):
        return False
    opening = sentences(wish.rules.begun.opening)
    return any(is_named(where, told, state) and is_named(who, told, state) for told in opening)
