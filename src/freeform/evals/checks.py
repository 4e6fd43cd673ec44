"""Checks a person can write: `clock heat <= 5`, `fact door_3#state = open`, `npc viktor present`,
or YAML conditions."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import yaml
from pydantic import ValidationError

from freeform.core.errors import UserError
from freeform.core.text import slug
from freeform.engine.authored.conditions import check as check_conditions
from freeform.engine.authored.conditions import trust
from freeform.engine.authored.script import Condition
from freeform.engine.world.state import PLAYER, Fact, GameState

FORMS = (
    "fact ID still holds",
    "fact ID = VALUE",
    "fact ID != VALUE",
    "fact ID known",
    "clock ID <= 5",
    "trust WHO >= 1",
    "npc WHO present",
    "npc WHO absent",
    "OWNER has ITEM",
    "at PLACE",
    "thread ID active",
    "{clock: {id: heat, at_most: 5}}",
)
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: bool(a == b),
    "==": lambda a, b: bool(a == b),
    "!=": lambda a, b: bool(a != b),
    "<=": lambda a, b: bool(a <= b),
    ">=": lambda a, b: bool(a >= b),
    "<": lambda a, b: bool(a < b),
    ">": lambda a, b: bool(a > b),
}
_OP = r"(?P<op><=|>=|!=|==|=|<|>)"
Holds = Callable[[GameState], bool]


@dataclass(frozen=True)
class Check:
    """Something that should be so. `holds` may look at the state when it was last known to be
    good."""

    text: str
    about: str
    """The id it is about, to point at the change that broke it."""
    holds: Callable[[GameState, GameState], bool]
    exists: Holds
    """Whether the thing is there at all: before it was planted, there is nothing to break."""


def read_check(text: str) -> Check:
    """What a person wrote, or a UserError that lists the forms."""
    said = " ".join(text.split())
    if said.startswith(("{", "[")):
        return _conditions(said)
    for pattern, make in _FORMS:
        if found := re.fullmatch(pattern, said, flags=re.I):
            return make(said, found)
    raise UserError(f"'{said}' is no check; write one like: {'; '.join(FORMS)}")


def _always(state: GameState) -> bool:
    return True


def _fact(id: str, state: GameState) -> Fact | None:
    """By id, or as `subject#predicate`."""
    subject, mark, predicate = id.partition("#")
    return state.facts.get(id) or (state.fact(subject, predicate) if mark else None)


def _still(said: str, found: re.Match[str]) -> Check:
    id = found["id"]

    def holds(state: GameState, good: GameState) -> bool:
        now, then = _fact(id, state), _fact(id, good)
        return now is not None and (
            then is None or now.object.get("value") == then.object.get("value")
        )

    return Check(said, id, holds, lambda state: _fact(id, state) is not None)


def _fact_is(said: str, found: re.Match[str]) -> Check:
    id, compare, wanted = found["id"], _COMPARE[found["op"]], _value(found["value"])

    def holds(state: GameState, good: GameState) -> bool:
        fact = _fact(id, state)
        return _safely(compare, fact.object.get("value") if fact else None, wanted, said)

    return Check(said, id, holds, lambda state: _fact(id, state) is not None)


def _fact_known(said: str, found: re.Match[str]) -> Check:
    id = found["id"]

    def holds(state: GameState, good: GameState) -> bool:
        fact = _fact(id, state)
        return fact is not None and fact.visibility == "known"

    return Check(said, id, holds, lambda state: holds(state, state))


def _clock(said: str, found: re.Match[str]) -> Check:
    id, compare, wanted = found["id"], _COMPARE[found["op"]], int(found["value"])

    def holds(state: GameState, good: GameState) -> bool:
        clock = state.clocks.get(id)
        if clock is None:
            raise UserError(
                f"no clock '{id}'; there are: {', '.join(sorted(state.clocks)) or 'none'}"
            )
        return compare(clock.value, wanted)

    return Check(said, id, holds, _always)


def _trust(said: str, found: re.Match[str]) -> Check:
    who, compare, wanted = found["id"], _COMPARE[found["op"]], int(found["value"])
    return Check(
        said, who, lambda state, good: compare(trust(_person(who, state), state), wanted), _always
    )


def _present(said: str, found: re.Match[str]) -> Check:
    who, wanted = found["id"], found["how"].lower() == "present"

    def holds(state: GameState, good: GameState) -> bool:
        return (_person(who, state) in state.scene.present_entity_ids) == wanted

    return Check(said, who, holds, lambda state: holds(state, state))


def _has(said: str, found: re.Match[str]) -> Check:
    owner, item = found["owner"] or PLAYER, found["item"]

    def holds(state: GameState, good: GameState) -> bool:
        thing = _found(item, state) or item  # a thing that is used up may be gone altogether
        return (_person(owner, state), thing) in state.inventory

    return Check(said, item, holds, lambda state: holds(state, state))


def _at(said: str, found: re.Match[str]) -> Check:
    def holds(state: GameState, good: GameState) -> bool:
        return state.scene.location_id == _person(found["id"], state)

    return Check(said, found["id"], holds, lambda state: holds(state, state))


def _thread(said: str, found: re.Match[str]) -> Check:
    id, wanted = found["id"], found["status"].lower()

    def holds(state: GameState, good: GameState) -> bool:
        thread = state.threads.get(id)
        return thread is not None and thread.status == wanted

    return Check(said, id, holds, lambda state: holds(state, state))


def _conditions(said: str) -> Check:
    try:
        data = yaml.safe_load(said)
        rows = [
            Condition.model_validate(row) for row in (data if isinstance(data, list) else [data])
        ]
    except (yaml.YAMLError, ValidationError) as wrong:
        reason = (
            wrong.errors()[0]["msg"]
            if isinstance(wrong, ValidationError)
            else "it does not read as YAML"
        )
        raise UserError(
            f"the check {said} is no condition ({reason}); write e.g. {FORMS[-1]}"
        ) from None

    def holds(state: GameState, good: GameState) -> bool:
        return check_conditions(rows, state).holds

    return Check(said, "", holds, lambda state: holds(state, state))


def _person(name: str, state: GameState) -> str:
    """The entity of that id, or of that id without its pack, or of that name."""
    found = _found(name, state)
    if not found:
        raise UserError(
            f"nothing is called '{name}' in this campaign; `freeform-rpg state` lists ids"
        )
    return found


def _found(name: str, state: GameState) -> str:
    if name in state.entities:
        return name
    plain = slug(name)
    ids = (
        e.id for e in state.entities.values() if plain in (e.id.rpartition(":")[2], slug(e.name))
    )
    return next(ids, "")


def _value(text: str) -> Any:
    return yaml.safe_load(text)


def _safely(compare: Callable[[Any, Any], bool], value: Any, wanted: Any, said: str) -> bool:
    try:
        return compare(value, wanted)
    except TypeError:
        raise UserError(
            f"'{said}' compares {value!r} with {wanted!r}; use = or != for these"
        ) from None


_FORMS: tuple[tuple[str, Callable[[str, re.Match[str]], Check]], ...] = (
    (r"fact (?P<id>\S+)(?: still)?(?: holds)?", _still),
    (r"fact (?P<id>\S+) (?:is )?known", _fact_known),
    (rf"fact (?P<id>\S+?)\s*{_OP}\s*(?P<value>.+)", _fact_is),
    (rf"clock (?P<id>\S+?)\s*{_OP}\s*(?P<value>-?\d+)", _clock),
    (rf"trust (?P<id>\S+?)\s*{_OP}\s*(?P<value>-?\d+)", _trust),
    (r"(?:npc )?(?P<id>.+?) (?:is )?(?P<how>present|absent)", _present),
    (r"(?P<owner>\S+)? ?has (?P<item>\S+)", _has),
    (r"at (?P<id>\S+)", _at),
    (r"thread (?P<id>\S+) (?:is )?(?P<status>hidden|active|resolved|failed)", _thread),
)
