"""The model and what draws, as chosen in the program, kept across restarts: `model.json` in the
home, which only its owner can read. Keys lie in the system's keyring where there is one, else in
that file."""

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from freeform.core.errors import BadSettings

FILE = "model.json"
SERVICE = "freeform-rpg"
URL_KEY = "url_api_key"
IMAGE_KEY = "image_key"
KEYS = ("anthropic_api_key", "openai_api_key", "openrouter_api_key", URL_KEY, IMAGE_KEY)
IMAGES = ("image_door", "image_url", "image_model", "image_style")
CHOICES = ("model", "base_url", "ollama_url", *IMAGES)
OF_IMAGES = (*IMAGES, IMAGE_KEY)
OF_MODEL = tuple(name for name in (*CHOICES, *KEYS) if name not in OF_IMAGES)
"""What is chosen together: the program that draws, the model that plays."""
NONE = "none"
"""Instead of a key: none is sent, whatever other settings say."""
NO_KEY_KEPT = {"in": "file", "key": NONE}
Where = Literal["keyring", "file"]
_WAIT_S = 10.0
"""A keyring may ask its owner for a password first."""


def keep(home: Path, values: Mapping[str, str]) -> dict[str, Where]:
    """Keeps a choice and its keys beside those that are kept already; where each key lies now."""
    kept = _read(home)
    for name, value in values.items():
        if name not in KEYS:
            kept[name] = value
        elif value not in ("", NONE) and _to_keyring(name, value):
            kept[name] = {"in": "keyring"}
        else:
            if kept.get(name) == {"in": "keyring"}:
                _from_keyring(name, "clear")
            kept[name] = {"in": "file", "key": value}
    _write(home, kept)
    return places(home)


def forget(home: Path) -> None:
    """Nothing is kept any more, in the keyring neither."""
    for name, place in places(home).items():
        if place == "keyring":
            _from_keyring(name, "clear")
    (home / FILE).unlink(missing_ok=True)


def read_kept(home: Path) -> dict[str, str]:
    """What was kept, as settings; a key that its keyring does not give is as if there were none."""
    found: dict[str, str] = {}
    for name, value in _read(home).items():
        if name in CHOICES and isinstance(value, str):
            found[name] = value
        elif name in KEYS and isinstance(value, dict):
            in_file = value.get("in") == "file"
            key = str(value.get("key", "")) if in_file else _from_keyring(name, "lookup")
            if key or name == URL_KEY:  # a server chosen here is sent no key that was for another
                found[name] = key or NONE
    return found


def places(home: Path) -> dict[str, Where]:
    """Where each key lies that is kept."""
    rows = {name: row for name, row in _read(home).items() if isinstance(row, dict)}
    return {name: "keyring" if row.get("in") == "keyring" else "file" for name, row in rows.items()}


def has_keyring() -> bool:
    """Whether this system has a keyring that can be spoken to."""
    return bool(_program())


def _program() -> str:
    name = "security" if platform.system() == "Darwin" else "secret-tool"
    return shutil.which(name) or ""


def _to_keyring(name: str, key: str) -> bool:
    """The key goes in by a pipe: what stands in a command line, others can read."""
    program = _program()
    if not program or '"' in key or "\n" in key:
        return False
    if program.endswith("security"):
        line = f'add-generic-password -U -s {SERVICE} -a {name} -w "{key}"\n'
        return _ran([program, "-i"], line)[0] and _from_keyring(name, "lookup") == key
    label = f"--label={SERVICE} {name}"
    stored, _ = _ran([program, "store", label, "service", SERVICE, "account", name], key)
    return stored and _from_keyring(name, "lookup") == key


def _from_keyring(name: str, verb: Literal["lookup", "clear"]) -> str:
    program = _program()
    if not program:
        return ""
    if program.endswith("security"):
        what = "find-generic-password" if verb == "lookup" else "delete-generic-password"
        shown = ["-w"] if verb == "lookup" else []
        return _ran([program, what, "-s", SERVICE, "-a", name, *shown])[1].rstrip("\n")
    return _ran([program, verb, "service", SERVICE, "account", name])[1].rstrip("\n")


def _ran(command: list[str], given: str = "") -> tuple[bool, str]:
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, text=True, timeout=_WAIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False, ""
    return done.returncode == 0, done.stdout if done.returncode == 0 else ""


def _read(home: Path) -> dict[str, Any]:
    try:
        found = json.loads((home / FILE).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError):
        return {}  # what cannot be read was not kept: one chooses again
    return found if isinstance(found, dict) else {}


def _write(home: Path, kept: Mapping[str, Any]) -> None:
    """All or nothing, and never for other eyes, not for a moment."""
    fresh = home / f".{FILE}.{os.getpid()}"
    try:
        home.mkdir(parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            json.dump(kept, out, indent=1, sort_keys=True)
        fresh.replace(home / FILE)
    except OSError as wrong:
        raise BadSettings(f"{home / FILE} cannot be written: {wrong.strerror}") from None
