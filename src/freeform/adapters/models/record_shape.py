"""An answer's values brought into the shapes of its record: null for a list, a string for a list,
a number in quotes. What cannot be brought there is left out, so that its default stands."""

import re
import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import isfinite
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from freeform.adapters.models.loose_json import read_loosely


class _Misfit(Exception):
    """A value that has no place in its field."""


def shaped(record: type[BaseModel], value: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a record that a value holds, each as its field wants it."""
    names = {_key(name): name for name in record.model_fields}
    row: dict[str, Any] = {}
    for key, given in value.items():
        name = names.get(_key(key))
        if name is None or name in row:
            continue
        with suppress(_Misfit):
            row[name] = _as(record.model_fields[name].annotation, given)
    return row


def known_keys(record: type[BaseModel], value: Mapping[str, Any]) -> int:
    """How many of a value's keys are fields of the record, however they are spelt."""
    names = {_key(name) for name in record.model_fields}
    return sum(_key(key) in names for key in value)


def lacking(record: type[BaseModel], row: Mapping[str, Any]) -> list[str]:
    """The required fields that a row does not have."""
    fields = record.model_fields.items()
    return [name for name, field in fields if field.is_required() and name not in row]


def _key(name: str) -> str:
    """A key without what spellings differ in: `finalText`, `Final Text`, `final_text`."""
    return re.sub(r"[\W_]+", "", name).lower()


def _as(kind: Any, value: Any) -> Any:
    """The value as a field of this kind wants it; _Misfit where it cannot be."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _as_one_of(get_args(kind), value)
    if origin is list or kind is list:
        return _as_list((get_args(kind) or (Any,))[0], value)
    if origin is Literal:
        return _as_choice(get_args(kind), value)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _as_record(kind, value)
    plain: dict[Any, Callable[[Any], Any]] = {
        str: _as_text,
        int: lambda given: int(_as_number(given)),
        float: _as_number,
        bool: _as_yes_or_no,
    }
    if kind in plain:
        return plain[kind](value)
    if (kind is dict or origin is dict) and not isinstance(value, dict):
        raise _Misfit
    return value


def _as_one_of(kinds: tuple[Any, ...], value: Any) -> Any:
    empty = value is None or value is False or value == ""
    if empty and type(None) in kinds and str not in kinds:
        return None
    for kind in kinds:
        if kind is type(None):
            continue
        try:
            return _as(kind, value)
        except _Misfit:
            continue
    if type(None) in kinds:
        return None
    raise _Misfit


def _as_list(kind: Any, value: Any) -> list[Any]:
    """A list: of one where a single thing was given, of those that fit where not all do."""
    if value is None or value == "":
        return []
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = _read_or_none(value) or value
    if isinstance(value, dict):
        one = isinstance(kind, type) and issubclass(kind, BaseModel) and known_keys(kind, value)
        value = [value] if one else list(value.values())
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        raise _Misfit
    fit: list[Any] = []
    for each in value:
        try:
            fit.append(_as(kind, each))
        except _Misfit:
            continue
    return fit


def _as_record(kind: type[BaseModel], value: Any) -> dict[str, Any]:
    """A record's fields; a bare string is what such a record cannot do without."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = _read_or_none(value) or value
    if isinstance(value, str) and value.strip():
        required = lacking(kind, {})
        texts = [name for name, field in kind.model_fields.items() if field.annotation is str]
        main = required or texts
        if len(required) > 1 or not main or main[0] not in texts:
            raise _Misfit
        value = {main[0]: value}
    if not isinstance(value, dict):
        raise _Misfit
    row = shaped(kind, value)
    if lacking(kind, row):
        raise _Misfit
    return row


def _as_choice(choices: tuple[Any, ...], value: Any) -> Any:
    for choice in choices:
        if value == choice or _key(str(value)) == _key(str(choice)):
            return choice
    raise _Misfit


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool | dict):
        raise _Misfit
    if isinstance(value, list):
        if not all(isinstance(each, str) for each in value):
            raise _Misfit
        return "\n\n".join(value)
    return str(value)


def _as_number(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as failed:
        raise _Misfit from failed
    if not isfinite(number):
        raise _Misfit
    return number


def _as_yes_or_no(value: Any) -> bool:
    said = _key(str(value))
    if said in ("true", "yes", "1"):
        return True
    if said in ("false", "no", "0"):
        return False
    raise _Misfit


def _read_or_none(text: str) -> Any:
    try:
        return read_loosely(text).value
    except ValueError:
        return None
