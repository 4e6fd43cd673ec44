"""What prose says that it should not: against canon, out of secrets, or once more."""

import re
from collections.abc import Iterable

from freeform.core.text import plain_form
from freeform.engine.world.canon import denies
from freeform.engine.world.names import names_of, words
from freeform.engine.world.state import Entity, Fact, GameState
from freeform.evals.audit import OUT_OF_PLAY
from freeform.language.sentences import sentences

_QUOTED = re.compile(r"[“\"][^”\"]*[”\"]")
_ACTS = (
    "says|said|asks|asked|answers|answered|replies|replied|nods|nodded|smiles|smiled|laughs|laughed|shrugs|shrugged|"
    "looks up|looked up|leans|leaned|walks|walked|whispers|whispered|grins|grinned|turns to|turned to"
)
_BEING = "is|are|was|were|stands|stood|lies|lay|hangs|hung|remains|remained|seems|has been|had been"
LEAST_WORDS = 4
"""A sentence shorter than this is no repetition: people do say "You wait." twice."""
TELLING = 0.75
"""A secret is out when this share of its telling words stands in one sentence."""


def contradictions(text: str, state: GameState) -> list[str]:
    """Ids of facts that the prose runs against. What people say in quotes may be a lie and does not
    count."""
    plain = plain_form(_QUOTED.sub(" ", text))
    found = [
        fact.id
        for entity in state.entities.values()
        if (known := _known_words(entity.id, state))
        for claim in _claims(plain, entity)
        for fact in known
        if denies(claim, fact.object.get("value"))
    ]
    return list(dict.fromkeys([*found, *_the_dead_who_act(plain, state)]))


def _known_words(id: str, state: GameState) -> list[Fact]:
    """Known facts whose value is a word: only such can be denied outright."""
    facts = state.facts_of(id)
    return [
        fact
        for fact in facts
        if fact.visibility == "known" and isinstance(fact.object.get("value"), str)
    ]


def _claims(plain: str, entity: Entity) -> list[str]:
    """What the prose says of someone or something outright: `the gate is open`, `the open gate`."""
    names = [name for name in map(plain_form, names_of(entity)) if name in plain]
    found = []
    for name in map(re.escape, names):
        found += re.findall(rf"\b{name}\b (?:{_BEING})((?: [\w']+){{1,3}})", plain)
        found += re.findall(rf"\b([\w']+) {name}\b", plain)
    return found


def _the_dead_who_act(plain: str, state: GameState) -> list[str]:
    found = []
    for entity in state.entities.values():
        if entity.type != "npc":
            continue
        fact = state.fact(entity.id, "status") or state.fact(entity.id, "condition")
        if fact is None or str(fact.object.get("value")) not in OUT_OF_PLAY:
            continue
        names = [re.escape(plain_form(name)) for name in names_of(entity)]
        if re.search(rf"\b(?:{'|'.join(names)})\b (?:{_ACTS})\b", plain):
            found.append(fact.id)
    return found


def leaks(text: str, state: GameState) -> list[str]:
    """Ids of facts the player must not know that the prose tells all the same."""
    told = [words(sentence) for sentence in sentences(text)]
    known = [words(_telling(f, state)) for f in state.facts.values() if f.visibility == "known"]
    found = []
    for fact in state.facts.values():
        if fact.visibility != "hidden":
            continue
        secret = words(_telling(fact, state))
        if len(secret) < 3:
            continue
        for heard in told:
            out = secret & heard
            if len(out) >= max(3, TELLING * len(secret)) and not any(
                out <= common for common in known
            ):
                found.append(fact.id)
                break
    return found


def _telling(fact: Fact, state: GameState) -> str:
    said = fact.object.get("text") or f"{fact.predicate} {fact.object.get('value')}"
    return f"{state.name(fact.subject_id)} {said}" if not fact.object.get("text") else str(said)


def repeated(text: str, told_before: Iterable[str]) -> tuple[int, int]:
    """How many sentences of a text were told before, word for word, and how many it has."""
    mine = [s for s in map(_bare, sentences(text)) if len(s.split()) >= LEAST_WORDS]
    before = {_bare(sentence) for told in told_before for sentence in sentences(told)}
    return sum(sentence in before for sentence in mine), len(mine)


def _bare(sentence: str) -> str:
    return " ".join(re.findall(r"\w+", plain_form(sentence)))
