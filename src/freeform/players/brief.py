"""What each agent is told, and nothing else: inputs made from what the router lets it hear, within 5,000 tokens."""

from collections.abc import Sequence
from functools import lru_cache

from freeform.core.gateway import PassInput
from freeform.core.text import count_tokens, shorten
from freeform.players.channels import DM, ChannelRouter, character_of, persona_of
from freeform.players.model import Memory, Message, Party, Proposal, TableView
from freeform.players.passes import CharacterInput, Heard, PersonaInput

BUDGET = 5_000
"""Tokens an agent is told at once."""
HEARD = 1_400
"""Of these, tokens of what it heard before; older messages become one summary."""
LONGEST = 700
"""Letters of one message in a brief: nobody listens to a monologue of ten thousand words."""
SCENE = 1_600
REMEMBERED = 8

CONSTRAINTS = (
    "Say what you attempt. Do not tell what comes of it: the game master does.",
    "Your last answer told an outcome. State your intention only, as an attempt (`I try to …`); assume no success, "
    "tell nobody else's reaction.",
    "Last attempt, or your words will be cut. Exactly one sentence of the form `I try to …`, then dialogue if any. "
    "No outcome, no success, nobody else's deeds.",
)
_tokens = lru_cache(maxsize=8_192)(count_tokens)
"""The same words are weighed for every agent, round after round."""
STRICTNESS = ("lenient", "strict", "extremely strict")


def listed(messages: Sequence[Message], names: dict[str, str]) -> list[Heard]:
    """Messages as an agent is told them: a name and words, cut where they run on."""
    return [Heard(who=names.get(m.from_agent, m.from_agent), said=shorten(m.content, LONGEST)) for m in messages]


async def persona_heard(party: Party, agent: str, router: ChannelRouter, before: int) -> list[Heard]:
    """What a player heard in earlier rounds: talk word for word, play as a summary."""
    messages = await router.heard(persona_of(party, agent), most=40)
    return listed([m for m in messages if m.round < before], _names(party))


async def character_heard(party: Party, agent: str, router: ChannelRouter, most: int = 12) -> list[Heard]:
    """What a character has in its ears: what was said and done in play. Its directive is told apart."""
    messages = await router.heard(character_of(party, agent), most=most)
    return listed([m for m in messages if m.from_agent != agent], _names(party))


def persona_input(
    party: Party,
    agent: str,
    table: TableView,
    memories: Sequence[Memory],
    heard: Sequence[Heard],
    talk: Sequence[Heard] = (),
    question: str = "",
    proposal: Proposal | None = None,
    talk_round: int = 1,
    taken: dict[str, str] | None = None,
) -> PersonaInput:
    """A player's question, cut to the budget: first memories go, then the oldest of what was heard."""
    seat = party.seat(agent)
    made = PersonaInput(
        persona=seat.persona,
        character_name=seat.character.name,
        table=table,
        memories=list(memories)[:REMEMBERED],
        heard=list(heard),
        talk=list(talk)[-24:],
        question=question,
        proposal=proposal or Proposal(),
        talk_round=talk_round,
        taken=taken or {},
    )
    return _fit(made)


def character_input(
    party: Party,
    agent: str,
    scene: str,
    table: TableView,
    directive: str,
    heard: Sequence[Heard],
    attempt: int = 1,
    violation: str = "",
    ruling: str = "",
    outcome: str = "",
) -> CharacterInput:
    """A character's question. `attempt` sets how strict the constraints are."""
    seat = party.seat(agent)
    return CharacterInput(
        character=seat.character,
        scene=_tail(scene, SCENE),
        place=table.place,
        people=[*table.people, *(s.character.name for s in party.seats if s.agent != agent)],
        directive=shorten(directive, LONGEST),
        heard=_within(heard, HEARD),
        attempt=attempt,
        previous_violation=shorten(violation, 200),
        constraints=CONSTRAINTS[min(attempt, 3) - 1],
        ruling=_tail(ruling, SCENE),
        outcome=outcome,
    )


def tokens(input: PassInput) -> int:
    """What a question weighs, without the prompt's own words."""
    return sum(count_tokens(text) for text in input.fields().values())


def overflow(heard: Sequence[Heard]) -> int:
    """How many of the oldest messages no longer fit and want a summary."""
    return len(heard) - len(_within(heard, HEARD))


def _fit(made: PersonaInput) -> PersonaInput:
    if _at_most(made) <= BUDGET:
        return made
    while (over := tokens(made) - BUDGET) > 0:
        if made.heard:
            made = made.model_copy(update={"heard": made.heard[max(1, len(made.heard) // 4) :]})
        elif len(made.table.options) > 6:
            made = made.model_copy(
                update={"table": made.table.model_copy(update={"options": made.table.options[:6]})}
            )
        elif len(made.talk) > 4:
            made = made.model_copy(update={"talk": made.talk[-4:]})
        elif made.memories:
            made = made.model_copy(update={"memories": made.memories[:-1]})
        else:
            raise AssertionError(f"{over} tokens too many and nothing left to cut")
    return made


def _at_most(made: PersonaInput) -> int:
    """A quick bound on what it weighs: words that were counted before, and a little for the names around them."""
    persona, table = made.persona, made.table
    plain = [
        persona.about,
        persona.voice,
        *persona.goals,
        *table.people,
        *table.carried,
        *table.threads,
        *table.names,
    ]
    said = sum(_tokens(h.said) + _tokens(h.who) + 9 for h in [*made.heard, *made.talk])
    held = sum(_tokens(m.believed) + _tokens(m.fact_id) + 30 for m in made.memories)
    offered = sum(_tokens(o.text) + _tokens(o.who) + _tokens(o.topic) + 20 for o in table.options)
    taken = sum(_tokens(who) + _tokens(what) + 4 for who, what in made.taken.items())
    return said + held + offered + taken + sum(_tokens(text) + 2 for text in plain) + 300


def _within(heard: Sequence[Heard], most: int) -> list[Heard]:
    kept: list[Heard] = []
    for message in reversed(heard):
        most -= _tokens(message.said) + 4
        if most < 0:
            break
        kept.append(message)
    return kept[::-1]


def _tail(text: str, most: int) -> str:
    return text if len(text) <= most else "…" + text[-most:].split(" ", 1)[-1]


def _names(party: Party) -> dict[str, str]:
    both = {s.agent: s.persona.name for s in party.seats} | {s.character.id: s.character.name for s in party.seats}
    return both | {DM: "the game master"}
