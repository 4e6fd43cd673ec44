"""Reading other people's JSON gently: a value of the wrong kind counts as absent, never as a
crash."""

import math
from typing import Any


def text(value: Any, most: int = 20_000) -> str:
    """A text, or ''. Numbers are written out."""
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        return f"{value:g}"
    return value.strip()[:most] if isinstance(value, str) else ""


def whole(value: Any, default: int = 0) -> int:
    """A whole number, also from '+3' or 3.0."""
    found = whole_or_none(value)
    return default if found is None else found


def whole_or_none(value: Any) -> int | None:
    """A whole number, or None where there is none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        stripped = value.strip().lstrip("+").replace(" ", "")
        return int(stripped) if stripped.lstrip("-").isdigit() and len(stripped) < 10 else None
    if isinstance(value, int | float) and math.isfinite(value) and abs(value) < 10**9:
        return int(value)
    return None


def identity(value: Any) -> int:
    """An id: a whole number of any size, or 0. Large ones must stay apart, so none is cut."""
    if isinstance(value, bool):
        return 0
    if isinstance(value, str) and value.strip().isdigit() and len(value) < 40:
        return int(value)
    return value if isinstance(value, int) else 0


def number(value: Any) -> float:
    """A number that is not negative, or 0."""
    if isinstance(value, dict):
        value = value.get("value")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return 0.0
    try:
        found = float(value)
    except ValueError:
        return 0.0
    return found if math.isfinite(found) and 0 <= found < 10**9 else 0.0


def mapping(value: Any, *keys: str) -> dict[str, Any]:
    """The mapping under these keys, one in the other; empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def rows(value: Any) -> list[dict[str, Any]]:
    """The mappings in a list; a mapping of mappings counts as the list of its values."""
    if isinstance(value, dict):
        value = list(value.values())
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def words(value: Any) -> list[str]:
    """The texts in a list."""
    return [text(v) for v in value if text(v)] if isinstance(value, list) else []
