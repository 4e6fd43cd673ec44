"""What each agent is told, and nothing else: inputs made from what the router lets it hear, within
5,000 tokens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from freeform.core.llm.gateway import PassInput
from freeform.core.text import count_tokens, shorten
from freeform.players.mind.model import MindState
from freeform.players.mind.telling import mind_lines
from freeform.players.model import Memory, Message, Party, Proposal, RoundRecord, Ruling, TableView
from freeform.players.passes import (
    CharacterInput,
    HeardFact,
    OwnClaim,
    PersonaInput,
    ReactInput,
    ToldMemory,
)
from freeform.players.round.channels import (
    DM,
    UNHEARD,
    ChannelRouter,
    character_of,
    persona_of,
)

BUDGET = 5_000
"""Tokens an agent is told at once."""
HEARD = 1_800
"""Of these, tokens of what it heard before; older messages become one summary."""
ROUNDS_HEARD = 4
"""So many rounds back a player has words in the ear; what lies further back is memory's
business."""
LONGEST = 700
"""Letters of one message in a brief: nobody listens to a monologue of ten thousand words."""
SCENE = 4_800
"""Letters of the scene: what four rulings of the last round come to."""
MOST_HEARD = 40
REMEMBERED = 12
_LISTS = ("people", "carried", "threads", "names")

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


@dataclass(frozen=True)
class Thoughts:
    """What a player has on its mind besides what it hears: its mind, memories others told, what it
    said it would do, what it said lately, and how the story ended, if it has."""

    mind: MindState = field(default_factory=MindState)
    claims: list[ToldMemory] = field(default_factory=list)
    own_claims: list[OwnClaim] = field(default_factory=list)
    mine: str = ""
    said_before: list[str] = field(default_factory=list)
    over: str = ""


def listed(messages: Sequence[Message], party: Party) -> list[HeardFact]:
    """Messages as an agent is told them: a name and words, cut where they run on. What the game
    master told to one character says so, for it says `you`."""
    names = _names(party)
    told = {seat.agent: seat.character.name for seat in party.seats}
    heard = []
    for m in messages:
        to = told.get(m.id.rpartition("/")[2], "") if m.from_agent == DM else ""
        who = names.get(m.from_agent, m.from_agent)
        heard.append(
            HeardFact(who=f"{who} to {to}" if to else who, said=shorten(m.content, LONGEST))
        )
    return heard


async def persona_heard(
    party: Party, agent: str, router: ChannelRouter, before: int, since: int = 0
) -> list[HeardFact]:
    """What a player heard tonight (from round `since`) before this round's talk: talk word for
    word, play as a summary. Of the night before it has the game master's last words in the ear; the
    rest is for memory, which may fail."""
    messages = await router.heard(persona_of(party, agent), most=MOST_HEARD)
    told = [
        m
        for m in messages
        if m.content != UNHEARD and (m.round < before or m.phase == "dm_narration")
    ]
    return listed(
        [m for m in told if m.round >= since or (m.round == since - 1 and m.from_agent == DM)],
        party,
    )


async def character_heard(
    party: Party,
    agent: str,
    router: ChannelRouter,
    most: int = 24,
    but: Callable[[Message], bool] = lambda m: False,
) -> list[HeardFact]:
    """What a character has in its ears: what was said and done in play. Its directive is told
    apart, and so is what `but` picks out."""
    messages = await router.heard(character_of(party, agent), most=most)
    return listed([m for m in messages if m.from_agent != agent and not but(m)], party)


def retold(party: Party, last: RoundRecord | None, scene: str) -> str:
    """The scene, saying to whom each part of it was told: `you` is somebody else for everybody."""
    if last is None or scene != last.narration:
        return scene
    told = [
        (party.seat(a).character.name, last.rulings[a]) for a in last.order if a in last.rulings
    ]
    return (
        "\n\n".join(f"To {name}: {r.text}" if r.by == "engine" else r.text for name, r in told)
        or scene
    )


def gist(summary: str) -> HeardFact:
    """What older messages came to, as the first thing heard."""
    return HeardFact(who="earlier, in short", said=shorten(summary, LONGEST))


def persona_input(
    party: Party,
    agent: str,
    table: TableView,
    memories: Sequence[Memory],
    heard: Sequence[HeardFact],
    talk: Sequence[HeardFact] = (),
    question: str = "",
    proposal: Proposal | None = None,
    talk_round: int = 1,
    taken: dict[str, str] | None = None,
    thoughts: Thoughts | None = None,
) -> PersonaInput:
    """A player's question, cut to the budget: see `_fit` for what goes first."""
    seat, by = party.seat(agent), proposal.by if proposal else ""
    made = PersonaInput(
        persona=seat.persona,
        character_name=seat.character.name,
        table=table,
        memories=foremost(memories, thoughts or Thoughts()),
        heard=list(heard),
        talk=[h.model_copy(update={"said": shorten(h.said, LONGEST)}) for h in list(talk)[-24:]],
        question=question,
        proposal=proposal or Proposal(),
        talk_round=talk_round,
        taken=taken or {},
        proposed_by=_names(party).get(by, by),
        **vars(thoughts or Thoughts()),
    )
    return _fit(made)


def foremost(memories: Sequence[Memory], thoughts: Thoughts) -> list[Memory]:
    """Of what is remembered, what a player is told: what others have just told otherwise or not,
    what its first leanings hang on, then what fits."""
    clues = {leaning.clue for leaning in thoughts.mind.leanings[:_FIRST]}
    clues |= {claim.fact_id for claim in thoughts.claims}
    return sorted(memories, key=lambda memory: memory.fact_id not in clues)[:REMEMBERED]


_FIRST = 6


def character_input(
    party: Party,
    agent: str,
    scene: str,
    table: TableView,
    directive: str,
    heard: Sequence[HeardFact],
    attempt: int = 1,
    violation: str = "",
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
        previous_violation=shorten(violation, 400),
        constraints=CONSTRAINTS[min(attempt, 3) - 1],
        lines=table.lines,
        veils=table.veils,
    )


def react_input(
    party: Party,
    agent: str,
    scene: str,
    table: TableView,
    directive: str,
    heard: Sequence[HeardFact],
    ruling: Ruling,
    place: str,
) -> ReactInput:
    """A character's question once something came of it. `place` is where the round has led them."""
    asked = character_input(party, agent, scene, table, directive, heard)
    people = (
        asked.people if place == table.place else [n for n in asked.people if n not in table.people]
    )
    more = {
        "place": place,
        "people": people,
        "ruling": _tail(ruling.text, SCENE),
        "outcome": ruling.outcome,
    }
    return ReactInput(**(dict(asked) | more))


def tokens(input: PassInput) -> int:
    """What a question weighs, without the prompt's own words."""
    return sum(count_tokens(text) for text in input.fields().values())


def overflow(heard: Sequence[HeardFact]) -> int:
    """How many of the oldest messages no longer fit and want a summary."""
    return len(heard) - len(_within(heard, HEARD))


def _fit(made: PersonaInput) -> PersonaInput:
    """Cut to the budget. First goes the oldest of what was heard, then old talk of this round, then
    the least fitting memories; options are what a player chooses from, so they go late. Last, one
    that writes no end is cut short."""
    if _at_most(made) <= BUDGET:
        return made
    while tokens(made) > BUDGET:
        if len(made.heard) > 6:
            made = made.model_copy(update={"heard": made.heard[len(made.heard) // 4 :]})
        elif len(made.talk) > 8:
            made = made.model_copy(update={"talk": made.talk[-8:]})
        elif len(made.memories) > 4:
            made = made.model_copy(update={"memories": made.memories[:-1]})
        elif made.heard:
            made = made.model_copy(update={"heard": made.heard[1:]})
        elif len(made.table.options) > 6:
            made = made.model_copy(
                update={"table": made.table.model_copy(update={"options": made.table.options[:-1]})}
            )
        elif len(made.talk) > 4:
            made = made.model_copy(update={"talk": made.talk[-4:]})
        elif len(made.memories) > 1:
            made = made.model_copy(update={"memories": made.memories[:-1]})
        else:
            return _in_short(made)
    return made


def _in_short(made: PersonaInput) -> PersonaInput:
    """Every text of a player's own file and of the table cut: somebody wrote a book where a line
    was wanted."""
    persona, table = made.persona, made.table
    short = {
        "about": shorten(persona.about, LONGEST), "voice": shorten(persona.voice, LONGEST),
        "goals": [shorten(goal, 80) for goal in persona.goals[:8]],
    }  # fmt: skip
    lists = {name: [shorten(one, 60) for one in getattr(table, name)[:20]] for name in _LISTS}
    options = [o.model_copy(update={"text": shorten(o.text, 100)}) for o in table.options]
    memories = [
        m.model_copy(update={"believed": shorten(m.believed, LONGEST)}) for m in made.memories
    ]
    return made.model_copy(
        update={
            "persona": persona.model_copy(update=short),
            "table": table.model_copy(update={**lists, "options": options}),
            "memories": memories,
            "mind": MindState(),
        }
    )


def _at_most(made: PersonaInput) -> int:
    """A quick bound on what it weighs: words that were counted before, and a little for the names
    around them."""
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
    thought = sum(_tokens(line) for line in mind_lines(made.mind))
    return said + held + offered + taken + thought + sum(_tokens(text) + 2 for text in plain) + 300


def _within(heard: Sequence[HeardFact], most: int) -> list[HeardFact]:
    kept: list[HeardFact] = []
    for message in reversed(heard):
        most -= _tokens(message.said) + 4
        if most < 0:
            break
        kept.append(message)
    return kept[::-1]


def _tail(text: str, most: int) -> str:
    return text if len(text) <= most else "…" + text[-most:].split(" ", 1)[-1]


def _names(party: Party) -> dict[str, str]:
    both = {s.agent: s.persona.name for s in party.seats} | {
        s.character.id: s.character.name for s in party.seats
    }
    return both | {DM: "the game master"}


def in_scene(round: int) -> Callable[[Message], bool]:
    """What the scene tells already: the game master's words of the last round, and those that set
    this one."""
    return lambda m: (
        m.from_agent == DM
        and (
            (m.round == round - 1 and m.phase == "dm_adjudication")
            or (m.round == round and m.phase == "dm_narration")
        )
    )


def told_apart(round: int, ruling: Ruling) -> Callable[[Message], bool]:
    """Besides the scene, what came of one's own attempt: it stands by itself. Earlier rounds are
    past."""
    of_scene = in_scene(round)
    return lambda m: (
        m.round < round or of_scene(m) or (m.from_agent == DM and m.content == ruling.text)
    )
