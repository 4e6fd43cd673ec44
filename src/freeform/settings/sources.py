"""Where settings come from: read once at the edge, and each remembers its source.

Later wins: defaults < the provider's usual variables (ANTHROPIC_API_KEY …) < freeform.toml in the
home < what was chosen in the program and kept < freeform.toml in the current folder < FREEFORM_…
variables < flags. Unknown names are errors.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import SecretStr, ValidationError
from rapidfuzz import process

from freeform.core.errors import BadSettings
from freeform.settings import FILE, PREFIX, USUAL, Settings, default_home
from freeform.settings.kept import FILE as KEPT
from freeform.settings.kept import read_kept


@dataclass(frozen=True)
class Loaded:
    """The settings, and for each that is not a default where it came from."""

    settings: Settings
    where: dict[str, str]

    def origin(self, name: str) -> str:
        """Where a setting came from, in words."""
        return self.where.get(name, "default")

    def shown(self, name: str) -> Any:
        """A setting's value as it may be printed: never a secret."""
        value = getattr(self.settings, name)
        if isinstance(value, SecretStr):
            return masked(value)
        return str(value) if isinstance(value, Path) else value


def masked(secret: SecretStr) -> str:
    """A secret as it may be shown: that there is one, and how it ends."""
    text = secret.get_secret_value()
    return f"…{text[-4:]}" if len(text) > 12 else "set" if text else ""


def load(
    flags: Mapping[str, Any], environ: Mapping[str, str] | None = None, folder: Path | None = None
) -> Loaded:
    """All sources in order. `flags` that are None were not given."""
    environ = os.environ if environ is None else environ
    folder = folder or Path.cwd()
    given = {name: value for name, value in flags.items() if value is not None}
    variables = {
        key.removeprefix(PREFIX).lower(): value
        for key, value in environ.items()
        if key.startswith(PREFIX)
    }
    for name in variables:
        _known(name, f"{PREFIX}{name.upper()}", upper=True)
    here = _read(folder / FILE)
    home = given.get("home") or variables.get("home") or here.get("home") or default_home()
    there = Path(home).expanduser().absolute() / FILE
    usual = {name: environ[key] for name, key in USUAL.items() if environ.get(key)}

    layers: list[tuple[Mapping[str, Any], str]] = [
        (usual, "$"),
        (_read(there) if there != (folder / FILE).absolute() else {}, str(there)),
        (read_kept(there.parent), str(there.parent / KEPT)),
        (here, str(folder / FILE)),
        (variables, f"${PREFIX}"),
        (given, "--"),
    ]
    values: dict[str, Any] = {}
    where: dict[str, str] = {}
    for layer, origin in layers:
        values.update(layer)
        where.update({name: _spelled(name, origin) for name in layer})
    try:
        return Loaded(Settings.model_validate(values), where)
    except ValidationError as wrong:
        raise BadSettings(_explain(wrong, where)) from None


def _spelled(name: str, origin: str) -> str:
    """Where a setting came from, as a person would write it there."""
    spelled = {"$": f"${USUAL.get(name)}", f"${PREFIX}": f"${PREFIX}{name.upper()}"}
    return spelled.get(origin) or (f"--{name.replace('_', '-')}" if origin == "--" else origin)


def _read(file: Path) -> dict[str, Any]:
    """A settings file with its tables made flat: `[budget] day_tokens` is `budget_day_tokens`."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise BadSettings(f"{file} does not read as TOML: {wrong}") from None
    except OSError as wrong:
        raise BadSettings(f"{file} cannot be opened: {wrong.strerror}") from None
    flat: dict[str, Any] = {}
    for key, value in data.items():
        table = value if isinstance(value, dict) else None
        for name, inner in (
            ((f"{key}_{sub}", v) for sub, v in table.items()) if table else ((key, value),)
        ):
            _known(name, f"{file}: {name if table is None else name.replace('_', '.', 1)}")
            flat[name] = inner
    return flat


def _known(name: str, shown: str, *, upper: bool = False) -> None:
    if name in Settings.model_fields:
        return
    best = process.extractOne(name, list(Settings.model_fields), score_cutoff=60)
    found = f"{PREFIX}{best[0].upper()}" if best and upper else best[0] if best else ""
    hint = f"did you mean `{found}`?" if found else "`freeform-rpg settings` lists what there is."
    raise BadSettings(f"{shown} is no setting; {hint}")


def _explain(wrong: ValidationError, where: Mapping[str, str]) -> str:
    """The first thing that does not fit, in one sentence; the value is left out since it may be a
    secret."""
    error = wrong.errors()[0]
    name = str(error["loc"][0])
    return (
        f"the setting `{name}` ({where.get(name, 'default')}) does not fit: {error['msg'].lower()}."
    )
