"""How a snapshot is written, read and compared: everything said, nothing empty, no score to its last digit.

A record takes one line where it fits and else a line for each of its parts, so that a difference shows where it lies.
"""

import dataclasses
import difflib
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

KEPT = Path(__file__).parent / "kept"
WIDE = 160
SHOWN = 40
"""Lines of a difference; more do not help."""
LONG = 48
DIGITS = 2
"""Of a number that is not whole: processors differ further behind."""


def plain(value: Any) -> Any:
    """Without what is empty: it is said by not saying it."""
    match value:
        case BaseModel():
            return plain(value.model_dump(mode="json"))
        case dict():
            kept = {_name(key): plain(inner) for key, inner in value.items()}
            return {key: inner for key, inner in kept.items() if not _empty(inner)}
        case _ if dataclasses.is_dataclass(value):
            return plain(vars(value))
        case list() | tuple():
            return [plain(inner) for inner in value]
        case set() | frozenset():
            return sorted(plain(inner) for inner in value)
        case float():
            return round(value, DIGITS)
        case bytes():
            return sealed(value.decode("latin-1"))
        case _:
            return value


def without(value: Any, *names: str) -> Any:
    """A plain value in which no record has those fields."""
    match value:
        case dict():
            return {k: without(v, *names) for k, v in value.items() if k not in names}
        case list():
            return [without(inner, *names) for inner in value]
        case _:
            return value


def cut(value: Any) -> Any:
    """A plain value with long prose by its beginning and a seal: a line stays a line, and a change is seen."""
    match value:
        case dict():
            return {key: cut(inner) for key, inner in value.items()}
        case list():
            return [cut(inner) for inner in value]
        case str() if len(value) > LONG:
            return f"{value[:LONG].rstrip()}… {sealed(value)[:4]}"
        case _:
            return value


def sealed(value: Any) -> str:
    """A few letters that change with anything in it: for what would fill pages and is read nowhere."""
    text = json.dumps(plain(value), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def _name(key: Any) -> str:
    return " ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _empty(value: Any) -> bool:
    return not value


def lines_of(value: Any, depth: int = 0) -> Iterator[str]:
    """A plain value as lines."""
    whole = json.dumps(value, ensure_ascii=False)
    if depth and len(whole) + depth <= WIDE:
        yield f"{' ' * depth}{whole}"
    elif isinstance(value, dict):
        for key, inner in value.items():
            first, *rest = lines_of(inner, depth + 1)
            inline = not rest and depth + len(key) + len(first) <= WIDE
            yield f"{' ' * depth}{key}:" + (f" {first.lstrip()}" if inline else "")
            if not inline:
                yield from (first, *rest)
    elif isinstance(value, list):
        for inner in value:
            first, *rest = lines_of(inner, depth + 1)
            yield f"{' ' * depth}-{first[depth:]}"
            yield from rest
    else:
        yield f"{' ' * depth}{whole}"


def written(value: Any) -> str:
    """The text of a snapshot."""
    return "\n".join(lines_of(plain(value))) + "\n"


def file_of(name: str) -> Path:
    """Where it lies."""
    return KEPT / f"{name}.txt"


def difference(name: str, value: Any) -> str:
    """What is not as it was kept, in a few lines, and how it is kept anew; empty where all is the same."""
    file, now = file_of(name), written(value).splitlines()
    then = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    if now == then:
        return ""
    changed = list(difflib.unified_diff(then, now, "kept", "now", n=1, lineterm=""))[2:]
    shown = [line[:WIDE] for line in changed[:SHOWN]]
    left = [f"… and {len(changed) - SHOWN} lines more"] if len(changed) > SHOWN else []
    again = f"if this is as it should be: python scripts/record_snapshots.py {name}"
    return "\n".join([f"{name} is not as it was kept:", *shown, *left, again])
