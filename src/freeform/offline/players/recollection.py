"""Memories in talk: one that bears on what is proposed is told as it is remembered; one that was
told otherwise than one has it is disputed, or given way to."""

from freeform.core.chance import Chance
from freeform.core.text import plain_form, shorten
from freeform.language.sentences import sentences
from freeform.offline.players.reasons import ABOUT_QUESTIONS, SAID, small_start
from freeform.offline.players.voice import begin, register_of, registers, say
from freeform.players.mind.topics import weighty
from freeform.players.model import Memory, Option
from freeform.players.passes import PersonaInput

_TOLD = 130
_IMPORTANT = 0.6
_UNSURE = 0.55


def recollection(input: PersonaInput, option: Option, chance: Chance) -> tuple[str, str]:
    """A memory that bears on it, and its id; told more often by those who love detail or drama. A
    memory nobody else was there for is told before one that all have."""
    traits = input.persona.traits
    eager = 0.15 + 0.3 * max(traits.detail_oriented, traits.emotional_memory)
    eager += 0.45 * any(memory.own for memory in input.memories)
    if chance.at("recollect").fraction() > eager:
        return "", ""
    wanted = weighty(option.text) | weighty(input.table.place)
    heard = plain_form(" ".join(h.said for h in [*input.heard, *input.talk]))
    said, own = plain_form(" ".join(input.said_before)), f"{input.persona.name} said: "
    fits = [
        memory
        for memory in input.memories
        if (memory.importance > _IMPORTANT or SAID.match(memory.believed))
        and not memory.sight
        and (memory.own or wanted & weighty(memory.believed))
        and not memory.believed.startswith(("Session ", own, *ABOUT_QUESTIONS))
        and _core_of(memory.believed) not in heard
        and _core_of(memory.believed) not in said
    ]
    if not fits:
        return "", ""
    alone = [memory for memory in fits if memory.own]
    memory = chance.at("which").choose((alone or fits)[:3])
    return _told(memory, "tell", input, chance), memory.fact_id


def answered(input: PersonaInput, chance: Chance) -> str:
    """What this player remembers of what somebody asked it: the memory that has most of the
    question's words, as it is held. '' where none has any."""
    if input.asked is None:
        return ""
    wanted = weighty(input.asked.said)
    said = plain_form(" ".join(input.said_before))
    found = [(len(wanted & weighty(m.believed)), m.importance, m) for m in input.memories]
    fits = [row for row in found if row[0] and _core_of(row[2].believed) not in said]
    if not fits:
        return ""
    return _told(max(fits, key=lambda row: row[:2])[2], "tell", input, chance)


def disputed(input: PersonaInput, chance: Chance) -> tuple[str, str]:
    """What this player says against a memory that was told otherwise than it has it, and the
    fact's id. Who is unsure of it says nothing, nor who has said so before."""
    now = [heard.said for heard in input.talk]  # once somebody has put it right, that is enough
    before = plain_form(" ".join([*input.said_before, *now]))
    mine = {m.fact_id: m for m in input.memories if _core_of(m.believed) not in before}
    sure = 0.35 + 0.4 * input.persona.traits.confidence
    for claim in input.claims:
        memory = mine.get(claim.fact_id)
        if memory is None or plain_form(memory.believed) == plain_form(claim.said):
            continue
        if memory.importance < _IMPORTANT:
            continue  # nobody quarrels over who went where
        if memory.confidence < sure or chance.at("dispute", claim.fact_id).fraction() > sure + 0.3:
            continue
        words = _told(memory, "dispute", input, chance, claim.who)
        if words:
            return words, claim.fact_id
    return "", ""


def adopted(input: PersonaInput, chance: Chance) -> str:
    """What this player says when it was put right about something it told in this talk, and is not
    so sure of it as to hold to it; '' where nobody did."""
    said = {claim.fact_id for claim in input.own_claims if claim.disputed}
    mine = next((m for m in input.memories if m.fact_id in said), None)
    if mine is None or mine.confidence > _SURE - 0.3 * (1 - input.persona.traits.stubborn):
        return ""
    who = next(claim.who for claim in input.own_claims if claim.fact_id == mine.fact_id)
    lines = registers()[register_of(input.persona.traits)]["adopt"]
    words = {"name": who, "about": "that"}
    return say(lines, words, input.said_before, chance.at("adopt"))


_SURE = 0.95


def _told(
    memory: Memory, occasion: str, input: PersonaInput, chance: Chance, name: str = ""
) -> str:
    lines = registers()[register_of(input.persona.traits)][occasion]
    words = {"memory": _in_brief(memory.believed.strip()), "name": name}
    said = say(lines, words, input.said_before, chance.at(occasion))
    if not said:
        return ""
    hedge = "" if memory.confidence >= _UNSURE else " Or something like it."
    return begin(small_start(said)) + hedge


def _in_brief(text: str) -> str:
    """As much of a memory as one tells at a table: whole sentences, with their quotes closed."""
    kept = ""
    for sentence in sentences(text):
        if kept and len(kept) + len(sentence) > _TOLD:
            break
        kept = f"{kept} {sentence}".strip()
    kept = shorten(kept, 2 * _TOLD)
    closed = f'{kept}"' if kept.count('"') % 2 else kept
    return closed if closed.endswith((".", "!", "?", "…", "”", '"')) else f"{closed}."


def _core_of(text: str) -> str:
    """What is told, without who said it: two may tell the same of one."""
    return plain_form(text.partition('"')[2] or text)[:40]
