"""What the player's character knows: whom and what they have heard of, and what each may be called
where the player reads it."""

import re
from collections.abc import Iterator
from functools import lru_cache

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Knowledge
from freeform.engine.table import Rules
from freeform.engine.world.names import names_of, words
from freeform.engine.world.state import PLAYER, Entity, Fact, GameState
from freeform.language.inflection import singular
from freeform.language.words import word_class
from freeform.language.words import words as every_word

_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.I)
_MOST = 4
"""Of what one carries, so much is told in a refusal."""
_MARKED = ("the ", "a ", "an ", "some ", "my ", "your ", "his ", "her ", "their ")


def is_known(id: str, state: GameState, rules: Rules) -> bool:
    """Whether the player's character has heard of someone or something, or has it before their
    eyes."""
    if id not in state.entities:
        return False
    if has_heard_of(id, state) or id in {
        way.to for way in rules.exits(state.scene.location_id, state)
    }:
        return True
    if state.entities[id].type == "location" and _is_place_read_of(id, state, rules):
        return True
    return any(
        h.item_id == id for owner in (PLAYER, state.scene.location_id) for h in state.held(owner)
    )


def _is_place_read_of(id: str, state: GameState, rules: Rules) -> bool:
    """Whether the player has read a place's name, or has been where a way leads there."""
    been = (place for place in rules.scenario.places if state.value(place, "visited"))
    seen = any(way.to == id for place in been for way in rules.exits(place, state))
    return seen or knows_name(id, state, rules)


def has_heard_of(id: str, state: GameState) -> bool:
    """Whether the player's character has met someone, been somewhere, or learnt anything of
    them."""
    entity = state.entities.get(id)
    if entity is None:
        return False
    if id in state.scene.present_entity_ids or entity.attrs.get("known"):
        return True
    if any(state.value(id, mark) for mark in ("met", "visited")):
        return True
    return any(fact.visibility == "known" for fact in state.facts_of(id))


def is_known_to_be(id: str, at: str, state: GameState) -> bool:
    """Whether everybody knows that someone is there: it is no secret, and they have not moved since
    the start."""
    attrs = state.entities[id].attrs
    return attrs.get("whereabouts") == "open" and bool(at) and at == attrs.get("location")


def called(id: str, said: str, state: GameState, rules: Rules) -> str:
    """How the player may hear someone or something called: by name where it is known, else as they
    called it themselves, else as they have read of it; '' where any word would tell too much."""
    entity = state.entities.get(id)
    if entity is None:
        return ""
    if knows_name(id, state, rules):
        return entity.name
    own = as_said(entity, said)
    if own:
        return own
    return _as_read(entity, state, rules)


def knows_name(id: str, state: GameState, rules: Rules) -> bool:
    """Whether the player has read what someone or something is called, or has it before their
    eyes."""
    entity = state.entities.get(id)
    if entity is None:
        return False
    if entity.attrs.get("known") or _is_in_sight(entity, state, rules):
        return True
    if any(state.value(id, mark) for mark in ("met", "visited")):
        return True
    return any(stands_in(entity.name, text) for text in _texts_read(entity, state, rules))


def stands_in(name: str, text: str) -> bool:
    """Whether a name stands in a text as a phrase, whatever its article."""
    return _as_phrase(name) in _as_phrase(text)


def as_said(entity: Entity, said: str) -> str:
    """What the player called a thing, in the player's own letters: its whole name might tell what
    they have not seen yet. '' when they named it by no name it has."""
    heard = words(said)
    typed = []
    for name in map(bare, names_of(entity)):
        if words(name) and words(name) <= heard:
            found = re.search(rf"\b{re.escape(name)}(?:'?s)?\b", said, re.I)
            typed += [found[0]] if found else []
    return max(typed, key=len, default="")


def is_named_so(id: str, said: str, state: GameState) -> bool:
    """Whether words are part of someone's proper name, which is more than how they look."""
    name = state.name(id)
    proper = [word for word in name.split() if word[:1].isupper() and word.lower() != "the"]
    return bool(words(" ".join(proper)) & words(said))


def who_is_here(state: GameState) -> str:
    """Those who can be spoken to, as people list them; '' when one is alone."""
    people = [id for id in state.scene.present_entity_ids if id != PLAYER]
    present = [id for id in people if id in state.entities and state.entities[id].type == "npc"]
    return listed([inside(state.name(id)) for id in present[:3]])


def what_is_here(state: GameState, rules: Rules) -> str:
    """A few things in plain sight, as people list them; '' when there are none."""
    here = state.scene.location_id
    lying = [state.name(held.item_id) for held in state.held(here)]
    details = rules.place(here).details
    parts = [detail.name for detail in details if check(detail.when, state).holds]
    names: list[str] = []
    for name in (*lying, *parts):
        if not any(words(name) <= words(other) for other in names):
            names.append(with_article(name))
    return listed(names[:3])


def what_is_carried(state: GameState) -> str:
    """What the player's character has on them, as people list it; '' for nothing."""
    names = [with_article(state.name(held.item_id)) for held in state.held(PLAYER)]
    return listed([*names[:_MOST], "more"] if len(names) > _MOST else names)


@lru_cache(maxsize=4096)
def inside(name: str) -> str:
    """A name inside a sentence: its article, or whose it is, small."""
    return re.sub(r"^(The|A|An|Some|Your) ", lambda article: article[0].lower(), name)


def bare(name: str) -> str:
    """A name without its article, for `no …` and `the …`."""
    return _ARTICLE.sub("", name)


def with_article(name: str) -> str:
    """A name inside a sentence, with `the` where it has nothing of the kind and is no proper
    name."""
    plain = inside(name.strip())
    marked = not plain[:1].islower() or plain.startswith(_MARKED)
    return plain if marked else f"the {plain}"


def as_subject(name: str) -> str:
    """A name that begins a sentence."""
    plain = with_article(name)
    return plain[:1].upper() + plain[1:]


def is_or_are(names: str) -> str:
    """The verb that goes with a name or a list of names: Orla is, the walkers are."""
    last = bare(names).split(" ")[-1]
    several = " and " in names or (last.islower() and singular(last) != last)
    return "are" if several else "is"


def listed(names: list[str], last: str = "and") -> str:
    """Names as people list them."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def _is_in_sight(entity: Entity, state: GameState, rules: Rules) -> bool:
    """Here, or seen where it lies: with someone present, or in a place one has been to."""
    here = state.scene.location_id
    if entity.id in (PLAYER, here, *state.scene.present_entity_ids):
        return True
    if entity.type == "location":
        return any(way.to == entity.id for way in rules.exits(here, state))
    for (owner, item), holding in state.inventory.items():
        if item != entity.id or holding.qty <= 0 or holding.flags.get("hidden"):
            continue
        near = owner in (PLAYER, here, *state.scene.present_entity_ids)
        if near or state.value(owner, "visited"):
            return True
    stands = str(state.value(entity.id, "at") or entity.attrs.get("location") or "")
    return entity.type == "object" and (stands == here or bool(state.value(stands, "visited")))


def _as_read(entity: Entity, state: GameState, rules: Rules) -> str:
    """Something other than the name that the player has read of someone: `the woman in grey`."""
    texts = [_as_phrase(text) for text in _texts_read(entity, state, rules)]
    known = []
    for name in names_of(entity)[1:]:
        phrase = _as_phrase(name)
        if phrase.strip() and any(phrase in text for text in texts):
            known.append(bare(name))
    longest = max(known, key=len, default="")
    return _with_capitals(longest, entity.name)


@lru_cache(maxsize=2_000)
def _as_phrase(text: str) -> str:
    """A text's words without articles, parted by single spaces, to look for a name in: a fuse and a
    jukebox in one text are no jukebox fuse."""
    articles = word_class("articles")
    return f" {' '.join(word for word in every_word(text) if word not in articles)} "


def _with_capitals(alias: str, name: str) -> str:
    """`sabine` as `Sabine`, where the name has it so."""
    proper = {word.lower(): word for word in name.split() if word[:1].isupper()}
    return " ".join(proper.get(word, word) for word in alias.split())


def _texts_read(entity: Entity, state: GameState, rules: Rules) -> Iterator[str]:
    """What the player has certainly read: the opening, open questions, known facts, places they
    have been to, what they were told, and what they found."""
    yield rules.begun.opening
    yield from (t.title for t in state.threads.values() if t.status != "hidden")
    authored = (state.facts.get(fact.id) for fact in rules.scenario.facts)
    yield from _known_texts(authored)
    yield from _known_texts(state.facts_of(entity.id))
    for id, place in rules.scenario.places.items():
        if state.value(id, "visited"):
            yield place.description
    for id, person in rules.scenario.people.items():
        yield from _lines_told(id, [*person.knows, *person.withholds], state)
    for found in rules.scenario.discoverables:
        if state.value("campaign", f"found:{found.id}"):
            yield from found.content


def _known_texts(facts: Iterator[Fact | None] | list[Fact]) -> Iterator[str]:
    for fact in facts:
        if fact and fact.visibility == "known":
            yield str(fact.object.get("text", ""))


def _lines_told(who: str, knowledge: list[Knowledge], state: GameState) -> Iterator[str]:
    for known in knowledge:
        if state.value(who, f"told:{known.id}"):
            yield from known.says
