"""Players without a model: weigh what could be done by temper, argue for it, give in or not, and direct a character."""

import re

from freeform.core.chance import Chance
from freeform.core.text import plain_form, shorten
from freeform.language.forms import verb_forms
from freeform.language.sentences import sentences
from freeform.language.words import word_class
from freeform.offline.grammar import inside
from freeform.offline.suggestions import short
from freeform.players.model import BasePersona, Memory, Option
from freeform.players.passes import DirectiveReply, PersonaInput, TalkReply
from freeform.players.round.options import as_option, kind_of

_LIKED = 0.35
_FRESH = {
    "ask": 0.55,
    "look": 0.45,
    "take": 0.5,
    "show": 0.4,
    "go": 0.2,
    "use": 0.3,
    "talk": 0.2,
    "wait": 0.0,
}
_RISK = {"go": 0.3, "take": 0.35, "use": 0.3, "show": 0.1}
_PATIENCE = {"go": 0.15, "take": 0.3, "use": 0.35}
"""How much better something else must look before one speaks against it: leaving and grabbing are argued about."""
_STAY = 3
"""So many things left to do in a place hold a party there."""
_SMALL = re.compile(r"[a-z']{4,}")
_TOLD = 130
_FRESH_DAYS = 0.02


def respond_talk(input: PersonaInput, chance: Chance) -> TalkReply:
    """What the player says: a proposal with a reason, or where it stands to the one there is."""
    persona = input.persona
    ranked = rank(input, chance)
    if not input.proposal.option:
        return _propose(input, ranked, chance)
    if input.proposal.by == persona.id:
        return _insist(input, chance)
    best = next((o for o, _ in ranked if o.text != input.proposal.option), None)
    scores = {option.text: score for option, score in ranked}
    gap = scores.get(best.text, 0.0) - scores.get(input.proposal.option, 0.3) if best else -1.0
    gives_in = input.talk_round > 1 and chance.fraction() > persona.traits.stubborn - 0.12 * (
        input.talk_round - 1
    )
    said = {"mine": _own(input, ranked), "said_memory": ""}
    if input.talk_round > 1 and gives_in and gap > 0.1:
        return TalkReply(content=_line(persona, "yield", input, chance), mine=said["mine"])
    if best and gap > _PATIENCE.get(input.proposal.kind, 0.36) + 0.3 * chance.fraction():
        words = _line(persona, "disagree", input, chance)
        reason = _reason(persona, best, input, chance)
        return TalkReply(
            content=f"{words} I'd rather {_small(best.text)}. {reason}".strip(),
            proposes=best.text,
            mine=best.text,
        )
    risky = _RISK.get(input.proposal.kind, 0.0) + persona.traits.caution * 0.3
    if best and best.kind != "go" and chance.fraction() < risky * 0.6:
        words = _line(persona, "condition", input, chance, also=_done_form(best.text))
        return TalkReply(content=words, mine=said["mine"])
    if gap > 0.1 and chance.fraction() > persona.traits.confidence + 0.35:
        return TalkReply(content=_line(persona, "unsure", input, chance, who=_someone(input)))
    words = _line(persona, "agree", input, chance)
    told, memory = _recollection(input, input.proposal.option, chance)
    own = said["mine"]
    mine = (
        _line(persona, "mine", input, chance, option=_small(own))
        if own and chance.fraction() < 0.6
        else ""
    )
    content = " ".join(part for part in (words, told, mine) if part)
    return TalkReply(content=content, mine=own, said_memory=memory)


def respond_directive(input: PersonaInput, chance: Chance) -> DirectiveReply:
    """What its character is to attempt: the agreed thing if it was its own, else something nobody else does."""
    persona, proposal = input.persona, input.proposal
    taken = set(input.taken.values())
    if proposal.option and proposal.by == persona.id and proposal.option not in taken:
        return _directive(persona, proposal.option, input, chance)
    free = [
        option
        for option, _ in rank(input, chance)
        if option.text not in taken
        and option.text != proposal.option
        and option.kind not in ("go", "wait")
    ]
    if not free and not proposal.option:
        free = [option for option, _ in rank(input, chance) if option.text not in taken][:1]
    if free:
        return _directive(persona, free[0].text, input, chance)
    return DirectiveReply(
        directive=chance.choose(persona.lines.get("hold") or ["Wait and watch."]), option=""
    )


def rank(input: PersonaInput, chance: Chance) -> list[tuple[Option, float]]:
    """Options by how much this player wants them now, best first. Small chance keeps evenings different."""
    persona, table = input.persona, input.table
    taken = set(input.taken.values())
    here = [o for o in table.options if o.kind not in ("go", "wait") and o.text not in taken]
    concern = set(_SMALL.findall(plain_form(" ".join([*table.threads, *persona.goals]))))
    remembered = set(_SMALL.findall(plain_form(" ".join(m.believed for m in input.memories))))
    scored = []
    for place, option in enumerate(table.options):
        score = _FRESH[option.kind] - 0.012 * place
        score += _LIKED if option.kind in persona.likes else 0.0
        words = set(_SMALL.findall(plain_form(f"{option.who} {option.topic}")))
        score += 0.18 * bool(words & concern) + 0.12 * bool(words & remembered)
        score -= _RISK.get(option.kind, 0.0) * persona.traits.caution * 0.5
        if option.kind == "go":
            score += 0.9 - 0.3 * min(len(here), _STAY + 1) - 0.2 * min(option.tried, 4)
        if option.text in taken and option.text != input.proposal.option:
            score -= 0.5
        score += 0.25 * chance.at(persona.id, option.text).fraction()
        scored.append((option, score))
    return sorted(scored, key=lambda row: -row[1])


def _propose(input: PersonaInput, ranked: list[tuple[Option, float]], chance: Chance) -> TalkReply:
    persona = input.persona
    if not ranked:
        return TalkReply(content=_line(persona, "unsure", input, chance, who=_someone(input)))
    option = ranked[0][0]
    told, memory = _recollection(input, option.text, chance)
    reason = _reason(persona, option, input, chance)
    words = _line(
        persona,
        "propose",
        input,
        chance,
        option=_small(option.text),
        Option=option.text,
        reason=reason,
    )
    return TalkReply(
        content=" ".join(part for part in (told, words) if part),
        proposes=option.text,
        mine=option.text,
        said_memory=memory,
    )


def _insist(input: PersonaInput, chance: Chance) -> TalkReply:
    """Its own proposal, once more, with another reason."""
    option = as_option(input.proposal.option)
    reason = _reason(input.persona, option, input, chance)
    told, memory = _recollection(input, option.text, chance)
    content = " ".join(
        part for part in (f"I still say we {_small(option.text)}.", reason, told) if part
    )
    return TalkReply(content=content, proposes=option.text, mine=option.text, said_memory=memory)


def _own(input: PersonaInput, ranked: list[tuple[Option, float]]) -> str:
    taken = {*input.taken.values(), input.proposal.option}
    own = (
        option.text
        for option, _ in ranked
        if option.text not in taken and option.kind not in ("go", "wait")
    )
    return next(own, "")


def _reason(persona: BasePersona, option: Option, input: PersonaInput, chance: Chance) -> str:
    lines = persona.lines.get(f"reason_{option.kind}") or []
    who = option.who or "somebody"
    fits = [line for line in lines if "{topic}" not in line or option.topic]
    if not fits:
        return ""
    line = _unused(fits, input, chance.at("reason"))
    return _begin(line.format(who=who, topic=option.topic, place=inside(input.table.place)))


def _recollection(input: PersonaInput, option: str, chance: Chance) -> tuple[str, str]:
    """A memory that bears on it, told as it is remembered; more often by those who love detail or drama."""
    traits = input.persona.traits
    if chance.at("recollect").fraction() > 0.25 + 0.35 * max(
        traits.detail_oriented, traits.emotional_memory
    ):
        return "", ""
    wanted = set(_SMALL.findall(plain_form(option))) | set(
        _SMALL.findall(plain_form(input.table.place))
    )
    told = plain_form(" ".join(h.said for h in [*input.heard, *input.talk]))
    newest = max((memory.day for memory in input.memories), default=0.0)
    fits = [
        memory
        for memory in input.memories
        if _bears(memory, wanted)
        and memory.importance >= 0.6
        and memory.day <= newest - _FRESH_DAYS  # everybody was there a moment ago
        and not memory.believed.startswith("Session ")
        and plain_form(_core_of(memory.believed))[:40] not in told
    ]
    if not fits or (
        len(fits) == 1 and chance.at("mine").fraction() < 0.5
    ):  # others may be about to tell it
        return "", ""
    memory = chance.at("which").choose(fits[:3])
    lines = input.persona.lines.get("remember") or ["{memory}"]
    line = _unused(lines, input, chance.at("remember"))
    words = _in_brief(memory.believed.strip())
    head = line.split("{memory}")[0].rstrip()
    inside = (
        words
        if not head or head.endswith((".", ":", "?")) or words[:2].istitle() is False
        else _lower_start(words)
    )
    hedge = (
        "" if memory.confidence >= 0.55 or "might be wrong" in line else " Or something like it."
    )
    return line.format(memory=_closed(inside)) + hedge, memory.fact_id


def _in_brief(text: str) -> str:
    """As much of a memory as one tells at a table: whole sentences, with their quotes closed."""
    kept = ""
    for sentence in sentences(text):
        if kept and len(kept) + len(sentence) > _TOLD:
            break
        kept = f"{kept} {sentence}".strip()
    kept = shorten(kept, 2 * _TOLD)
    return f'{kept}"' if kept.count('"') % 2 else kept


def _core_of(text: str) -> str:
    """What is told, without who said it: two may tell the same of one."""
    return text.partition('"')[2] or text


def _bears(memory: Memory, wanted: set[str]) -> bool:
    return bool(wanted & set(_SMALL.findall(plain_form(memory.believed))))


def _directive(
    persona: BasePersona, option: str, input: PersonaInput, chance: Chance
) -> DirectiveReply:
    social = kind_of(option) in ("ask", "talk", "show")
    lines = (persona.lines.get("direct_ask") if social else None) or persona.lines.get("direct")
    line = chance.at("direct").choose(lines or ["{Option}."])
    return DirectiveReply(
        directive=line.format(Option=option, option=_small(option)), option=option
    )


def _line(
    persona: BasePersona, occasion: str, input: PersonaInput, chance: Chance, **words: str
) -> str:
    lines = persona.lines.get(occasion) or ["{option}"]
    line = _unused(lines, input, chance.at(occasion))
    filled = {"option": "", "Option": "", "reason": "", "also": "had a look", "who": "them"} | words
    return _begin(
        line.format(
            **filled, character=called(input.character_name), place=inside(input.table.place)
        ).strip()
    )


def called(name: str) -> str:
    """What friends call someone: the nickname, else the first name."""
    nick = re.search(r"[\"“](\w+)[\"”]", name)
    return nick[1] if nick else short(name)


def _unused(lines: list[str], input: PersonaInput, chance: Chance) -> str:
    """A line this player has not used lately, while there is one."""
    heard = " ".join(h.said for h in [*input.heard, *input.talk] if h.who == input.persona.name)
    fresh = [line for line in lines if _core(line) not in heard]
    return chance.choose(fresh or lines)


def _core(line: str) -> str:
    """The longest stretch of a line without a gap: what one would notice twice."""
    return max(re.split(r"\{\w+\}", line), key=len).strip(" .")


def _someone(input: PersonaInput) -> str:
    return input.table.people[0] if input.table.people else "the door"


def _done_form(option: str) -> str:
    """`Ask Dutch about Jin` as what is done by then: `asked Dutch about Jin`."""
    head, _, rest = option.partition(" ")
    done = {"ask": "asked", "look": "looked", "take": "taken", "show": "shown", "go": "gone", "talk": "talked",
            "search": "searched", "read": "read", "ring": "rung", "think": "thought"}  # fmt: skip
    verb = head.lower()
    past = done.get(verb, verb_forms(verb)[-1])
    return f"{past} {rest}".strip()


def _begin(text: str) -> str:
    return text[:1].upper() + text[1:]


def _closed(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…", "”", '"')) else f"{text}."


def _lower_start(text: str) -> str:
    first = text.split(" ")[0]
    if first.lower() in word_class("small_in_a_sentence") and first.istitle():
        return text[:1].lower() + text[1:]
    return text


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
