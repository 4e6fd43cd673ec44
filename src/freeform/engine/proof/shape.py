"""Whether a scenario's file has the form of one: every mistake in plain words, with its line."""

import re
from collections.abc import Hashable, Iterator, Sequence
from copy import deepcopy
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from rapidfuzz import process

from freeform.engine.authored.scenario import Scenario, Trigger
from freeform.engine.world.state import StoryClock

Where = tuple[Hashable, ...]
_ONE_OF = ("Input should be ", "Value error, ")
_KINDS = {
    "string_type": "must be words; put it in quotes",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list: put it in [ ], or begin each line with a dash",
    "dict_type": "must be a mapping: `key: value` lines",
    "model_type": "must be a mapping: `key: value` lines",
    "tuple_type": "must be a list in [ ]",
}


def wrong_shape(data: Any) -> Iterator[tuple[Where, str]]:
    """Where the data has not the form of a scenario, and why."""
    seen: set[tuple[Where, str]] = set()
    for wrong in _errors(data):
        place, reason = tuple(wrong["loc"]), _in_words(wrong)
        if (place, reason) not in seen:
            seen.add((place, reason))
            yield place, reason


def _errors(data: Any) -> Iterator[Any]:
    try:
        Scenario.model_validate(data)
    except ValidationError as wrong:
        yield from wrong.errors()
    yield from _in_triggers(data)


def _in_triggers(data: Any) -> Iterator[Any]:
    """What is wrong inside the clocks' triggers, which a clock keeps as they are."""
    clocks = data.get("clocks") if isinstance(data, dict) else None
    for number, clock in enumerate(clocks if isinstance(clocks, list) else []):
        triggers = clock.get("triggers") if isinstance(clock, dict) else None
        for value, trigger in triggers.items() if isinstance(triggers, dict) else ():
            try:
                Trigger.model_validate(trigger)
            except ValidationError as wrong:
                for each in wrong.errors():
                    yield {**each, "loc": ("clocks", number, "triggers", value, *each["loc"])}


def without_strangers(data: dict[str, Any]) -> Scenario | None:
    """The scenario without the keys that no record has; None where more than that is wrong with
    it."""
    try:
        return Scenario.model_validate(data)
    except ValidationError as wrong:
        strangers = [e["loc"] for e in wrong.errors() if e["type"] == "extra_forbidden"]
    mended = deepcopy(data)
    for place in strangers:
        inside: Any = mended
        for part in place[:-1]:
            inside = inside[part]
        inside.pop(place[-1], None)
    try:
        return Scenario.model_validate(mended)
    except ValidationError:
        return None


def _in_words(wrong: Any) -> str:
    """One mistake as a person says it."""
    place, kind = tuple(wrong["loc"]), str(wrong["type"])
    key = str(place[-1]) if place else "the file"
    if kind == "missing":
        return f"`{key}` is missing{_of(place[:-1])}"
    if kind == "extra_forbidden":
        known = keys_at(place[:-1])
        return f"there is no key `{key}`{_of(place[:-1])}{nearest(key, known)}"
    if kind in _KINDS:
        return f"`{_named(place)}` {_KINDS[kind]}"
    reason = str(wrong["msg"])
    for start in _ONE_OF:
        reason = reason.removeprefix(start)
    if kind in ("literal_error", "enum"):
        return f"`{_named(place)}` is `{wrong['input']}`; it must be {reason}"
    return f"`{_named(place)}`: {reason}" if place else reason


def _of(place: Where) -> str:
    return f" in `{_named(place)}`" if place else ""


def _named(place: Where) -> str:
    """A place by its last words: `exits 2 to`."""
    return " ".join(str(part) for part in place[-3:])


def nearest(name: str, known: Sequence[str]) -> str:
    """The end of a sentence on a name that is none: the one that may be meant."""
    best = process.extractOne(name, list(known), score_cutoff=60)
    return f"; did you mean '{best[0]}'?" if best else ""


_MEANT = re.compile(r"; did you mean '([^']+)'\?")


def meant_instead(message: str) -> str:
    """The name that `nearest` has put at the end of a message; '' where it found none."""
    found = _MEANT.search(message)
    return found[1] if found else ""


def keys_at(place: Where) -> list[str]:
    """The keys that the record at a place may have."""
    shape: Any = Scenario
    for part in place:
        shape = below(shape, part)
    records = list(records_of(shape))
    return [name for record in records for name in record.model_fields]


def below(shape: Any, part: Hashable) -> Any:
    """The shape of what lies under a key or a number."""
    for record in records_of(shape):
        if record is StoryClock and part == "triggers":
            return dict[str, Trigger]
        if part in record.model_fields:
            return record.model_fields[str(part)].annotation
    for each in _parts(shape):
        origin, inside = get_origin(each), get_args(each)
        if origin is list:
            return inside[0]
        if origin is dict:
            return inside[1]
        if origin is tuple and isinstance(part, int) and part < len(inside):
            return inside[part]
    return Any


def _parts(shape: Any) -> list[Any]:
    """The shapes a union joins."""
    if get_origin(shape) in (Union, UnionType):
        return list(get_args(shape))
    return [shape]


def records_of(shape: Any) -> Iterator[type[BaseModel]]:
    for each in _parts(shape):
        if isinstance(each, type) and issubclass(each, BaseModel):
            yield each
