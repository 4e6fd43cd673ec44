"""The base of every record: frozen, strict about unknown keys, one canonical JSON form."""

import json
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic_core import to_json

try:  # writes the same, faster
    from orjson import dumps as _quick
except ImportError:
    _quick = None  # type: ignore[assignment]


class Record(BaseModel):
    """A value. Two records with equal fields are equal; none ever changes."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Reply(BaseModel):
    """What a model answers. Extra keys are dropped, since models like to add some."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def fields(record: BaseModel, *but: str) -> dict[str, Any]:
    """A record's fields as they are, in their order: quicker than a dump where every value is plain
    data already."""
    row = record.__dict__.copy()
    for name in but:
        row.pop(name, None)
    return row


def canonical(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no spaces, so equal values are equal bytes."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    return json.dumps(
        value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=plain
    )


def spelled(value: Any) -> str:
    """Plain data as JSON, in the order given; a number that is none is null."""
    if _quick is not None:
        try:
            return _quick(value).decode()
        except TypeError:  # it has no very large numbers, no sets, and no keys but words
            pass
    return to_json(value, inf_nan_mode="null").decode()


def plain(value: Any) -> Any:
    """Records inside containers, as plain data."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} has no JSON form")
