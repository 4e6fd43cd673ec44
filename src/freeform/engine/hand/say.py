"""What a game master says at the table is so: a sentence becomes effects where its words are plain,
and a pinned fact in any case."""

from collections.abc import Iterator

from freeform.core.errors import UserError
from freeform.core.text import visible
from freeform.engine.authored.script import Effect, Hand, Leave, SetFact
from freeform.engine.canon.sayings_of import AT, BEING, says_otherwise, tells_a_death
from freeform.engine.canon.sentence import NamedAt, Sentence, lemmas_of
from freeform.engine.hand.correct import Corrected, write_down
from freeform.engine.table import Table
from freeform.engine.world.by_hand import CAMPAIGN
from freeform.engine.world.names import mentioned
from freeform.engine.world.scales import scales
from freeform.engine.world.state import Entity, GameState, fact_id
from freeform.language.inflection import lemma
from freeform.language.sentences import sentences

LONGEST = 2000
_NAMED = ("npc", "location", "item", "object", "faction")
_HAVING = ("have", "hold", "carry", "own")


async def say(campaign: str, text: str, why: str, table: Table) -> Corrected:
    """Makes a statement canon. What was understood beyond its words stands in `heard`."""
    said = visible(text)
    if not said:
        raise UserError("say something that is so, such as 'Viktor is dead.'")
    if len(said) > LONGEST:
        raise UserError(f"that is {len(said):,} letters long; say it in up to {LONGEST:,}")
    state = await table.store.get_state(campaign)
    rules = table.rules(await table.store.begun(campaign), state)
    effects = [effect for sentence in sentences(said) for effect in meant(sentence, state)]
    words = _kept_words(said, state)
    details = {"said": said, "why": why}
    assert words.set
    pin = fact_id(words.set.subject, words.set.predicate)
    return await write_down(campaign, [*effects, words], details, rules, table, pin)


def _kept_words(said: str, state: GameState) -> Effect:
    """The statement itself, a fact of whom it names first."""
    named = list(mentioned(said, state, _NAMED))
    subject = named[0] if named else CAMPAIGN
    number = 1
    while state.fact(subject, f"said_{number}"):
        number += 1
    return Effect(set=SetFact(subject=subject, predicate=f"said_{number}", value=said, text=said))


def meant(text: str, state: GameState) -> list[Effect]:
    """The effects a sentence states outright: a state, a place, a thing held."""
    sentence = Sentence(text)
    effects: list[Effect] = []
    for id in mentioned(sentence.plain, state, ("npc", "item", "object")):
        entity = state.entities[id]
        for place in sentence.named(entity):
            effects += _of_one(sentence, entity, place, text, state)
    return effects


def _of_one(
    sentence: Sentence, entity: Entity, place: NamedAt, text: str, state: GameState
) -> Iterator[Effect]:
    value = _state_said(sentence, place, entity)
    if value:
        predicate = _predicate(entity, value, state)
        yield Effect(set=SetFact(subject=entity.id, predicate=predicate, value=value, text=text))
    elif entity.type == "npc":
        where = _place_said(sentence, place, state)
        if where:
            yield Effect(leave=Leave(who=entity.id, to=where))
        for item in _held(sentence, place, state):
            yield Effect(hand=Hand(item=item, to=entity.id))


def _state_said(sentence: Sentence, place: NamedAt, entity: Entity) -> str:
    """The word on a scale that a sentence says of someone or something; '' where it says none."""
    if entity.type == "npc" and tells_a_death(sentence, place):
        return "dead"
    for scale in scales():
        for side, other in (scale, scale[::-1]):
            stated = [word for word in sentence.tokens if word in other]
            if stated and says_otherwise(sentence, place, min(side)):
                return stated[0]
    return ""


def _predicate(entity: Entity, value: str, state: GameState) -> str:
    """Where that word is kept: with a word of the same scale, if there is one."""
    if entity.type == "npc":
        return "status"
    for left, right in scales():
        if value not in left | right:
            continue
        for fact in state.facts_of(entity.id):
            if str(fact.object.get("value")) in left | right:
                return fact.predicate
    return "state"


def _place_said(sentence: Sentence, place: NamedAt, state: GameState) -> str:
    """`Viktor is at the docks`: the place that is named so."""
    after = sentence.after(place.end, 3)
    if not after or after[0] not in BEING or not AT & set(after[1:]):
        return ""
    if sentence.is_unreal(place.end + 1):
        return ""
    for id in mentioned(sentence.plain, state, ("location",)):
        spots = sentence.named(state.entities[id])
        if any(place.end < spot.start <= place.end + 5 for spot in spots):
            return id
    return ""


def _held(sentence: Sentence, place: NamedAt, state: GameState) -> list[str]:
    """`Viktor has the shard`: the things that are named so."""
    after = lemmas_of(sentence.after(place.end, 1))
    if not after or after[0] not in {lemma(word) for word in _HAVING}:
        return []
    found: list[str] = []
    for id in mentioned(sentence.plain, state, ("item",)):
        spots = sentence.named(state.entities[id])
        if any(place.end < spot.start <= place.end + 4 for spot in spots):
            found.append(id)
    return found
