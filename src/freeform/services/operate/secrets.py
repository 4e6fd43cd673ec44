"""Settings without their secrets: keys, tokens, and passwords in addresses."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from freeform.settings import Settings
from freeform.settings.kept import CHOICES, NO_KEY_KEPT, URL_KEY

SECRET = frozenset(
    name for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation)
)


def without_secrets(file: Path) -> list[str]:
    """Takes them out of a settings file, in place; what was taken out, by name. A file in which
    they cannot be told apart becomes empty."""
    text = file.read_text(encoding="utf-8", errors="replace")
    try:
        found = dict(_secrets(tomllib.loads(text)))
    except tomllib.TOMLDecodeError:
        file.write_text("", encoding="utf-8")
        return ["all of it, since it does not read"]
    lines = [_kept_line(line, found) for line in text.splitlines()]
    left = "\n".join(lines) + "\n"
    if any(value in left for value in found.values()) or not _reads(left):
        file.write_text("", encoding="utf-8")
        return ["all of it, since its secrets could not be told apart"]
    file.write_text(left, encoding="utf-8")
    return sorted(found)


def without_kept_keys(file: Path) -> list[str]:
    """The same for the choice of a model that is kept, `model.json`."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8", errors="replace"))
        found = {name for name, value in kept.items() if _is_kept_secret(name, value)}
    except (ValueError, AttributeError, RecursionError):
        file.write_text("{}", encoding="utf-8")
        return ["all of it, since it does not read"]
    left = {name: value for name, value in kept.items() if name not in found}
    if URL_KEY in found:
        left[URL_KEY] = NO_KEY_KEPT
    file.write_text(json.dumps(left, indent=1, sort_keys=True), encoding="utf-8")
    return sorted(found)


def _is_kept_secret(name: str, value: object) -> bool:
    """That a key lies elsewhere, or that none is wanted, is no secret."""
    if name in CHOICES and isinstance(value, str):
        return _has_password(value)
    return value not in ({"in": "keyring"}, NO_KEY_KEPT)


def _secrets(data: dict[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in data.items():
        name = f"{before}{key}"
        if isinstance(value, dict):
            yield from _secrets(value, f"{name}_")
        elif isinstance(value, str) and value and (name in SECRET or _has_password(value)):
            yield name, value


def _has_password(value: str) -> bool:
    """Whatever stands before the address, as in `url:http://me:word@host/v1#model`."""
    _, there, rest = value.partition("://")
    try:
        return bool(there and urlsplit(f"//{rest}").password)
    except ValueError:
        return False


def _kept_line(line: str, secrets: dict[str, str]) -> str:
    for name, value in secrets.items():
        if value in line:
            return f"# {name} was left out of the backup: set it again"
    return line


def _reads(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True
