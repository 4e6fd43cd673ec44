"""What others' words do to a player's leanings: an argument counts by how it bears on the hearer's
own questions, dangers and memories, whoever makes it."""

from freeform.core.text import plain_form
from freeform.players.mind.model import Leaning
from freeform.players.mind.topics import weighty
from freeform.players.model import Stance
from freeform.players.passes import HeardFact, PersonaInput
from freeform.players.words.stances import read_stance

PER_WORD, MOST = 0.015, 0.06
"""What a word that touches something of the hearer's own is worth to the option it speaks for."""
DEAF = 0.7
"""How much of an argument is lost on the most stubborn."""


def weighed(input: PersonaInput) -> list[Leaning]:
    """The player's leanings after what it heard in this talk, best first."""
    if not input.talk:
        return input.mind.leanings
    own = _own_words(input)
    open_to = 1 - DEAF * input.persona.traits.stubborn
    moved = dict[str, float]()
    for heard in input.talk:
        if heard.who == input.persona.name:
            continue
        for option, push in _pushes(heard, input, own):
            moved[option] = moved.get(option, 0.0) + open_to * push
    found = [
        one.model_copy(update={"score": round(one.score + _held(moved[one.option.text]), 4)})
        if one.option.text in moved
        else one
        for one in input.mind.leanings
    ]
    return sorted(found, key=lambda one: (-one.score, one.option.text))


def _held(push: float) -> float:
    return max(-MOST, min(MOST, push))


def _own_words(input: PersonaInput) -> frozenset[str]:
    """What this player cares about."""
    mind = input.mind
    texts = [question.title for question in mind.questions]
    texts += [danger.text for danger in mind.dangers]
    texts += input.persona.goals
    texts += [memory.believed for memory in input.memories if memory.importance >= 0.6]
    return frozenset(word for text in texts for word in weighty(text))


def _pushes(heard: HeardFact, input: PersonaInput, own: frozenset[str]) -> list[tuple[str, float]]:
    """The options that words speak for or against, and how hard for this hearer."""
    bearing = PER_WORD * len(weighty(heard.said) & own)
    said = plain_form(heard.said)
    named = [
        one.option.text
        for one in input.mind.leanings
        if plain_form(one.option.text) in said and one.option.text != input.proposal.option
    ]
    found = [(option, bearing) for option in named]
    if input.proposal.option:
        stance = read_stance(heard.said, input.proposal.option).stance
        sign = {Stance.AGREE: 1.0, Stance.DISAGREE: -1.0}.get(stance, 0.0)
        if heard.who == input.proposed_by:
            sign = 1.0
        found.append((input.proposal.option, sign * bearing))
    return found


def told_by(input: PersonaInput) -> list[str]:
    """Who else has spoken in this talk, in order."""
    return [heard.who for heard in input.talk if heard.who != input.persona.name]
