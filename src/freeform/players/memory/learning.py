"""What a turn of play leaves in memory: facts by rule from what the engine says happened, never from its prose."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml
from pydantic import Field as Described
from pydantic import TypeAdapter

from freeform.core.record import Record
from freeform.engine.model import EngineEvent, TurnResult
from freeform.engine.world import PLAYER, GameState
from freeform.players.memory.model import CAMPAIGN, Episode, Fact, Rehearsal
from freeform.players.memory.ports import MemoryStore, When
from freeform.players.memory.slots import Role, one_line, slots_in

_HOLE = re.compile(r"\{(\w+)\}")
_ROLES: dict[str, Role] = {"location": "place", "place": "place", "npc": "who", "pc": "who", "character": "who"}
FEW = 60
"""Names looked for in a sentence: those present and named in the event come first."""


class Rule(Record):
    """How one kind of event becomes a fact; see events.yaml."""

    importance: float
    feeling: float = 0.0
    about: str
    as_: str = Described(alias="as")
    is_: str = Described(alias="is")
    text: str
    speaker: str = ""
    many: bool = False


@lru_cache(maxsize=1)
def rules() -> dict[str, Rule]:
    """By kind of event. Kinds that are not there leave nothing in memory."""
    text = (files("freeform.players.memory") / "events.yaml").read_text(encoding="utf-8")
    return TypeAdapter(dict[str, Rule]).validate_python(yaml.safe_load(text))


def day_of_scene(state: GameState) -> float:
    """The in-world day as a number: day 2 at noon is 2.5."""
    time = state.scene.time
    return float(time.get("day", 1)) + float(time.get("minute", 0)) / 1440


def facts_of_turn(
    result: TurnResult, state: GameState, *, session: int = 1, actor: str = "", group: str = CAMPAIGN
) -> list[Fact]:
    """The facts of a turn, in the order they happened. `state` is the one after it; `actor` is who acted, by name.
    Only what the players may know is remembered: events are what they lived, hidden facts are not looked at."""
    known = names_at(result, state)
    day = day_of_scene(state)
    who = actor or state.name(PLAYER)
    facts = []
    for n, event in enumerate(result.engine_events):
        if rule := rules().get(event.type):
            if made := _made(rule, event, state, who):
                about, predicate, value, text, speaker = made
                facts.append(
                    Fact(
                        id=f"{result.turn_id}.{n}",
                        group=group,
                        subject=about,
                        predicate=predicate,
                        value=value,
                        text=text,
                        slots=slots_in(text, known, speaker, leave=(who,)),
                        valid_at=day,
                        created_at=day,
                        episode=Episode(session=session, turn=result.turn_no),
                        importance=rule.importance,
                        feeling=rule.feeling,
                        source="event",
                        source_id=result.turn_id,
                        many=rule.many,
                    )
                )
    return facts


def names_at(result: TurnResult, state: GameState) -> dict[str, Role]:
    """Names that may stand in this turn's sentences, with what kind of detail each is."""
    mentioned = [str(value) for event in result.engine_events for value in event.details.values()]
    near = dict.fromkeys([*mentioned, state.scene.location_id, *state.scene.present_entity_ids, *state.entities])
    found: dict[str, Role] = {}
    for id in near:
        if (entity := state.entities.get(id)) and len(found) < FEW:
            found[entity.name] = _ROLES.get(entity.type, "what")
    return found


async def learn(facts: Sequence[Fact], store: MemoryStore, agents: Sequence[str] = ()) -> list[str]:
    """Writes facts down. What is already known just so is not written twice: it is told again, to these agents.
    Gives the ids of the facts that ended."""
    fresh: list[Fact] = []
    again: list[Rehearsal] = []
    for n, fact in enumerate(facts):
        held = await store.as_of([fact.group], When(known_at=fact.created_at), fact.subject, fact.predicate, most=8)
        same = next((h for h in held if h.value == fact.value and h.source == fact.source != "claim"), None)
        if same is None:
            fresh.append(fact)
        elif same.id != fact.id:
            session = fact.episode.session
            again += [
                Rehearsal(agent=agent, fact_id=same.id, day=fact.created_at, how="told", session=session, no=n)
                for agent in agents
            ]
    closed = await store.add(fresh)
    await store.rehearse(again)
    return closed


def _made(rule: Rule, event: EngineEvent, state: GameState, actor: str) -> tuple[str, str, str, str, str] | None:
    """Subject, predicate, value, sentence and speaker; None where the event says too little."""
    details: dict[str, Any] = dict(event.details)
    source = str(details.get("source", "") or details.get("from", ""))
    details |= {
        "actor": actor,
        "who": PLAYER,
        "place": state.name(state.scene.location_id),
        "from": state.name(source) if source in state.entities else "somewhere",
    }
    if details.get("fact_id") in state.facts:
        fact = state.facts[details["fact_id"]]
        if fact.visibility != "known":
            return None
        details["text"] = details.get("text") or fact.object.get("text", "")
        about, predicate, value = fact.subject_id, fact.predicate, str(fact.object.get("value", fact.id))
    else:
        about, predicate, value = (_filled(part, details) for part in (rule.about, rule.as_, rule.is_))
    text = one_line(_filled(rule.text, details))
    if not text or (not _HOLE.sub("", rule.text).strip(" .:") and not str(details.get("text", "")).strip()):
        return None
    return about or "something", predicate, value, text, _filled(rule.speaker, details)


def _filled(pattern: str, details: Mapping[str, Any]) -> str:
    return _HOLE.sub(lambda hole: str(details.get(hole[1], "")), pattern).strip()
