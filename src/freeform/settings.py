"""Every setting, read once at the edge.

Later wins: defaults < the provider's usual variables (ANTHROPIC_API_KEY …) < freeform.toml in the home
< freeform.toml in the current folder < FREEFORM_… variables < flags. Unknown names are errors.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError, field_validator
from rapidfuzz import process

from freeform.core.errors import BadSettings
from freeform.core.record import Record

PREFIX = "FREEFORM_"
FILE = "freeform.toml"
NO_KEY = SecretStr("")
USUAL = {
    "anthropic_api_key": "ANTHROPIC_API_KEY",
    "openai_api_key": "OPENAI_API_KEY",
    "openrouter_api_key": "OPENROUTER_API_KEY",
    "ollama_url": "OLLAMA_HOST",
}


def default_home() -> Path:
    """The platform's folder for a program's own data."""
    return user_data_path("freeform-rpg", appauthor=False)


class Settings(Record):
    """What a person can set. The description of each field is its documentation."""

    home: Path = Field(default_factory=default_home, description="Where campaigns, packs and indexes live.")
    data: Path | None = Field(None, description="Where the data sets for `eval` lie.")
    model: str = Field(
        "auto",
        description="The language model: `auto` (whichever is found, else offline), `offline`, "
        "`anthropic:NAME`, `openai:NAME`, `openrouter:NAME`, `ollama:NAME` or `gguf:PATH`.",
    )
    models_interpreter: str = Field("", description="Another model for understanding what players type.")
    models_planner: str = Field("", description="Another model for planning where a scene goes.")
    models_narrator: str = Field("", description="Another model for telling what happens.")
    models_cheap: str = Field("", description="Another model for small questions.")
    base_url: str = Field("", description="The address of an OpenAI-compatible server, for `openai:NAME`.")
    ollama_url: str = Field("http://127.0.0.1:11434", description="Where Ollama listens.")
    anthropic_api_key: SecretStr = Field(NO_KEY, description="Key for `anthropic:` models.")
    openai_api_key: SecretStr = Field(NO_KEY, description="Key for `openai:` models and for `base_url`.")
    openrouter_api_key: SecretStr = Field(NO_KEY, description="Key for `openrouter:` models.")
    index: Literal["sqlite", "chroma"] = Field(
        "sqlite", description="Where the vectors of passages lie: `sqlite`, or `chroma` (needs the extra `chroma`)."
    )
    seed: int | None = Field(None, description="Seed of the dice of new campaigns; none draws one.")
    budget_turn_tokens: int = Field(60_000, ge=0, description="Most tokens a turn may use; 0 is no limit.")
    budget_turn_cost_usd: float = Field(0.5, ge=0, description="Most dollars a turn may cost; 0 is no limit.")
    budget_day_tokens: int = Field(2_000_000, ge=0, description="Most tokens a day may use; 0 is no limit.")
    budget_day_cost_usd: float = Field(5.0, ge=0, description="Most dollars a day may cost; 0 is no limit.")
    time_limit_s: float = Field(120.0, gt=0, description="Seconds to wait for one answer of a model.")
    retries: int = Field(3, ge=0, le=20, description="Further tries when a model cannot be reached.")
    repairs: int = Field(2, ge=0, le=10, description="Further tries when a model's answer does not fit.")
    rate_per_minute: int = Field(0, ge=0, description="Most calls to a model in a minute; 0 is no limit.")
    session_turns: int = Field(
        0, ge=0, description="A game night ends by itself after so many turns; 0: only when told."
    )
    ask_tool_confidence: float = Field(
        0.7, ge=0, le=1, description="`ask` looks in a source when it is at least so sure that it is needed."
    )
    ask_entity_confidence: float = Field(
        0.6, ge=0, le=1, description="`ask` looks a name up when it is at least so sure that it is one."
    )
    ask_tokens: int = Field(
        3000, ge=200, le=200_000, description="Most tokens of source text that `ask` gives to its answer."
    )
    serve_key: SecretStr = Field(NO_KEY, description="What one must say to use `serve` from another machine.")
    serve_upload_mb: int = Field(64, ge=1, le=4096, description="Largest file that `serve` takes, in megabytes.")
    serve_per_minute: int = Field(
        12_000, ge=0, description="Most requests of one client to `serve` in a minute; 0 is no limit."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "warning", description="How much is logged on standard error."
    )
    color: Literal["auto", "always", "never"] = Field(
        "auto", description="Colours in the terminal; `auto` also heeds NO_COLOR and pipes."
    )

    @field_validator("home", "data", mode="after")
    @classmethod
    def _home_of_the_person(cls, path: Path | None) -> Path | None:
        return path.expanduser().absolute() if path else None

    @field_validator("ollama_url", mode="after")
    @classmethod
    def _whole_address(cls, url: str) -> str:
        # Ollama's own variable often holds only a host, or a host and a port.
        return url if "://" in url else f"http://{url}" if ":" in url else f"http://{url}:11434"


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


def load(flags: Mapping[str, Any], environ: Mapping[str, str] | None = None, folder: Path | None = None) -> Loaded:
    """All sources in order. `flags` that are None were not given."""
    environ = os.environ if environ is None else environ
    folder = folder or Path.cwd()
    given = {name: value for name, value in flags.items() if value is not None}
    variables = {key.removeprefix(PREFIX).lower(): value for key, value in environ.items() if key.startswith(PREFIX)}
    for name in variables:
        _known(name, f"{PREFIX}{name.upper()}", upper=True)
    here = _read(folder / FILE)
    home = given.get("home") or variables.get("home") or here.get("home") or default_home()
    there = Path(home).expanduser().absolute() / FILE
    usual = {name: environ[key] for name, key in USUAL.items() if environ.get(key)}

    layers: list[tuple[Mapping[str, Any], str]] = [
        (usual, "$"),
        (_read(there) if there != (folder / FILE).absolute() else {}, str(there)),
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
        for name, inner in ((f"{key}_{sub}", v) for sub, v in table.items()) if table else ((key, value),):
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
    """The first thing that does not fit, in one sentence; the value is left out since it may be a secret."""
    error = wrong.errors()[0]
    name = str(error["loc"][0])
    return f"the setting `{name}` ({where.get(name, 'default')}) does not fit: {error['msg'].lower()}."
