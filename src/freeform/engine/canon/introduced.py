"""People, things and places that a narration brings in: each gets a place, names one may call it
by, and a description, as an entity like any other."""

import re

from freeform.core.text import shorten, slug
from freeform.engine.authored.conditions import check
from freeform.engine.canon.happened import Happened
from freeform.engine.id_repair import id_of
from freeform.engine.rules.effects import people_at
from freeform.engine.rules.ledger import ENGINE, Ledger
from freeform.engine.table import Rules
from freeform.engine.world.model import (
    EntityUpdate,
    IntroducedItem,
    IntroducedNpc,
    Rejected,
    SceneTransition,
    SceneUpdate,
    StateDiff,
)
from freeform.engine.world.names import mentioned, names_of, words
from freeform.engine.world.state import PLAYER, Entity, GameState, Holding
from freeform.language.sentences import sentences
from freeform.language.words import stop_words, word_class
from freeform.language.words import words as every_word

MADE_HERE = "campaign:"
"""What ids of a campaign's own begin with."""
AFAR = "afar"
"""The tag of someone who can be spoken with and is in no place we know: on the telephone, behind a
door."""
_LONGEST_NAME, _MOST_ALIASES = 80, 6
_GOING = ("move", "follow", "improvise")


def bring_in(npc: IntroducedNpc, prose: str, page: Ledger, rules: Rules) -> list[Rejected]:
    """Someone new, or someone of the narrator's own who comes back."""
    if not slug(npc.name):
        return [no(f"introduces {npc.id or 'someone'}", "they have no name")]
    id = _own_id(npc.id or npc.name)
    taken = _taken(id, npc.id, npc.name, page.state)
    if taken and taken.startswith(MADE_HERE) and page.state.entities[taken].type == "npc":
        return _back_again(taken, npc, page, rules)
    if taken:
        return [no(f"introduces {npc.name}", f"{taken} exists already", taken)]
    place = _place_of(npc, prose, page.state, rules)
    afar = not place and bool(npc.location.strip())
    # Whatever kind of person it is called, a guard or a goblin, it is one that can be spoken to.
    kinds = [npc.type] if npc.type and npc.type != "npc" else []
    attrs = {"description": npc.description, "known": True}
    if afar:
        attrs["whereabouts"] = shorten(npc.location.strip(), _LONGEST_NAME)
    name = shorten(npc.name.strip(), _LONGEST_NAME)
    aliases = _aliases(name, npc.aliases, page.state)
    entity = Entity(
        id=id,
        type="npc",
        name=name,
        attrs={**attrs, "aliases": aliases} if aliases else attrs,
        tags=list(dict.fromkeys([*npc.tags, *kinds, *([AFAR] if afar else [])])),
    )
    page.change(StateDiff(entities_add=[entity]))
    _seat(id, place, page)
    page.note(id, "met", True)
    return []


def put_down(item: IntroducedItem, page: Ledger, rules: Rules) -> list[Rejected]:
    """A new thing, where it was said to be: with someone here, with the player, else lying here."""
    if not slug(item.name):
        return [no(f"introduces {item.id or 'something'}", "it has no name")]
    id = _own_id(item.id or item.name)
    taken = _taken(id, item.id, item.name, page.state)
    if taken:
        return [no(f"introduces {item.name}", f"{taken} exists already", taken)]
    state, here = page.state, page.state.scene.location_id
    owner = id_of(item.location, state, rules)
    if state_type(owner, state) not in ("npc", "pc", "location"):
        owner = here
    name = shorten(item.name.strip(), _LONGEST_NAME)
    attrs: dict[str, object] = {"description": item.description}
    aliases = _aliases(name, item.aliases, state)
    if aliases:
        attrs["aliases"] = aliases
    if owner == here and item.location.strip() and not id_of(item.location, state, rules):
        attrs["whereabouts"] = shorten(item.location.strip(), _LONGEST_NAME)
    flags = {} if owner in (here, PLAYER) else {"shown": True}
    entity = Entity(id=id, type="item", name=name, attrs=attrs)
    holding = Holding(owner_id=owner, item_id=id, flags=flags)
    page.change(StateDiff(entities_add=[entity], inventory_add=[holding]))
    return []


def move_scene(
    there: SceneTransition, happened: Happened, page: Ledger, rules: Rules
) -> list[Rejected]:
    """The scene moves where the player's character set out for it, and nothing kept them."""
    state, here = page.state, page.state.scene.location_id
    claim = f"the scene moves to {there.name or there.location_id}"
    meant = id_of(there.location_id, state, rules) or id_of(there.name, state, rules)
    if meant == here:
        return []
    refused = _not_gone(happened, rules)
    if refused:
        return [no(claim, refused, here)]
    if meant:
        way = rules.exit(here, meant, state)
        if way is None:
            return [no(claim, "no way leads there", here)]
        verdict = check(way.when, state)
        if not verdict.holds:
            return [no(claim, "the way is closed", verdict.because)]
        place_id = meant
    elif there.name.strip():
        place_id = _open_place(there, page)
    else:
        return [no(claim, "there is no such place")]
    came = [id for id in there.present_entities if state.value(id, "at") == place_id]
    present = list(dict.fromkeys([PLAYER, *people_at(place_id, page.state), *came]))
    page.change(
        StateDiff(scene_update=SceneUpdate(location_id=place_id, present_entity_ids=present))
    )
    page.note(place_id, "visited", int(state.value(place_id, "visited") or 0) + 1)
    return []


def rename(id: str, name: str, page: Ledger) -> list[Rejected]:
    """Someone or something of the narrator's own gets its name; the old one is still heard."""
    entity, claim = page.state.entities[id], f"{id} name: {name}"
    name = shorten(name.strip(" ."), _LONGEST_NAME)
    if not slug(name) or slug(name) in map(slug, names_of(entity)):
        return []
    taken = _taken("", "", name, page.state)
    if taken:
        return [no(claim, f"{taken} goes by that name", taken)]
    aliases = [*entity.attrs.get("aliases", []), entity.name][:_MOST_ALIASES]
    update = EntityUpdate(id=id, name=name, attrs={"aliases": list(dict.fromkeys(aliases))})
    page.change(StateDiff(entities_update=[update]))
    return []


def no(claim: str, reason: str, because: str = "") -> Rejected:
    """A claim that is not kept."""
    return Rejected(claim=claim, reason=reason, because=because)


def state_type(id: str, state: GameState) -> str:
    """What kind of entity it is; '' for none."""
    entity = state.entities.get(id)
    return entity.type if entity else ""


def _not_gone(happened: Happened, rules: Rules) -> str:
    """Why the scene cannot move: the rules kept the player, moved them already, or nobody went."""
    for blocked in happened.blocked:
        if rules.action_type(blocked.action)[0] in ("move", "follow"):
            return f"the rules refused to go: {blocked.reason}"
    if happened.moved():
        return "they went elsewhere this turn"
    kinds = [rules.action_type(action.action)[0] for action in happened.allowed]
    if not any(kind in _GOING for kind in kinds):
        return "nobody went anywhere this turn"
    return ""


def _open_place(there: SceneTransition, page: Ledger) -> str:
    """A place of the narrator's own, with a way back."""
    state, here = page.state, page.state.scene.location_id
    place_id = _own_id(there.location_id or there.name)
    name = shorten(there.name.strip(), _LONGEST_NAME)
    attrs: dict[str, object] = {"description": there.description, "ways": [here], "known": True}
    aliases = _aliases(name, there.aliases, state)
    if aliases:
        attrs["aliases"] = aliases
    diff = StateDiff(entities_add=[Entity(id=place_id, type="location", name=name, attrs=attrs)])
    if here in state.entities:
        ways = [*state.entities[here].attrs.get("ways", []), place_id]
        back = EntityUpdate(id=here, attrs={"ways": ways})
        diff = diff.model_copy(update={"entities_update": [back]})
    page.change(diff)
    return place_id


def _back_again(id: str, npc: IntroducedNpc, page: Ledger, rules: Rules) -> list[Rejected]:
    """Someone of the narrator's own is met again, perhaps by their name now."""
    refused = rename(id, npc.name, page)
    place = id_of(npc.location, page.state, rules) or page.state.scene.location_id
    if state_type(place, page.state) == "location":
        _seat(id, place, page)
    return refused


def _seat(id: str, place: str, page: Ledger) -> None:
    """Puts someone where they are; whoever is here, or nowhere else, is among those present."""
    here = page.state.scene
    present = [who for who in here.present_entity_ids if who != id]
    if place in ("", here.location_id):
        present.append(id)
    page.change(StateDiff(scene_update=SceneUpdate(present_entity_ids=present)))
    if place:
        page.settle(id, "at", place, disclosure=ENGINE)


def _place_of(npc: IntroducedNpc, prose: str, state: GameState, rules: Rules) -> str:
    """Where someone is: said, or told by the sentence that first names them; '' where they are in
    no place we know."""
    here = state.scene.location_id
    things_here = {item for owner, item in state.inventory if owner in (here, PLAYER)}
    if npc.location.strip():
        said = id_of(npc.location, state, rules) or _way_in(npc.location, state, rules)
        near = mentioned(npc.location, state, ("npc", "object", "item", "pc"))
        if not said and any(state.where(one) == here or one in things_here for one in near):
            return here
        holder = state_type(said, state) == "npc"
        return state.where(said) if holder else said if said in state.entities else ""
    called = words(npc.name)
    for sentence in sentences(prose):
        if called and called <= words(sentence):
            named = mentioned(sentence, state, ("location",))
            if here in named or not named:
                break
            ways = {way.to for way in rules.exits(here, state)}
            return next((place for place in named if place in ways), here)
    return here


def _way_in(said: str, state: GameState, rules: Rules) -> str:
    """The place beyond a way out that the words name."""
    told = words(said)
    for way in rules.exits(state.scene.location_id, state):
        for name in (way.name, *way.aliases):
            if words(name) and words(name) <= told:
                return way.to
    return ""


def _aliases(name: str, given: list[str], state: GameState) -> list[str]:
    """What else it may be called: as the narrator says, and by the last word of a plain name."""
    aliases = [shorten(alias.strip(), _LONGEST_NAME) for alias in given if slug(alias)]
    plain = re.split(r"\s+(?:with|in|of|on|at|from|who|that)\s+", name)[0]
    last = plain.split()[-1] if plain.split() else ""
    common = last.islower() and last not in stop_words() and len(every_word(plain)) > 1
    if common and not mentioned(last, state, ("npc", "item", "object", "location")):
        aliases.append(last)
    own = {slug(name)} | {slug(article) for article in word_class("articles")}
    return [alias for alias in dict.fromkeys(aliases) if slug(alias) not in own][:_MOST_ALIASES]


def _taken(id: str, asked: str, name: str, state: GameState) -> str:
    """The id of someone or something that has that id or name already."""
    if id in state.entities:
        return id
    if asked in state.entities:
        return asked
    plain = slug(name)
    for entity in state.entities.values():
        if plain in map(slug, names_of(entity)):
            return entity.id
    return ""


def _own_id(asked: str) -> str:
    return f"{MADE_HERE}{slug(asked.rpartition(':')[2])}"
