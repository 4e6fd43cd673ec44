"""What a turn of play leaves in memory: facts by rule from what the engine says happened, never
from its prose."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml
from pydantic import Field as Described
from pydantic import TypeAdapter

from freeform.core.record import Record
from freeform.engine.world.model import EngineEvent, TurnResult
from freeform.engine.world.state import PLAYER, GameState
from freeform.language.words import word_class
from freeform.players.memory.model import CAMPAIGN, Episode, MemoryFact, Rehearsal
from freeform.players.memory.ports import MemoryStore, When
from freeform.players.memory.wording import Role, one_line, slots_in

QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_OUTSIDE = re.compile(r"([\"“][^\"“”]*[\"”])")
_YOU = re.compile(r"\b(you(?:rselves|rself|rs|r)?)\b", re.I)
_OWN = {"your": "our", "yours": "ours", "yourself": "ourselves", "yourselves": "ourselves"}
RESULTS = {
    "success": "it worked", "strong": "it worked", "full": "it worked", "hit": "it worked",
    "critical_success": "it worked better than hoped", "critical": "it worked better than hoped",
    "mixed": "it worked, at a price", "partial": "it worked, at a price", "weak": "it worked, at a price",
    "failure": "it failed", "fail": "it failed", "miss": "it failed", "critical_failure": "it went badly wrong",
    "botch": "it went badly wrong", "fumble": "it went badly wrong",
}  # fmt: skip


def spoken(text: str) -> str:
    """What was said aloud in a passage, in one pair of quotes; the passage itself when nothing
    was."""
    said = [re.sub(r",$", ".", part.strip()) for part in QUOTED.findall(text)]
    return f'"{" ".join(said)}"' if said else text


def as_ours(text: str) -> str:
    """The game master's "you" as the party's "we"; what people said aloud stays as they said it."""
    parts = _OUTSIDE.split(text)
    return "".join(part if n % 2 else _ours(part) for n, part in enumerate(parts))


def wondering(title: str, status: str) -> str:
    """A question of the story that comes up or is settled: its title is often half a question."""
    first = title.split(" ")[0].lower()
    about = (
        f"{first}{title[len(first) :]}"
        if first in word_class("question_words")
        else f"about “{title}”"
    )
    if status == "active":
        return f"We began to wonder {about}."
    if status in ("resolved", "closed", "done", "answered"):
        return f"We know now {about}."
    return f"We no longer wonder {about}." if status in ("dropped", "abandoned", "failed") else ""


def topic_of(details: Mapping[str, object], things: Mapping[str, str]) -> str:
    """Whom or what an answer is of, by name; '' where only the story's own word for it is known."""
    topic, speaker = str(details.get("topic", "")), str(details.get("name", ""))
    found = next(
        (
            name
            for id, name in things.items()
            if topic and topic in (id, id.rsplit(":", 1)[-1], name)
        ),
        "",
    )
    return "" if found == speaker else found


def _ours(text: str) -> str:
    out, last = "", 0
    for found in _YOU.finditer(text):
        before = re.findall(r"[\w']+|[.!?:;—,]", text[: found.start()].lower())
        after = re.match(r"\W*(\w*)", text[found.end() :])
        word = _our_word(
            found[1].lower(),
            _after_a_thing(before),
            after[1].lower() if after else "",
        )
        starts = not before or before[-1] in ".!?"
        out += text[last : found.start()] + (
            word.capitalize() if starts and found[1][0].isupper() else word
        )
        last = found.end()
    return out + text[last:]


def _after_a_thing(before: Sequence[str]) -> str:
    """The word before; where that is a thing, what follows is a doer again ("in the oven you run")."""
    if len(before) > 1 and before[-2] in word_class("before_a_thing"):
        return ","
    return before[-1] if before else ""


_JOINING = frozenset("and or but so that as".split())


def _our_word(you: str, before: str, after: str) -> str:
    """After some words "you" does something; after others something is done to it, unless a
    sentence begins."""
    if you in _OWN:
        return _OWN[you]
    begins = not before or before in ".!?:;—," or before in word_class("before_a_doer")
    does = after in word_class("auxiliaries") and before not in word_class("open_ends") - _JOINING
    return "we" if does or (begins and after) else "us"


_HOLE = re.compile(r"\{(\w+)\}")
_ROLES: dict[str, Role] = {
    "location": "place",
    "place": "place",
    "npc": "who",
    "pc": "who",
    "character": "who",
}
FEW = 60
"""Names looked for in a sentence: those present and named in the event come first."""


class LearningRule(Record):
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
def rules() -> dict[str, LearningRule]:
    """By kind of event. Kinds that are not there leave nothing in memory."""
    text = (files("freeform.players.memory") / "events.yaml").read_text(encoding="utf-8")
    return TypeAdapter(dict[str, LearningRule]).validate_python(
        yaml.load(text, Loader=yaml.CSafeLoader)
    )


def day_of_scene(state: GameState) -> float:
    """The in-world day as a number: day 2 at noon is 2.5."""
    time = state.scene.time
    return float(time.get("day", 1)) + float(time.get("minute", 0)) / 1440


class Witnessed(Record):
    """What surrounds the events of a turn: when and where it was, who acted, and which names may
    stand in them."""

    id: str
    """Of the turn: facts get ids below it, so that learning a turn twice learns it once."""
    turn: int = 0
    session: int = 1
    day: float = 1.0
    place: str = "here"
    actor: str = "the party"
    group: str = CAMPAIGN
    names: dict[str, Role] = Described(default_factory=dict)
    things: dict[str, str] = Described(default_factory=dict)
    """Names by entity id, for those that events mention by id alone."""
    settled: dict[str, tuple[str, str, str]] = Described(default_factory=dict)
    """Facts that may be known: id -> subject, predicate, value."""


def facts_of_turn(
    result: TurnResult,
    state: GameState,
    *,
    session: int = 1,
    actor: str = "",
    group: str = CAMPAIGN,
) -> list[MemoryFact]:
    """The facts of a turn, in the order they happened. `state` is the one after it; `actor` is who
    acted, by name."""
    return facts_of_events(
        result.engine_events, witnessed(result, state, session=session, actor=actor, group=group)
    )


def witnessed(
    result: TurnResult,
    state: GameState,
    *,
    session: int = 1,
    actor: str = "",
    group: str = CAMPAIGN,
) -> Witnessed:
    """What surrounds a turn. Only what the players may know is in it: hidden facts are not."""
    by_last = {id.rsplit(":", 1)[-1]: id for id in state.entities}
    said = [str(value) for event in result.engine_events for value in event.details.values()]
    mentioned = [by_last.get(value, value) for value in said]
    near = dict.fromkeys(
        [*mentioned, state.scene.location_id, *state.scene.present_entity_ids, *state.entities]
    )
    there = [state.entities[id] for id in near if id in state.entities][:FEW]
    told = [state.facts[id] for id in said if id in state.facts]
    return Witnessed(
        id=result.turn_id,
        turn=result.turn_no,
        session=session,
        day=day_of_scene(state),
        place=state.name(state.scene.location_id),
        actor=actor or state.name(PLAYER),
        group=group,
        names={entity.name: _ROLES.get(entity.type, "what") for entity in there},
        things={entity.id: entity.name for entity in there},
        settled={
            fact.id: (fact.subject_id, fact.predicate, str(fact.object.get("value", fact.id)))
            for fact in told
            if fact.visibility == "known"
        },
    )


def facts_of_events(events: Sequence[EngineEvent], seen: Witnessed) -> list[MemoryFact]:
    """The facts that events leave, in the order they happened. Kinds without a rule leave
    nothing."""
    facts = []
    for n, event in enumerate(events):
        rule = rules().get(event.type)
        if rule is None or not (made := _made(rule, event, seen)):
            continue
        about, predicate, value, text, speaker = made
        facts.append(
            MemoryFact(
                id=f"{seen.id}.{n}",
                group=seen.group,
                subject=about,
                predicate=predicate,
                value=value,
                text=text,
                slots=slots_in(text, seen.names, speaker, leave=(seen.actor,)),
                valid_at=seen.day,
                created_at=seen.day,
                episode=Episode(session=seen.session, turn=seen.turn),
                importance=rule.importance,
                feeling=rule.feeling,
                source="event",
                source_id=seen.id,
                many=rule.many,
            )
        )
    return facts


async def learn(
    facts: Sequence[MemoryFact], store: MemoryStore, agents: Sequence[str] = ()
) -> list[str]:
    """Writes facts down. What is already known just so is not written twice: it is told again, to
    these agents. Gives the ids of the facts that ended."""
    fresh: list[MemoryFact] = []
    again: list[Rehearsal] = []
    for n, fact in enumerate(facts):
        held = await store.as_of(
            [fact.group], When(known_at=fact.created_at), fact.subject, fact.predicate, most=8
        )
        same = next(
            (h for h in held if h.value == fact.value and h.source == fact.source != "claim"), None
        )
        if same is None:
            fresh.append(fact)
        elif same.id != fact.id:
            session = fact.episode.session
            again += [
                Rehearsal(
                    agent=agent,
                    fact_id=same.id,
                    day=fact.created_at,
                    how="told",
                    session=session,
                    no=n,
                )
                for agent in agents
            ]
    closed = await store.add(fresh)
    await store.rehearse(again)
    return closed


def _made(
    rule: LearningRule, event: EngineEvent, seen: Witnessed
) -> tuple[str, str, str, str, str] | None:
    """Subject, predicate, value, sentence and speaker; None where the event says too little."""
    details: dict[str, Any] = dict(event.details)
    giver = str(details.get("source", "") or details.get("from", ""))
    told, topic = str(details.get("text", "")), topic_of(details, seen.things)
    details |= {
        "actor": seen.actor,
        "who": PLAYER,
        "place": seen.place,
        "from": seen.things.get(giver, "somewhere"),
        "speech": spoken(told),
        "of_topic": f" of {topic}" if topic else "",
        "found": f"{seen.actor} found {told}." if told[:1].islower() else told,
        "result": RESULTS.get(str(details.get("outcome", "")), str(details.get("outcome", ""))),
        "answer": _answer(details, told, seen),
        "wonder": wondering(str(details.get("title", "")), str(details.get("status", ""))),
    }
    text = one_line(as_ours(_filled(rule.text, details)))
    has_words = bool(_HOLE.sub("", rule.text).strip(" .:")) or bool(
        told.strip() or details["wonder"]
    )
    if not text or not has_words:
        return None
    about, predicate, value = seen.settled.get(
        str(details.get("fact_id", "")),
        (_filled(rule.about, details), _filled(rule.as_, details), _filled(rule.is_, details)),
    )
    return about or "something", predicate, value, text, _filled(rule.speaker, details)


def _answer(details: Mapping[str, Any], told: str, seen: Witnessed) -> str:
    """What somebody said to a deed that was done to him; '' where nobody did."""
    name = str(details.get("name", ""))
    if seen.names.get(name) != "who" or not QUOTED.search(told):
        return ""
    return f" {name} said: {spoken(told)}"


def _filled(pattern: str, details: Mapping[str, Any]) -> str:
    return _HOLE.sub(lambda hole: str(details.get(hole[1], "")), pattern).strip()
